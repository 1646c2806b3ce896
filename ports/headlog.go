package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
)

// HeadLog is one append-only log of the headers of all lanes' blocks. Entry n, counted from
// 0, is the text of a header; the log's tree is that of RFC 6962.
type HeadLog interface {
	// AppendHeads appends blocks that the log lacks, about atMost of them, and reports whether
	// there may be more. Each block is appended once, however many callers there are, and
	// those of a lane in their order. It appends no block that the service didn't make: a
	// block without its hash, its predecessor or the service's seal is an error. While the
	// database is known to lack committed blocks it returns a fault of kind Maintenance.
	AppendHeads(ctx context.Context, atMost int) (more bool, err error)
	// LogSize returns the number of entries.
	LogSize(ctx context.Context) (int64, error)
	// LoggedHeaders returns up to n headers from an entry on, or an error if the service
	// didn't make one of their blocks.
	LoggedHeaders(ctx context.Context, from int64, n int) ([]hashchain.Header, error)
	// LogHashes returns hashes of the tree by their indexes, see merkle.StoredIndex. It
	// returns a fault of kind NotFound where the log lacks one.
	LogHashes(ctx context.Context, indexes []int64) ([]merkle.Hash, error)
}

// LogCheckpoints stores the signed checkpoints of the log.
type LogCheckpoints interface {
	// LogIndex returns the entry that is a block's header, and whether there is one.
	LogIndex(ctx context.Context, lane int, seq int64) (index int64, found bool, err error)
	// KeptLogCheckpoints returns the checkpoints of an origin, or of all for an empty one, by
	// origin and witness.
	KeptLogCheckpoints(ctx context.Context, origin string) ([]LogCheckpoint, error)
	// KeepLogCheckpoint replaces the checkpoint of the origin and the witness, unless that
	// one is larger.
	KeepLogCheckpoint(ctx context.Context, c LogCheckpoint) error
}

// LogCheckpoint is a checkpoint of the log: a signed note.
type LogCheckpoint struct {
	Origin string
	// Witness is the name of the witness that cosigned it, empty for the newest one that the
	// service signed.
	Witness string
	Size    int64
	// At is when it was signed or cosigned.
	At time.Time
	// Note is the text with its signatures.
	Note string
}

// Anchors stores the anchors of the log: memos on chain that state a checkpoint.
type Anchors interface {
	// NewestAnchors returns the newest anchor that landed, and the one that was recorded and
	// isn't ended; nil for one that doesn't exist.
	NewestAnchors(ctx context.Context) (landed, sent *Anchor, err error)
	// RecordAnchor records an anchor before its transaction is sent. It reports false, and
	// records nothing, while another one isn't ended.
	RecordAnchor(ctx context.Context, a Anchor) (recorded bool, err error)
	// EndAnchor ends an anchor that wasn't: it landed, or it never will.
	EndAnchor(ctx context.Context, signature string, landed bool) error
	// AnchorOf returns the oldest landed anchor of an origin with the entry, and whether
	// there is one.
	AnchorOf(ctx context.Context, origin string, entry int64) (a Anchor, found bool, err error)
}

// Anchor is a transaction whose memo states a checkpoint of the log.
type Anchor struct {
	Signature string
	Origin    string
	Size      int64
	// LastValidHeight is the last block height at which the transaction can land.
	LastValidHeight int64
	// At is when it was recorded.
	At time.Time
}

// LogWitness cosigns checkpoints of the log, if each extends the last one (C2SP
// tlog-witness).
type LogWitness interface {
	// Name returns the name in the witness's key.
	Name() string
	// Cosign sends a checkpoint, and the proof that it extends the one of old entries. An
	// error means that the witness gave no answer that can be used.
	Cosign(ctx context.Context, old int64, proof []merkle.Hash, note string) (Cosigned, error)
}

// Cosigned is the answer of a LogWitness. One field is set.
type Cosigned struct {
	// Signatures are lines of a signed note, of which one is the witness's valid cosignature.
	Signatures string
	// Last is the number of entries that the witness cosigned last, if it isn't old.
	Last *int64
	// Refusal is why the witness refuses the checkpoint.
	Refusal string
}
