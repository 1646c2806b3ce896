package db

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/fault"
)

// RetryAfterMillis is when a refused caller may try again.
const RetryAfterMillis = 1000

// ErrRowsLost says that the database wrote another number of rows than it was
// sent: two rows of a batch had one key, or a row changed behind its lock.
var ErrRowsLost = errors.New("sqlstore: rows written are not the rows sent")

// Defect is what an item or its decision did that no item may do, or a stored row
// that can't be read. It is the item's or the row's alone.
func Defect(format string, args ...any) error {
	return fmt.Errorf("sqlstore: "+format, args...)
}

// Wrap names what was being done when a database failed.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %s: %w", doing, err)
}

// Found tells that there is no row from what went wrong.
func Found(err error) (there bool, _ error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Unreachable is Wrap for questions to the database: one that can't be reached is
// a fault of kind Unavailable, with the cause beside it for the log. Whether
// something was written before is not said; where a commit is in doubt, that is.
func (d *DB) Unreachable(doing string, err error) error {
	if err == nil {
		return nil
	}
	away := fault.New(fault.Unavailable, "the database can't be reached")
	switch d.Dialect.Failure(err) {
	case Lost:
	case InDoubt:
		away = fault.New(fault.Unavailable, "the database did not say whether it will last").With("outcome", "unknown")
	default:
		return Wrap(doing, err)
	}
	return fmt.Errorf("%w: %w", away.With("retryAfterMs", RetryAfterMillis), Wrap(doing, err))
}
