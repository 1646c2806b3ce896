package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/witness"
)

// Witness stores the newest heads of ledgers where restoring the database doesn't
// restore them too. It may lose its data; then it proves nothing, and callers don't take
// that for a proof.
type Witness interface {
	// Keep stores the heads of the record that are beyond the stored ones; concurrent
	// callers can't set one back. It is called between a batch's commit and its answers, so
	// it takes no longer than a write to memory; slower storage follows within 100 ms.
	Keep(record witness.Record) error
	// Kept returns the stored heads of every ledger. It leaves out damaged or forged ones
	// and counts them in Spoiled.
	Kept(ctx context.Context) (kept Kept, err error)
}

// Kept is the content of a Witness.
type Kept struct {
	Records []witness.Record
	// Spoiled counts the heads that were damaged or forged.
	Spoiled int
}

// BlockHashes reads single blocks of the hash chains.
type BlockHashes interface {
	// BlocksAt returns the blocks with the lanes and numbers of the heads, sorted by lane
	// and number, each with its own hash. Missing blocks are left out.
	BlocksAt(ctx context.Context, heads []hashchain.Head) ([]hashchain.Head, error)
}

// Origins identifies the server that a database's data comes from.
type Origins interface {
	// Origin returns the server's present origin and the last remembered one; each is zero
	// if unknown.
	Origin(ctx context.Context) (now, remembered witness.Origin, err error)
	// RememberOrigin replaces the remembered origin.
	RememberOrigin(ctx context.Context, origin witness.Origin) error
}

// Restrictions stores a ledger's prohibitions where restoring the database doesn't
// restore them too. It may lose its data; then a recovery reports that.
type Restrictions interface {
	// Keep stores restrictions once their commit is known. Of each subject the last one
	// stored counts. If it returns nil they outlive the process, provided that the adapter
	// is durable.
	Keep(ctx context.Context, ledger string, all []restriction.Restriction) error
	// Kept returns a ledger's restrictions, one for each subject. It leaves out damaged or
	// forged ones and counts them in Spoiled.
	Kept(ctx context.Context, ledger string) (KeptRestrictions, error)
}

// KeptRestrictions are a ledger's stored restrictions.
type KeptRestrictions struct {
	All []restriction.Restriction
	// Since is the time of the first Keep, zero before it. Earlier restrictions are
	// unknown.
	Since time.Time
	// Spoiled counts the restrictions that were damaged or forged.
	Spoiled int
}
