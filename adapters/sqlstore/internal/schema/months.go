package schema

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// MonthsAhead is for how many months, the present one included, partitions of
// rounds and transfers are made.
const MonthsAhead = 3

// MakeMonths makes the partitions of the months to come where rounds and
// transfers have partitions. It is a step: true says that it made some. Calling
// it once a day is more than enough; rows of a month whose partition is missing
// are kept all the same, in the partition called rest.
func (s *Schema) MakeMonths(ctx context.Context, now time.Time) (worked bool, err error) {
	text := s.db.Dialect.MakeMonths()
	if text == "" {
		return false, nil
	}
	made := 0
	err = s.db.Write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return tx.QueryRowContext(ctx, text, db.Micros(now), MonthsAhead).Scan(&made)
	})
	return made > 0, db.Wrap("make partitions", err)
}

// DetachMonth takes the rounds and transfers of a month out of the tables that
// the service works on. It needs the schema's owner. Blocks, balances and kept
// figures stay as they are, and audits go on reading the month's own tables
// (rounds_YYYY_MM, transfers_YYYY_MM) for as long as they are there. Lists and
// histories don't show the month any more. A month that ended within 31 days or
// has an open transaction is refused.
func (s *Schema) DetachMonth(ctx context.Context, month time.Time) error {
	return s.moveMonth(ctx, "detach month", month, false)
}

// AttachMonth puts a detached month back. It needs the schema's owner.
func (s *Schema) AttachMonth(ctx context.Context, month time.Time) error {
	return s.moveMonth(ctx, "attach month", month, true)
}

func (s *Schema) moveMonth(ctx context.Context, doing string, month time.Time, back bool) (err error) {
	text := s.db.Dialect.MoveMonth(back)
	if text == "" {
		return fault.New(fault.InvalidState, "this database keeps no months apart")
	}
	pool := bun.NewDB(s.session(), s.db.Dialect.Bun())
	defer func() { err = errors.Join(err, db.Wrap(doing, pool.Close())) }()
	if err := s.db.Dialect.LockSchema(ctx, pool.DB); err != nil {
		return db.Wrap(doing, err)
	}
	_, err = pool.ExecContext(ctx, text, month.UTC().Format(db.MonthLayout))
	return db.Wrap(doing, err)
}
