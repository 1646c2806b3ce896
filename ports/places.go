package ports

import "context"

// ofPlayers is the key of the mark below.
type ofPlayers struct{}

// ForPlayers marks what is asked for players and for the public. Stores keep places apart
// from theirs: whatever players ask, admins, providers and workers are served. Everything
// that isn't marked is theirs.
func ForPlayers(ctx context.Context) context.Context {
	return context.WithValue(ctx, ofPlayers{}, true)
}

// IsForPlayers reports whether ForPlayers marked the context.
func IsForPlayers(ctx context.Context) bool { return ctx.Value(ofPlayers{}) != nil }
