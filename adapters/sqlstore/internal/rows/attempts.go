package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Attempt is a signed transaction that pays a withdrawal.
type Attempt struct {
	bun.BaseModel `bun:"table:payout_attempts,alias:a"`
	attemptColumns
	Wallet wallet.Address `bun:",type:uuid"`
	// StoredAt is when it was stored by the database's clock.
	StoredAt time.Time
	Dead     bool

	token  money.Token // of the withdrawal
	amount money.Amount
}

// attemptColumns are those of a withdrawal.Attempt.
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

// Signed is the attempt itself.
func (a Attempt) Signed() withdrawal.Attempt { return withdrawal.Attempt(a.attemptColumns) }

// Attempts are the signed transactions of all payouts.
var Attempts = modelOf[Attempt, Attempt]()

var (
	addAttempts  = Attempts.insert("")
	buryAttempts = db.Change(`UPDATE payout_attempts SET dead = TRUE FROM {sent} AS s
		WHERE payout_attempts.wallet = s.wallet AND payout_attempts.withdrawal_id = s.withdrawal_id AND payout_attempts.number = s.number
		AND NOT payout_attempts.dead`, "wallet:uuid", "withdrawal_id", "number:int")
)

// Covered is what blocks cover of it.
func (a Attempt) Covered() event.Event { return a.Signed().Covered(a.Wallet) }

// CoveredDead is what blocks cover of it once it was found dead; false while it wasn't.
func (a Attempt) CoveredDead() (event.Event, bool) {
	return withdrawal.CoveredDead(a.WithdrawalID, a.Number, a.Wallet), a.Dead
}

// attempts are those that the batch signs, and that it finds dead.
type attempts struct {
	plain
	signed map[attemptKey]Attempt
	dead   map[attemptKey]wallet.Address // whose they are
}

// attemptKey names a payout attempt.
type attemptKey struct {
	withdrawal string
	number     int
}

// show is the payout controls as an item sees them, after what items before it in the batch
// signed.
func (o *attempts) show(b *Batch, item *player.Item, whole *player.View) {
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

// stage notes an attempt, which comes with its withdrawal.
func (o *attempts) stage(b *Batch, s *Step) {
	w := s.Change.Withdrawal
	if w == nil {
		return
	}
	if a := s.Change.Attempt; a != nil {
		put(&o.signed, attemptKey{a.WithdrawalID, a.Number}, Attempt{
			attemptColumns: attemptColumns(*a), Wallet: w.Wallet, StoredAt: b.Now, token: w.Token, amount: w.Amount,
		})
	}
	if s.Change.DeadAttempt != 0 {
		put(&o.dead, attemptKey{w.ID, s.Change.DeadAttempt}, w.Wallet)
	}
}

func (o *attempts) write(b *Batch) error {
	var fresh, buried [][]any
	var once once
	for key, a := range o.signed {
		a.Dead = has(o.dead, key)
		fresh = append(fresh, addAttempts.row(&a))
		once.add(onceSignature, a.Signature)
	}
	for key, of := range o.dead {
		if _, isNew := o.signed[key]; !isNew {
			buried = append(buried, []any{WalletKey(of), key.withdrawal, int64(key.number)})
		}
	}
	b.WriteSorted("write payout attempts", addAttempts.query, fresh)
	once.write(b)
	b.WriteSorted("bury payout attempts", buryAttempts, buried)
	return nil
}
