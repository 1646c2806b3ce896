package payments

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// ParkedDepositRow is a row of parked_deposits.
type ParkedDepositRow struct {
	bun.BaseModel `bun:"table:parked_deposits,alias:p"`
	Parked        struct {
		deposit.Ref
		Status  deposit.Status
		Reason  deposit.Reason
		Amount  money.Amount
		Tries   int
		FoundAt time.Time
		NextAt  time.Time `bun:",nullzero"`
	} `bun:"embed:"`
}

// ParkedDeposits is the model of treasury transactions that are not credited to a player yet.
var ParkedDeposits = table.ModelOf[ParkedDepositRow, deposit.Parked]()

// WatchCursor is a row of watch_cursors: how far a token's deposits were examined.
type WatchCursor struct {
	bun.BaseModel `bun:"table:watch_cursors,alias:c"`
	Token         money.Token `bun:",pk"`
	Cursor        string
	After         uint64
}

// WatchCursors is the model of such positions.
var WatchCursors = table.ModelOf[WatchCursor, WatchCursor]()

// Cursor implements ports.DepositCursors.
func (s *Store) Cursor(ctx context.Context, token money.Token) (deposit.WatchProgress, error) {
	c, err := read.From(s.Reads, WatchCursors).Where("c.token = ?", token).
		One(ctx, "read the watcher's cursor", fault.New(fault.NotFound, "%s was never watched", token))
	return deposit.WatchProgress{Cursor: c.Cursor, After: c.After}, err
}

// Parked implements ports.ParkedDeposits.
func (s *Store) Parked(ctx context.Context, ref deposit.Ref) (deposit.Parked, error) {
	return read.From(s.Reads, ParkedDeposits).Where("p.signature = ? AND p.token = ?", ref.Signature, ref.Token).
		One(ctx, "read a parked deposit", fault.New(fault.NotFound, "transaction %q is not parked", ref.Signature))
}

// ParkedDue implements ports.ParkedDeposits.
func (s *Store) ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error) {
	return read.From(s.Reads, ParkedDeposits).Where("p.status = 'pending' AND p.next_at <= ?", db.Micros(now)).
		Order("p.next_at, p.signature, p.token").Limit(limit).Kept(ctx, "list parked deposits")
}

// ParkedIn implements ports.UnbookedDeposits.
func (s *Store) ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error) {
	return read.From(s.Reads, ParkedDeposits).Where("p.status = ?", db.Word(status)).Order("p.found_at, p.signature, p.token").Limit(limit).
		Kept(ctx, "list parked deposits")
}

// Unbooked implements ports.UnbookedDeposits.
func (s *Store) Unbooked(ctx context.Context) (map[money.Token]money.Total, error) {
	sums := map[money.Token]money.Total{}
	// The sum of all parked deposits minus the sum of booked ones: Citus refuses a subquery on a
	// distributed table for each row of a local table.
	err := s.DB.Rows(ctx, "sum what is not booked", `SELECT b.token, sum(b.n * (b.amount / ?)), sum(b.n * (b.amount % ?)) FROM (
			SELECT p.token, p.amount, 1 AS n FROM parked_deposits AS p WHERE p.amount > 0
			UNION ALL SELECT p.token, p.amount, -1 FROM parked_deposits AS p
				JOIN unique_keys AS c ON c.kind = ? AND c.scope = p.token AND c.id = p.signature WHERE p.amount > 0) AS b
		GROUP BY b.token HAVING sum(b.n) > 0`, []any{table.HalfBits, table.HalfBits, string(player.DepositKey)}, func(row *sql.Rows) error {
		var token money.Token
		var high, low int64
		err := row.Scan(&token, &high, &low)
		sums[token] = table.SumOfHalves(high, low)
		return err
	})
	return sums, err
}

// watchGuard is locked by every transaction that moves a cursor or parks a deposit.
const watchGuard = "deposits"

// Advance implements ports.DepositCursors.
func (s *Store) Advance(ctx context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error {
	return s.Run(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		var stands WatchCursor
		if _, err := db.Found(tx.NewSelect().Model(&stands).Where("c.token = ?", token).Scan(ctx)); err != nil {
			return db.Wrap("read the watcher's cursor", err)
		}
		if stands.Cursor != from {
			return fault.New(fault.InvalidState, "the cursor of %s was moved meanwhile", token).With("status", "moved")
		}
		_, err := tx.NewInsert().Model(&WatchCursor{Token: token, Cursor: to.Cursor, After: to.After}).
			On("CONFLICT (token) DO UPDATE").Exec(ctx)
		if err != nil {
			return db.Wrap("move the watcher's cursor", err)
		}
		for _, p := range parked {
			if _, err := tx.NewInsert().Model(ParkedDeposits.Row(&p)).On("CONFLICT (signature, token) DO NOTHING").Exec(ctx); err != nil {
				return db.Wrap("park a deposit", err)
			}
		}
		return nil
	})
}

// Park implements ports.ParkedDeposits.
func (s *Store) Park(ctx context.Context, p deposit.Parked) error {
	return s.Run(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(ParkedDeposits.Row(&p)).On("CONFLICT (signature, token) DO UPDATE").
			Set(table.Excluded("status", "reason", "amount", "tries", "next_at")).Exec(ctx)
		return db.Wrap("park a deposit", err)
	})
}

// Unpark implements ports.ParkedDeposits.
func (s *Store) Unpark(ctx context.Context, ref deposit.Ref) error {
	return s.Run(ctx, watchGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model((*ParkedDepositRow)(nil)).Where("signature = ? AND token = ?", ref.Signature, ref.Token).Exec(ctx)
		return db.Wrap("forget a parked deposit", err)
	})
}

// Booked implements ports.UnbookedDeposits.
func (s *Store) Booked(ctx context.Context, ref deposit.Ref) (booked bool, err error) {
	return s.taken(ctx, "look for a booked transaction", player.UniqueKey{Kind: player.DepositKey, Scope: string(ref.Token), ID: ref.Signature})
}

// Corrected implements ports.Bookings.
func (s *Store) Corrected(ctx context.Context, key ledger.Key) (corrected bool, err error) {
	return s.taken(ctx, "look for a correction", player.CorrectionKeyOf(key))
}

// taken reports whether an item holds the unique key.
func (s *Store) taken(ctx context.Context, doing string, key player.UniqueKey) (taken bool, err error) {
	err = s.DB.Read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM unique_keys WHERE kind = ? AND scope = ? AND id = ?)",
		string(key.Kind), key.Scope, key.ID).Scan(&taken)
	return taken, db.Wrap(doing, err)
}
