// Package fakes replaces the outside world in tests: a clock that tests move, randomness from a
// seed, a limiter, session tokens, terms of tokens, a chain, beacons, a provider of games, agents' sites,
// screeners and countries.
//
// They are deterministic, safe for concurrent use, and pass the suites of test/conformance.
// Tests, simulators and embedders' tests import it. A service must not: its random values can be
// guessed.
package fakes
