// Package payouts stores how withdrawals are paid: attempts, leases, the payout switch, and the
// treasury's transactions.
package payouts

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.PayoutQueue, ports.PayoutControls and the ports of the treasury.
type Store struct{ *change.Changes }

// PayoutsGuard is locked by every transaction that signs a payout, leases one, or changes the
// switch. A batch locks it after its wallets and claims and before its lane.
const PayoutsGuard = "payouts"

// PauseRow is the one row of payout_pause.
type PauseRow struct {
	bun.BaseModel `bun:"table:payout_pause,alias:s"`
	ID            table.Single `bun:",pk"`
	Pause         struct {
		Paused bool
		By     wallet.Address `bun:"actor"`
		Reason string
		At     time.Time
	} `bun:"embed:"`
}

// Pauses is the model of the payout switch.
var Pauses = table.ModelOf[PauseRow, withdrawal.Pause]()

// ReadPause reads the payout switch.
func ReadPause(ctx context.Context, from bun.IDB) (withdrawal.Pause, error) {
	var row PauseRow
	_, err := db.Found(from.NewSelect().Model(&row).Scan(ctx))
	return withdrawal.Pause(row.Pause), db.Wrap("read the switch of payouts", err)
}

// ReadPayoutState reads what a commit that signs a payout must check; now is the database's time.
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
		WHERE a.stored_at > ? AND NOT a.dead AND t.token = ?`, table.HalfBits, table.HalfBits, db.Micros(now.Add(-withdrawal.CapWindow)), string(q.Token)).
		Scan(&high, &low)
	if err != nil {
		return withdrawal.PayoutControls{}, db.Wrap("sum what was signed", err)
	}
	controls.Signed = table.SumOfHalves(high, low)
	if controls.Index, err = ReadIndexPosition(ctx, from); err != nil {
		return withdrawal.PayoutControls{}, err
	}
	if controls.Landed, err = readLanded(ctx, from, q.WithdrawalID); err != nil {
		return withdrawal.PayoutControls{}, err
	}
	// An attempt with a booked cost landed, whatever its row says.
	owner := d.ID(table.WalletKey(q.Wallet))
	err = from.QueryRowContext(ctx, `SELECT count(*), coalesce(max(CASE WHEN EXISTS (SELECT 1 FROM transfers AS t
			WHERE t.id = a.signature AND t.kind = 'payout_fee' AND t.scope = '' AND t.wallet = ?) THEN a.number END), 0)
		FROM payout_attempts AS a WHERE a.withdrawal_id = ? AND a.wallet = ?`, owner, q.WithdrawalID, owner).Scan(&controls.Attempts, &controls.Costly)
	if err != nil {
		return controls, db.Wrap("count payout attempts", err)
	}
	err = from.QueryRowContext(ctx, `SELECT (SELECT coalesce(sum(b.amount), 0) FROM balances AS b
			WHERE b.wallet = ? AND b.kind = 'hold' AND b.hold = ? AND b.token = ?),
		EXISTS (SELECT 1 FROM transfers AS t WHERE t.id = ? AND t.kind IN ('refund', 'payout') AND t.scope = '' AND t.wallet = ?)`,
		owner, q.WithdrawalID, string(q.Token), q.WithdrawalID, owner).Scan(&controls.Held, &controls.Ended)
	return controls, db.Wrap("read the holds of a payout", err)
}

// PayoutLease is a row of payout_leases: the worker who pays a withdrawal.
type PayoutLease struct {
	bun.BaseModel `bun:"table:payout_leases,alias:l"`
	WithdrawalID  string `bun:",pk"`
	Worker        string
	Until         time.Time
}

// PayoutState implements ports.PayoutQueue.
func (s *Store) PayoutState(ctx context.Context, q withdrawal.PayoutQuery) (withdrawal.PayoutControls, error) {
	now, err := s.StoreTime(ctx)
	if err != nil {
		return withdrawal.PayoutControls{}, err
	}
	return ReadPayoutState(ctx, s.DB.Dialect, s.DB.Read, q, now)
}

// Pause implements ports.PayoutControls.
func (s *Store) Pause(ctx context.Context) (withdrawal.Pause, error) {
	return ReadPause(ctx, s.DB.Read)
}

// Attempt implements ports.Withdrawals.
func (s *Store) Attempt(ctx context.Context, withdrawalID string) (withdrawal.Attempt, error) {
	a, err := read.From(s.Reads, Attempts).Where("a.withdrawal_id = ?", withdrawalID).Order("a.number DESC").
		One(ctx, "read payout attempt", fault.New(fault.NotFound, "withdrawal %q has no signed transaction", withdrawalID))
	return a.Signed(), err
}

// Lease implements ports.PayoutQueue.
func (s *Store) Lease(ctx context.Context, id, worker string, now, until time.Time) (given bool, err error) {
	err = s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		leased, err := change.RowsChanged(tx.NewInsert().Model(&PayoutLease{WithdrawalID: id, Worker: worker, Until: until}).
			On("CONFLICT (withdrawal_id) DO UPDATE").Set(table.Excluded("worker", "until")).
			Where("l.worker = EXCLUDED.worker OR l.until <= ?", db.Micros(now)).Exec(ctx))
		given = leased == 1
		return db.Wrap("lease a payout", err)
	})
	return given && err == nil, err
}

// Release implements ports.PayoutQueue.
func (s *Store) Release(ctx context.Context, id, worker string) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model((*PayoutLease)(nil)).Where("withdrawal_id = ? AND worker = ?", id, worker).Exec(ctx)
		return db.Wrap("release a payout", err)
	})
}

// ChangePause implements ports.PayoutControls.
func (s *Store) ChangePause(ctx context.Context, decide ports.PauseDecision) error {
	return s.Run(ctx, PayoutsGuard, func(ctx context.Context, tx bun.Tx) error {
		now, err := ReadPause(ctx, tx)
		if err != nil {
			return err
		}
		next, record, err := decide(now)
		if err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(Pauses.Row(&next)).On("CONFLICT (id) DO UPDATE").Exec(ctx)
		if err != nil {
			return db.Wrap("turn the switch of payouts", err)
		}
		return s.Seal(ctx, tx, record)
	})
}

// Attempt is a signed transaction that pays a withdrawal.
type Attempt struct {
	bun.BaseModel `bun:"table:payout_attempts,alias:a"`
	attemptColumns
	Wallet wallet.Address `bun:",type:uuid"`
	// StoredAt is when it was stored, by the database's clock.
	StoredAt time.Time
	Dead     bool

	token  money.Token // of the withdrawal
	amount money.Amount
}

// attemptColumns are the columns of a withdrawal.Attempt.
type attemptColumns struct {
	WithdrawalID    string
	Number          int
	Signature       string
	Transaction     []byte `bun:"bytes"`
	Blockhash       string
	LastValidHeight uint64
	Slot            uint64
	CreatedAt       time.Time
	Seal            string
}

// Signed returns the attempt itself.
func (a Attempt) Signed() withdrawal.Attempt { return withdrawal.Attempt(a.attemptColumns) }

// Attempts is the model of the signed transactions of all payouts.
var Attempts = table.ModelOf[Attempt, Attempt]()

var (
	addAttempts  = Attempts.Insert("")
	buryAttempts = db.Change(`UPDATE payout_attempts SET dead = TRUE FROM {sent} AS s
		WHERE payout_attempts.wallet = s.wallet AND payout_attempts.withdrawal_id = s.withdrawal_id AND payout_attempts.number = s.number
		AND NOT payout_attempts.dead`, "wallet:uuid", "withdrawal_id", "number:int")
)

// Covered returns the event that blocks cover for it.
func (a Attempt) Covered() event.Event { return a.Signed().Covered(a.Wallet) }

// CoveredDead returns the event that blocks cover once it is dead, and false before.
func (a Attempt) CoveredDead() (event.Event, bool) {
	return withdrawal.CoveredDead(a.WithdrawalID, a.Number, a.Wallet), a.Dead
}

// AttemptPart writes the attempts that the batch signs or declares dead.
type AttemptPart struct {
	batch.NoPart
	signed map[attemptKey]Attempt
	dead   map[attemptKey]wallet.Address // with their wallets
}

// attemptKey identifies a payout attempt.
type attemptKey struct {
	withdrawal string
	number     int
}

// Show adds the payout controls, including what earlier items of the batch signed.
func (o *AttemptPart) Show(b *batch.Batch, item *player.Item, whole *player.View) {
	q := item.Needs.Payouts
	whole.Payouts = b.Payouts[q.WithdrawalID]
	for _, a := range o.signed {
		if a.token == q.Token {
			whole.Payouts.Signed = whole.Payouts.Signed.AddAmount(a.amount)
		}
		if a.WithdrawalID == q.WithdrawalID {
			whole.Payouts.Attempts++
		}
	}
}

// Stage records an attempt, which comes with its withdrawal.
func (o *AttemptPart) Stage(b *batch.Batch, s *batch.Step) {
	w := s.Change.Withdrawal
	if w == nil {
		return
	}
	if a := s.Change.Attempt; a != nil {
		batch.Put(&o.signed, attemptKey{a.WithdrawalID, a.Number}, Attempt{
			attemptColumns: attemptColumns(*a), Wallet: w.Wallet, StoredAt: b.Now, token: w.Token, amount: w.Amount,
		})
	}
	if s.Change.DeadAttempt != 0 {
		batch.Put(&o.dead, attemptKey{w.ID, s.Change.DeadAttempt}, w.Wallet)
	}
}

func (o *AttemptPart) Write(b *batch.Batch) error {
	var fresh, buried [][]any
	var once batch.Once
	for key, a := range o.signed {
		a.Dead = batch.Has(o.dead, key)
		fresh = append(fresh, addAttempts.Row(&a))
		once.Add(batch.OnceSignature, a.Signature)
	}
	for key, of := range o.dead {
		if _, isNew := o.signed[key]; !isNew {
			buried = append(buried, []any{table.WalletKey(of), key.withdrawal, int64(key.number)})
		}
	}
	b.WriteSorted("write payout attempts", addAttempts.Query, fresh)
	once.Write(b)
	b.WriteSorted("bury payout attempts", buryAttempts, buried)
	return nil
}
