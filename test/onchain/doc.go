// Package onchain has the tests that move money on Solana's own runtime, through the use cases:
// transactions that attackers land and claim, and payouts through faults and crashes. Each suite
// also runs on variants with known mistakes, and must fail on every one of them. Anchors of the
// public log are written there too, and read by casino verify.
//
// It has no code of its own; no package imports it.
package onchain
