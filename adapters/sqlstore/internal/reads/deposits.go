package reads

import (
	"context"
	"database/sql"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// Cursor serves ports.DepositCursors.
func (r *Reads) Cursor(ctx context.Context, token money.Token) (watch deposit.WatchProgress, err error) {
	var after int64
	err = r.db.One(ctx, "read the watcher's cursor", "SELECT cursor, after FROM watch_cursors WHERE token = ?", []any{string(token)},
		func(row db.Row) error { return row.Scan(&watch.Cursor, &after) },
		fault.New(fault.NotFound, "%s was never watched", token))
	if err != nil {
		return deposit.WatchProgress{}, err
	}
	watch.After = uint64(after)
	return watch, nil
}

// Parked serves ports.ParkedDeposits.
func (r *Reads) Parked(ctx context.Context, ref deposit.Ref) (found deposit.Parked, err error) {
	err = r.db.One(ctx, "read a parked deposit", rows.ParkedDeposits.Select()+" WHERE signature = ? AND token = ?",
		[]any{ref.Signature, string(ref.Token)}, func(row db.Row) (err error) {
			found, err = rows.ParkedDeposits.Scan(row)
			return err
		}, fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature))
	if err != nil {
		return deposit.Parked{}, err
	}
	return found, nil
}

// ParkedDue serves ports.ParkedDeposits.
func (r *Reads) ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error) {
	return r.parked(ctx, "status = 'pending' AND next_at <= ? ORDER BY next_at, signature, token", db.Micros(now), limit)
}

// ParkedIn serves ports.UnbookedDeposits.
func (r *Reads) ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error) {
	return r.parked(ctx, "status = ? ORDER BY found_at, signature, token", db.Word(status), limit)
}

func (r *Reads) parked(ctx context.Context, which string, argument any, limit int) ([]deposit.Parked, error) {
	return everyKept(ctx, r, "list parked deposits", rows.ParkedDeposits.Select()+" WHERE "+which+" LIMIT ?", []any{argument, limit},
		rows.ParkedDeposits.Scan)
}

// Unbooked serves ports.UnbookedDeposits.
func (r *Reads) Unbooked(ctx context.Context) (map[money.Token]money.Total, error) {
	sums := map[money.Token]money.Total{}
	err := r.db.Rows(ctx, "sum what is not booked", `SELECT p.token, sum(p.amount / ?), sum(p.amount % ?) FROM parked_deposits AS p
		WHERE p.amount > 0 AND NOT EXISTS (SELECT 1 FROM unique_keys AS c WHERE c.kind = ? AND c.scope = p.token AND c.id = p.signature)
		GROUP BY p.token`, []any{rows.HalfBits, rows.HalfBits, string(player.DepositKey)}, func(row *sql.Rows) error {
		var token money.Token
		var high, low int64
		err := row.Scan(&token, &high, &low)
		sums[token] = rows.SumOfHalves(high, low)
		return err
	})
	return sums, err
}
