package writer

import (
	"errors"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// What became of a write that could not be answered as it should.
const (
	outcomeNone    = "none"    // nothing of it happened, nor will
	outcomeUnknown = "unknown" // the same claims will tell
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

// errNeedsMore says that a decision asked for more than its item declared: the batch runs
// again, and reads that too.
var errNeedsMore = errors.New("sqlstore: a decision needs more than was read for it")

// errKeyGone says that a claim which stood in the way was forgotten before its
// holder could be read: the batch runs again.
var errKeyGone = errors.New("sqlstore: a claim in the way is gone")
