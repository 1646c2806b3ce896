package sqlstore

import (
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/fault"
)

// What became of a write that could not be answered as it should.
const (
	outcomeNone    = "none"    // nothing of it happened, nor will
	outcomeUnknown = "unknown" // the same claims will tell
)

// retryAfterMillis is when a refused caller may try again.
const retryAfterMillis = 1000

func unavailable(why, outcome string) error {
	return fault.New(fault.Unavailable, "%s", why).With("outcome", outcome).With("retryAfterMs", retryAfterMillis)
}

func errCallerGone() error {
	return unavailable("the caller was gone before its turn", outcomeNone)
}

func errHeldElsewhere() error {
	return unavailable("the player is being changed by somebody else", outcomeNone)
}

func rateLimited() error {
	return fault.New(fault.RateLimited, "too many requests of this player are in flight").
		With("retryAfterMs", retryAfterMillis)
}

// errRowsLost says that the database wrote another number of rows than it was
// sent: two rows of a batch had one key, or a row changed behind its lock.
var errRowsLost = errors.New("sqlstore: rows written are not the rows sent")

// errClaimGone says that a claim which stood in the way was forgotten before its
// holder could be read: the batch runs again.
var errClaimGone = errors.New("sqlstore: a claim in the way is gone")

// defect is what an item or its decision did that no item may do. It is the
// item's alone.
func defect(format string, args ...any) error {
	return fmt.Errorf("sqlstore: "+format, args...)
}
