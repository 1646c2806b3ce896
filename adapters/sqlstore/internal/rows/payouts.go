package rows

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PauseRow is the one row of payout_pause.
type PauseRow struct {
	bun.BaseModel `bun:"table:payout_pause,alias:s"`
	ID            single `bun:",pk"`
	Pause         struct {
		Paused bool
		By     wallet.Address `bun:"actor"`
		Reason string
		At     time.Time
	} `bun:"embed:"`
}

// Pauses is the switch of payouts.
var Pauses = modelOf[PauseRow, withdrawal.Pause]()

// ReadPause reads the switch of payouts.
func ReadPause(ctx context.Context, from bun.IDB) (withdrawal.Pause, error) {
	var row PauseRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	return withdrawal.Pause(row.Pause), db.Wrap("read the switch of payouts", err)
}

// HalfBits splits amounts for summing: neither half of any number of them that
// an hour can hold overflows a sum.
const HalfBits = 1 << 32

// SumOfHalves is the sum of what was split.
func SumOfHalves(high, low int64) money.Total {
	return money.TotalOfProduct(uint64(high), HalfBits).Add(money.TotalOfInt(low))
}

// ReadPayoutState reads what a commit that signs a payout must see, now by the database's
// clock.
func ReadPayoutState(ctx context.Context, d db.Dialect, from bun.IDB, q withdrawal.PayoutQuery, now time.Time) (withdrawal.PayoutControls, error) {
	pause, err := ReadPause(ctx, from)
	if err != nil {
		return withdrawal.PayoutControls{}, err
	}
	controls := withdrawal.PayoutControls{Paused: pause.Paused}
	var lease PayoutLease
	if _, err := db.Found(from.NewSelect().Model(&lease).Where("l.withdrawal_id = ?", q.WithdrawalID).Scan(ctx)); err != nil {
		return withdrawal.PayoutControls{}, db.Wrap("read the lease of a payout", err)
	}
	controls.Lease.Worker, controls.Lease.Until = lease.Worker, lease.Until
	var high, low int64
	err = from.QueryRowContext(ctx, `SELECT coalesce(sum(t.amount / ?), 0), coalesce(sum(t.amount % ?), 0)
		FROM payout_attempts AS a JOIN transactions AS t ON t.wallet = a.wallet AND t.id = a.withdrawal_id
		WHERE a.stored_at > ? AND NOT a.dead AND t.token = ?`, HalfBits, HalfBits, db.Micros(now.Add(-withdrawal.CapWindow)), string(q.Token)).
		Scan(&high, &low)
	if err != nil {
		return withdrawal.PayoutControls{}, db.Wrap("sum what was signed", err)
	}
	controls.Signed = SumOfHalves(high, low)
	if controls.Index, err = ReadIndexPosition(ctx, from); err != nil {
		return withdrawal.PayoutControls{}, err
	}
	if controls.Landed, err = readLanded(ctx, from, q.WithdrawalID); err != nil {
		return withdrawal.PayoutControls{}, err
	}
	// An attempt that cost something landed, whatever its own row says.
	err = from.QueryRowContext(ctx, `SELECT count(*), coalesce(max(CASE WHEN EXISTS (SELECT 1 FROM transfers AS t
			WHERE t.id = a.signature AND t.kind = 'payout_fee' AND t.scope = '') THEN a.number END), 0)
		FROM payout_attempts AS a WHERE a.withdrawal_id = ?`, q.WithdrawalID).Scan(&controls.Attempts, &controls.Costly)
	if err != nil {
		return controls, db.Wrap("count payout attempts", err)
	}
	err = from.QueryRowContext(ctx, `SELECT (SELECT coalesce(sum(b.amount), 0) FROM balances AS b
			WHERE b.wallet = ? AND b.kind = 'hold' AND b.hold = ? AND b.token = ?),
		EXISTS (SELECT 1 FROM transfers AS t WHERE t.id = ? AND t.kind IN ('refund', 'payout') AND t.scope = '')`,
		d.ID(WalletKey(q.Wallet)), q.WithdrawalID, string(q.Token), q.WithdrawalID).Scan(&controls.Held, &controls.Ended)
	return controls, db.Wrap("read what is held for a payout", err)
}
