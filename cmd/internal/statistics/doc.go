// Package statistics computes the probability of a sample under a hypothesis: each function
// returns a p-value, the probability of a sample at least as extreme.
//
// cmd/internal/capture compares captured rounds with the published odds by it. Nothing else
// should need it. It knows no games and no money.
//
// Tails are exact (Binomial, Runs), rigorous bounds that are never below the true
// probability (Mean), or limits for large samples (ChiSquare, Serial).
package statistics
