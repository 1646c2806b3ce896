package writer

import (
	"errors"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// The outcomes of a write without a normal answer.
const (
	outcomeNone    = "none"    // it was not written and will not be
	outcomeUnknown = "unknown" // a request with the same claims will tell
)

func unavailableError(why, outcome string) error {
	return fault.New(fault.Unavailable, "%s", why).With("outcome", outcome).With("retryAfterMs", db.RetryAfterMillis)
}

func errCallerGone() error {
	return unavailableError("the caller was gone before its turn", outcomeNone)
}

func errHeldElsewhere() error {
	return unavailableError("the player is being changed by somebody else", outcomeNone)
}

func rateLimited() error {
	return fault.New(fault.RateLimited, "too many requests of this player are in flight").
		With("retryAfterMs", db.RetryAfterMillis)
}

// errNeedsMore reports that a decision needs more than its item declared: the batch runs again,
// and reads that too.
var errNeedsMore = errors.New("sqlstore: a decision needs more than was read for it")

// errKeyGone reports that a conflicting claim expired before its holder could be read: the batch
// runs again.
var errKeyGone = errors.New("sqlstore: a claim in the way is gone")
