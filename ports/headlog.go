package ports

import (
	"context"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
)

// HeadLog is one append-only log of the headers of all lanes' blocks. Entry n, counted from
// 0, is the text of a header; the log's tree is that of RFC 6962.
type HeadLog interface {
	// AppendHeads appends blocks that the log lacks, about atMost of them, and reports whether
	// there may be more. Each block is appended once, however many callers there are, and
	// those of a lane in their order. While the database is known to lack committed blocks
	// it returns a fault of kind Unavailable.
	AppendHeads(ctx context.Context, atMost int) (more bool, err error)
	// LogSize returns the number of entries.
	LogSize(ctx context.Context) (int64, error)
	// LoggedHeaders returns up to n headers from an entry on.
	LoggedHeaders(ctx context.Context, from int64, n int) ([]hashchain.Header, error)
	// LogHashes returns hashes of the tree by their indexes, see merkle.StoredIndex. It
	// returns a fault of kind NotFound where the log lacks one.
	LogHashes(ctx context.Context, indexes []int64) ([]merkle.Hash, error)
}

// LogCheckpoints stores the signed checkpoints of the log.
type LogCheckpoints interface {
	// LogIndex returns the entry that is a block's header, and whether there is one.
	LogIndex(ctx context.Context, lane int, seq int64) (index int64, found bool, err error)
	// LogCheckpoint returns the newest checkpoint of an origin; its size is 0 before the first.
	LogCheckpoint(ctx context.Context, origin string) (LogCheckpoint, error)
	// KeepLogCheckpoint replaces the checkpoint of the origin, unless that one is larger, or
	// has as many entries and a longer text, that is more signatures.
	KeepLogCheckpoint(ctx context.Context, c LogCheckpoint) error
}

// LogCheckpoint is a checkpoint of the log: a signed note.
type LogCheckpoint struct {
	Origin string
	Size   int64
	// Note is the text with its signatures.
	Note string
}
