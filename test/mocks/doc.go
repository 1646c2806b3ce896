// Package mocks has a generated mock of every port, for tests that say "this must not be
// called" or "called exactly once". For everything else test/fakes has fakes that pass the
// conformance suites.
package mocks

//go:generate ./generate
