// Package mocks holds generated mocks of the ports whose calls cost money, for
// tests that say "this must not be called" or "called exactly once". For
// everything else test/fakes has fakes that pass the conformance suites.
package mocks

//go:generate go tool mockgen -source ../../ports/chain.go -destination chain.go -package mocks
//go:generate go tool mockgen -source ../../ports/writer.go -destination writer.go -package mocks
