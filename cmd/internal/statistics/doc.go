// Package statistics says how likely a sample is, if what is claimed of it is true: each
// function returns a p-value, the chance of a sample that is as far off or farther.
//
// cmd/internal/capture holds captured rounds against the published odds with it. Nothing
// else should need it: it knows no game, and no money.
//
// Tails are exact (Binomial, Runs), rigorous bounds that are never below the true chance
// (Mean), or the limits of large samples (ChiSquare, Serial), as each one says.
package statistics
