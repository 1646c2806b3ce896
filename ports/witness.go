package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/witness"
)

// Witness keeps the newest heads of ledgers where whoever puts an older copy of the
// database back doesn't put them back too. It may lose what it keeps: then it proves
// nothing, and nobody takes that for a proof.
type Witness interface {
	// Keep keeps of the record what goes beyond what is kept of its ledger: it only
	// goes forward, whoever else keeps at the same time. It is called between the commit
	// of a batch and the answers to its items, so it takes no longer than a write to
	// memory: what takes longer follows within 100 ms.
	Keep(record witness.Record) error
	// Kept reads what is kept, of every ledger. What can't be trusted, being torn or
	// made by somebody else, is left out, and Spoiled counts it.
	Kept(ctx context.Context) (kept Kept, err error)
}

// Kept is what a Witness keeps.
type Kept struct {
	Records []witness.Record
	// Spoiled is how many heads were there and could not be trusted.
	Spoiled int
}

// BlockHashes reads single blocks of the hash chains.
type BlockHashes interface {
	// BlocksAt returns the blocks that have the lanes and numbers of the heads, sorted by
	// lane and number, each with its own hash. Those that aren't there are left out.
	BlocksAt(ctx context.Context, heads []hashchain.Head) ([]hashchain.Head, error)
}

// Origins says where the data of a database comes from.
type Origins interface {
	// Origin returns the origin of the server as it is now, and the one that was
	// remembered last; each is zero where it isn't known.
	Origin(ctx context.Context) (now, remembered witness.Origin, err error)
	// RememberOrigin replaces the one that is remembered.
	RememberOrigin(ctx context.Context, origin witness.Origin) error
}

// Restrictions keeps what was forbidden in a ledger where whoever puts an older copy of
// the database back doesn't put it back too. It may lose what it keeps: then a recovery
// says so.
type Restrictions interface {
	// Keep keeps restrictions once their commit is known. Of each subject the one that was
	// kept last counts, whoever else keeps at the same time. Without an error they outlive
	// the process, where the adapter is durable.
	Keep(ctx context.Context, ledger string, all []restriction.Restriction) error
	// Kept reads what is kept of a ledger, of each subject one. What can't be trusted,
	// being torn or made by somebody else, is left out, and Spoiled counts it.
	Kept(ctx context.Context, ledger string) (KeptRestrictions, error)
}

// KeptRestrictions is what Restrictions keeps of a ledger.
type KeptRestrictions struct {
	All []restriction.Restriction
	// Since is the moment from which on it keeps them: the first Keep's, zero before it.
	// What was forbidden before is not known here.
	Since time.Time
	// Spoiled is how many were there and could not be trusted.
	Spoiled int
}
