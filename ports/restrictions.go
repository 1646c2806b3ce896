package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/restriction"
)

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
