package ports

import "context"

// ChainHeights reads until when what was signed may land.
type ChainHeights interface {
	// Heights returns the last block height at which a transaction that is signed until
	// now can land, and the newest height that is finalized. Whatever was signed by then
	// has landed, finalized, or never will, once the finalized height is beyond the
	// other. A chain that can't be asked is a fault of kind External.
	Heights(ctx context.Context) (Heights, error)
}

// Heights are heights of blocks of a chain.
type Heights struct {
	LastValid uint64
	Finalized uint64
}
