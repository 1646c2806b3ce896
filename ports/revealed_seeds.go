package ports

import "context"

// RevealedSeeds reads the server seeds of many pairs at once, for pages of rounds. Results
// are of committed state, at least as new as the last receipt the caller got.
type RevealedSeeds interface {
	// RevealedSeeds returns the server seeds of those pairs that are retired, by the pair's
	// id. Pairs that still decide rounds and ids that no pair has are left out. An id may be
	// named twice, and none gives an empty answer.
	RevealedSeeds(ctx context.Context, pairs []string) (map[string]string, error)
}
