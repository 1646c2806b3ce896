package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.DepositCursors   = (*Store)(nil)
	_ ports.ParkedDeposits   = (*Store)(nil)
	_ ports.UnbookedDeposits = (*Store)(nil)
)

// watchGuard is what everybody locks who moves a cursor or parks a deposit.
const watchGuard = "deposits"

// parkedColumns are the columns in the order of scanParked.
const parkedColumns = "token, signature, status, reason, amount, tries, found_at, next_at"

func scanParked(row interface{ Scan(...any) error }) (p deposit.Parked, err error) {
	var found int64
	var next sql.NullInt64
	err = row.Scan(&p.Token, &p.Signature, &p.Status, &p.Reason, &p.Amount, &p.Tries, &found, &next)
	p.FoundAt = moment(found)
	if next.Valid {
		p.NextAt = moment(next.Int64)
	}
	return p, err
}

// Cursor serves ports.DepositCursors.
func (s *Store) Cursor(ctx context.Context, token money.Token) (watch deposit.Watch, err error) {
	var after int64
	err = s.one(ctx, "read the watcher's cursor", "SELECT cursor, after FROM watch_cursors WHERE token = ?", []any{string(token)},
		func(row *sql.Row) error { return row.Scan(&watch.Cursor, &after) },
		fault.New(fault.NotFound, "nobody watched %s yet", token))
	if err != nil {
		return deposit.Watch{}, err
	}
	watch.After = uint64(after)
	return watch, nil
}

// Advance serves ports.DepositCursors.
func (s *Store) Advance(ctx context.Context, token money.Token, from string, to deposit.Watch, parked []deposit.Parked) error {
	return s.small(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands string
		err := tx.QueryRowContext(ctx, "SELECT cursor FROM watch_cursors WHERE token = ?", string(token)).Scan(&stands)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return wrap("read the watcher's cursor", err)
		}
		if stands != from {
			return fault.New(fault.InvalidState, "the cursor of %s was moved meanwhile", token).With("status", "moved")
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO watch_cursors (token, cursor, after) VALUES (?, ?, ?)
			ON CONFLICT (token) DO UPDATE SET cursor = excluded.cursor, after = excluded.after`, string(token), to.Cursor, int64(to.After))
		if err != nil {
			return wrap("move the watcher's cursor", err)
		}
		for _, p := range parked {
			if err := writeParked(ctx, tx, p, "ON CONFLICT (signature, token) DO NOTHING"); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeParked(ctx context.Context, tx bun.Tx, p deposit.Parked, conflict string) error {
	var next any
	if !p.NextAt.IsZero() {
		next = micros(p.NextAt)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO parked_deposits ("+parkedColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?) "+conflict,
		string(p.Token), p.Signature, string(p.Status), string(p.Reason), int64(p.Amount), p.Tries, micros(p.FoundAt), next)
	return wrap("park a deposit", err)
}

// Park serves ports.ParkedDeposits.
func (s *Store) Park(ctx context.Context, p deposit.Parked) error {
	return s.small(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		return writeParked(ctx, tx, p, `ON CONFLICT (signature, token) DO UPDATE SET status = excluded.status,
			reason = excluded.reason, amount = excluded.amount, tries = excluded.tries, next_at = excluded.next_at`)
	})
}

// Unpark serves ports.ParkedDeposits.
func (s *Store) Unpark(ctx context.Context, ref deposit.Ref) error {
	return s.small(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM parked_deposits WHERE signature = ? AND token = ?", ref.Signature, string(ref.Token))
		return wrap("forget a parked deposit", err)
	})
}

// Parked serves ports.ParkedDeposits.
func (s *Store) Parked(ctx context.Context, ref deposit.Ref) (found deposit.Parked, err error) {
	err = s.one(ctx, "read a parked deposit", "SELECT "+parkedColumns+" FROM parked_deposits WHERE signature = ? AND token = ?",
		[]any{ref.Signature, string(ref.Token)}, func(row *sql.Row) (err error) {
			found, err = scanParked(row)
			return err
		}, fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature))
	if err != nil {
		return deposit.Parked{}, err
	}
	return found, nil
}

// ParkedDue serves ports.ParkedDeposits.
func (s *Store) ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error) {
	return s.parked(ctx, "status = 'pending' AND next_at <= ? ORDER BY next_at, signature, token", micros(now), limit)
}

// ParkedIn serves ports.UnbookedDeposits.
func (s *Store) ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error) {
	return s.parked(ctx, "status = ? ORDER BY found_at, signature, token", string(status), limit)
}

func (s *Store) parked(ctx context.Context, which string, argument any, limit int) ([]deposit.Parked, error) {
	found := []deposit.Parked{}
	err := s.rows(ctx, "list parked deposits", "SELECT "+parkedColumns+" FROM parked_deposits WHERE "+which+" LIMIT ?",
		[]any{argument, limit}, func(row *sql.Rows) error {
			p, err := scanParked(row)
			found = append(found, p)
			return err
		})
	return found, err
}

// Unbooked serves ports.UnbookedDeposits.
func (s *Store) Unbooked(ctx context.Context) (map[money.Token]money.Total, error) {
	sums := map[money.Token]money.Total{}
	err := s.rows(ctx, "sum what is not booked", `SELECT p.token, sum(p.amount / ?), sum(p.amount % ?) FROM parked_deposits AS p
		WHERE p.amount > 0 AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.kind = ? AND c.scope = p.token AND c.id = p.signature)
		GROUP BY p.token`, []any{halfBits, halfBits, string(player.DepositCredit)}, func(row *sql.Rows) error {
		var token money.Token
		var high, low int64
		err := row.Scan(&token, &high, &low)
		sums[token] = money.TotalOfProduct(uint64(high), halfBits).Add(money.TotalOfInt(low))
		return err
	})
	return sums, err
}
