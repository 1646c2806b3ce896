// Package game holds the rules of the house's own games.
//
// A Game declares the fields of its config once; from that one declaration come
// validation, defaults and the published JSON schema. Prepare turns a config
// into a Plan, and every refusal happens there, before anything is drawn. A Plan
// states its exact return to player and its greatest multiplier, and Play turns
// draws into an outcome and a multiplier and can't fail.
//
// A Stepped game is played step by step, by choices that follow from what was shown
// before: its round is a fold of config, draws and actions, which Begin, Advance and
// Replay make and hold against what the game promised.
//
// Probabilities are counted, not estimated: a draw is one of 2^32 values, and
// the return to player is the exact sum over all of them, before the payout is
// rounded down to base units. Returns, multipliers and moments are in wagers, as
// exact ratios; amounts are in base units of a token. Tests prove each figure by
// enumeration.
//
// To add a game of your own, implement Game, prove it with conformance.Game of
// test/conformance, and hand it to NewRegistry, which tries it out at each start.
// Bet decisions, the verifier and the adapters that publish games import this
// package. A Value has no codec here; adapters map it to JSON.
package game
