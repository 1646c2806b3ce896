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
func (r *Reads) Cursor(ctx context.Context, token money.Token) (deposit.WatchProgress, error) {
	c, err := from(r, rows.WatchCursors).where("c.token = ?", token).
		one(ctx, "read the watcher's cursor", fault.New(fault.NotFound, "%s was never watched", token))
	return deposit.WatchProgress{Cursor: c.Cursor, After: c.After}, err
}

// Parked serves ports.ParkedDeposits.
func (r *Reads) Parked(ctx context.Context, ref deposit.Ref) (deposit.Parked, error) {
	return from(r, rows.ParkedDeposits).where("p.signature = ? AND p.token = ?", ref.Signature, ref.Token).
		one(ctx, "read a parked deposit", fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature))
}

// ParkedDue serves ports.ParkedDeposits.
func (r *Reads) ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error) {
	return from(r, rows.ParkedDeposits).where("p.status = 'pending' AND p.next_at <= ?", db.Micros(now)).
		order("p.next_at, p.signature, p.token").limit(limit).kept(ctx, "list parked deposits")
}

// ParkedIn serves ports.UnbookedDeposits.
func (r *Reads) ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error) {
	return from(r, rows.ParkedDeposits).where("p.status = ?", db.Word(status)).order("p.found_at, p.signature, p.token").limit(limit).
		kept(ctx, "list parked deposits")
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

// Booked serves ports.UnbookedDeposits.
func (r *Reads) Booked(ctx context.Context, ref deposit.Ref) (booked bool, err error) {
	err = r.db.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM unique_keys WHERE kind = ? AND scope = ? AND id = ?)",
		string(player.DepositKey), string(ref.Token), ref.Signature).Scan(&booked)
	return booked, db.Wrap("look for a booked transaction", err)
}
