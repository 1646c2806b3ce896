package rows

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Attempt is a signed transaction that pays a withdrawal.
type Attempt struct {
	withdrawal.Attempt
	wallet wallet.Address
	// storedAt is when it was stored by the database's clock.
	storedAt time.Time
	dead     bool

	token  money.Token // of the withdrawal
	amount money.Amount
}

// Attempts are the signed transactions of all payouts.
var Attempts = table("payout_attempts", "a",
	ofWallet("wallet", func(a *Attempt) *wallet.Address { return &a.wallet }),
	text("withdrawal_id", func(a *Attempt) *string { return &a.WithdrawalID }),
	integer("number", func(a *Attempt) *int { return &a.Number }),
	text("signature", func(a *Attempt) *string { return &a.Signature }),
	bytes("bytes", func(a *Attempt) *[]byte { return &a.Transaction }),
	text("blockhash", func(a *Attempt) *string { return &a.Blockhash }),
	bits("last_valid_height", func(a *Attempt) *uint64 { return &a.LastValidHeight }),
	bits("slot", func(a *Attempt) *uint64 { return &a.Slot }),
	moment("created_at", func(a *Attempt) *time.Time { return &a.CreatedAt }),
	moment("stored_at", func(a *Attempt) *time.Time { return &a.storedAt }),
	boolean("dead", func(a *Attempt) *bool { return &a.dead }),
	text("seal", func(a *Attempt) *string { return &a.Seal }),
)

var (
	addAttempts  = Attempts.insert("")
	buryAttempts = db.Change(`UPDATE payout_attempts SET dead = TRUE FROM {sent} AS s
		WHERE payout_attempts.wallet = s.wallet AND payout_attempts.withdrawal_id = s.withdrawal_id AND payout_attempts.number = s.number
		AND NOT payout_attempts.dead`, "wallet:uuid", "withdrawal_id", "number:int")
)

// Covered is what blocks cover of it.
func (a Attempt) Covered() event.Event { return a.Attempt.Covered(a.wallet) }

// CoveredDead is what blocks cover of it once it was found dead; false while it wasn't.
func (a Attempt) CoveredDead() (event.Event, bool) {
	return withdrawal.CoveredDead(a.WithdrawalID, a.Number, a.wallet), a.dead
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

func (k attemptKey) compare(other attemptKey) int {
	return cmp.Or(cmp.Compare(k.withdrawal, other.withdrawal), cmp.Compare(k.number, other.number))
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
			Attempt: *a, wallet: w.Wallet, storedAt: b.Now, token: w.Token, amount: w.Amount,
		})
	}
	if s.Change.DeadAttempt != 0 {
		put(&o.dead, attemptKey{w.ID, s.Change.DeadAttempt}, w.Wallet)
	}
}

func (o *attempts) write(b *Batch) error {
	var fresh, buried [][]any
	var once once
	for _, key := range slices.SortedFunc(maps.Keys(o.signed), attemptKey.compare) {
		a := o.signed[key]
		a.dead = has(o.dead, key)
		fresh = append(fresh, addAttempts.row(&a))
		once.add(onceSignature, a.Signature)
	}
	for _, key := range slices.SortedFunc(maps.Keys(o.dead), attemptKey.compare) {
		if _, isNew := o.signed[key]; !isNew {
			buried = append(buried, []any{WalletKey(o.dead[key]), key.withdrawal, key.number})
		}
	}
	b.Write("write payout attempts", addAttempts.query, fresh)
	once.write(b)
	b.Write("bury payout attempts", buryAttempts, buried)
	return nil
}
