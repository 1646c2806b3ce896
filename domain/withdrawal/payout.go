package withdrawal

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
)

// Attempt is one signed transaction of a withdrawal. It is stored before the
// transaction is sent, so that after a crash the same bytes are sent again.
type Attempt struct {
	WithdrawalID string
	Number       int // from 1, without a gap
	Signature    string
	Transaction  []byte // the signed bytes, as they are sent
	Blockhash    string
	// LastValidHeight is the last block height at which the transaction can land.
	LastValidHeight uint64
	// Slot is the slot at which the blockhash was taken: a node that no longer
	// keeps blocks from there on can't prove that the transaction never landed.
	Slot      uint64
	CreatedAt time.Time
	// Seal proves that the service itself signed it, see Sealed.
	Seal string
}

// Cost is what a landed payout transaction took from the treasury beside the
// amount, in lamports.
type Cost struct {
	Fee  money.Amount // network fee, priority fee included
	Rent money.Amount // deposits for accounts it created
}

// Transfers books the cost: fees → chain, in SOL. None when it cost nothing.
func (c Cost) Transfers() []ledger.Transfer {
	total, ok := c.Fee.Add(c.Rent)
	if !ok || total == 0 {
		return nil
	}
	return []ledger.Transfer{{
		Debit: ledger.System(ledger.Fees), Credit: ledger.System(ledger.Chain), Token: money.SOL, Amount: total,
	}}
}

// AttemptStatus is the state of an attempt on chain.
type AttemptStatus uint8

// The statuses of an attempt. Only Dead allows another signature.
const (
	// Unknown: not landed, not provably dead; send the same bytes again.
	Unknown AttemptStatus = iota
	// Landed: in a block that is not finalized yet; wait.
	Landed
	// Finalized without an error.
	Finalized
	// Errored: finalized with an error; it cost its fee and moved nothing.
	Errored
	// Dead: it did not land and never can.
	Dead
)

// Outcome is the status of an attempt with what it cost and why it failed.
type Outcome struct {
	Status AttemptStatus
	Cost   Cost   // of Finalized and Errored
	Reason string // of Errored, text for an admin
	// Slot is of Dead: a finalized slot after which nothing can include the attempt. What
	// lists everything up to it has the attempt, if it landed after all.
	Slot uint64
}

// LeaseTime is how long a lease lasts. Signing takes a few seconds, and a lease is renewed
// before it; the withdrawal of a worker that died is free for others after this.
const LeaseTime = 30 * time.Second

// CapWindow is the time over which PayoutCapPerHour counts.
const CapWindow = time.Hour

// Lease is one worker's right to work on a withdrawal until a moment.
type Lease struct {
	Worker string // empty when there is no lease
	Until  time.Time
}

// Held reports whether a worker has the lease at the moment.
func (l Lease) Held(now time.Time) bool { return l.Worker != "" && now.Before(l.Until) }

// Pause is the switch that stops payouts: while it is on nothing is signed and
// nothing is sent again. What was sent already may land.
type Pause struct {
	Paused bool
	// By is the admin who changed it last, empty for the command line and the service
	// itself.
	By     wallet.Address
	Reason string
	At     time.Time // zero when it never changed
}

// PayoutQuery asks what a signing commit must see besides the withdrawal.
type PayoutQuery struct {
	WithdrawalID string
	Wallet       wallet.Address
	Token        money.Token
	// Since is where the window of the cap per hour begins, exclusive, for stores without a
	// clock of their own. Every other counts back from its own moment: whose clock is
	// wrong, or was turned, gets no hour anew.
	Since time.Time
}

// PayoutControls is what bounds every payout: the pause, the lease of its withdrawal,
// and what was signed within the hour.
type PayoutControls struct {
	Paused bool
	Lease  Lease
	// Signed is how much of the token was signed in the window, over all players;
	// attempts that were proved dead are left out.
	Signed money.Total
	// Index is how far the index of what the treasury signed reaches, and Landed the
	// signature of a payment in it that carries the withdrawal's id; empty when it has
	// none that succeeded.
	Index  treasury.Position
	Landed string
	// Attempts is how many attempts of the withdrawal are stored, Costly the newest of
	// them whose cost was booked, 0 for none: it landed, and moved nothing unless the
	// withdrawal is completed.
	Attempts, Costly int
	// Held is what the withdrawal's hold has, Ended that its money has left the hold once,
	// to the player or to the chain.
	Held  money.Amount
	Ended bool
}

// Unpaid returns nil when the chain shows that the withdrawal, requested at a moment, was
// not paid. Everything else, an index that is too old included, is a fault of kind
// InvalidState: what isn't known counts as paid.
func (d PayoutControls) Unpaid(requested, now time.Time) error {
	if d.Landed != "" {
		return fault.New(fault.InvalidState, "transaction %s has paid this withdrawal", d.Landed).With("status", treasury.LandedStatus)
	}
	return d.Index.Covers(requested, now)
}

// Reasons why a payout is not signed now, in Details["status"] of InvalidState
// and Details["limit"] of AmountOutOfRange.
const (
	PausedStatus = "paused"
	LeasedStatus = "leased"
	CapLimit     = "payoutCap"
	HourLimit    = "payoutCapPerHour"
)

// Admits returns nil when the worker may sign the amount now. A pause, and a
// lease that another worker has or that ran out, are faults of kind
// InvalidState; an amount above what may be signed is AmountOutOfRange.
func (d PayoutControls) Admits(worker string, terms token.Terms, amount money.Amount, now time.Time) error {
	switch {
	case d.Paused:
		return fault.New(fault.InvalidState, "payouts are paused").With("status", PausedStatus)
	case d.Lease.Worker != worker || !d.Lease.Held(now):
		return fault.New(fault.InvalidState, "the withdrawal is leased by another worker").With("status", LeasedStatus)
	case amount > terms.PayoutCap:
		return fault.New(fault.AmountOutOfRange, "the payout of %d is above the cap of %d a payout", amount, terms.PayoutCap).
			With("limit", CapLimit)
	case d.Signed.AddAmount(amount).Cmp(money.TotalOf(terms.PayoutCapPerHour)) > 0:
		// What was signed isn't named: the text is kept with the withdrawal, and would change by the minute.
		return fault.New(fault.AmountOutOfRange, "%d more within this hour is above the cap of %d an hour",
			amount, terms.PayoutCapPerHour).With("limit", HourLimit)
	}
	return nil
}

// MemoPurpose is what the tags in memos are sealed for.
const MemoPurpose = "memo"

// Meaning is what a transaction of the treasury's is to the withdrawal whose id it
// carries.
type Meaning uint8

// The meanings.
const (
	// Foreign pays something else, or a second time.
	Foreign Meaning = iota
	// Expected is the payment that the books wait for or have booked.
	Expected
	// Proof has paid the withdrawal, and the books don't know it: they are older than the
	// payment.
	Proof
	// CostOnly landed with an error: it moved nothing but its fee.
	CostOnly
)

// Means says what a movement that carries the withdrawal's id is to it.
func (w Withdrawal) Means(m treasury.Movement) Meaning {
	_, open := w.Status.Next(Prove)
	switch {
	case m.WithdrawalID != w.ID:
		return Foreign
	case m.Failed:
		return CostOnly
	case !m.Pays(w.Token, w.Amount, w.Destination):
		return Foreign
	case m.Signature == w.Signature && (w.Status == Sending || w.Status == Completed):
		return Expected
	case open:
		return Proof
	}
	return Foreign
}
