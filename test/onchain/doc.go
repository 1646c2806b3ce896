// Package onchain holds the suites that move money on Solana's own runtime, through
// the use cases: what attackers land and claim, and payouts through faults and
// crashes. Each suite is also run on variants that do what is known to go wrong,
// and must fail on every one of them.
//
// It has no code of its own; nothing imports it.
package onchain
