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
	Transaction  []byte // the signed bytes to send
	Blockhash    string
	// LastValidHeight is the last block height at which the transaction can land.
	LastValidHeight uint64
	// Slot is the slot of the blockhash: a node that no longer keeps blocks from there on
	// can't prove that the transaction never landed.
	Slot      uint64
	CreatedAt time.Time
	// Seal proves that the service itself signed it, see Sealed.
	Seal string
}

// Cost is a landed payout transaction's cost to the treasury besides the amount, in
// lamports.
type Cost struct {
	Fee  money.Amount // network fee, priority fee included
	Rent money.Amount // deposits for accounts it created
}

// Transfers books the cost: fees → chain, in SOL. It returns nil if there is no cost.
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
	// Landed: in a block that isn't finalized yet; wait.
	Landed
	// Finalized without an error.
	Finalized
	// Errored: finalized with an error; it cost its fee and moved nothing.
	Errored
	// Dead: it did not land and never can.
	Dead
)

// Outcome is the status of an attempt, with its cost and the reason if it failed.
type Outcome struct {
	Status AttemptStatus
	Cost   Cost   // of Finalized and Errored
	Reason string // of Errored, text for an admin
	// Slot is set for Dead: a finalized slot after which no block can include the attempt.
	// A list of everything up to it would contain the attempt if it had landed.
	Slot uint64
}

// LeaseTime is how long a lease lasts. Signing takes a few seconds, after a renewal; a
// dead worker's withdrawal is free for others after this time.
const LeaseTime = 30 * time.Second

// CapWindow is the period of PayoutCapPerHour.
const CapWindow = time.Hour

// Lease is one worker's right to work on a withdrawal until a moment.
type Lease struct {
	Worker string // empty when there is no lease
	Until  time.Time
}

// Held reports whether a worker has the lease at the moment.
func (l Lease) Held(now time.Time) bool { return l.Worker != "" && now.Before(l.Until) }

// Pause is the switch that stops payouts: while it is on nothing is signed or sent
// again. Transactions already sent may still land.
type Pause struct {
	Paused bool
	// By is the admin who last changed it, empty for the command line and the service
	// itself.
	By     wallet.Address
	Reason string
	At     time.Time // zero when it never changed
}

// PayoutQuery selects the data that a signing commit must see besides the withdrawal.
type PayoutQuery struct {
	WithdrawalID string
	Wallet       wallet.Address
	Token        money.Token
	// Since is the exclusive beginning of the hour for PayoutCapPerHour, for stores without
	// a clock. Other stores count back from their own time, so that a wrong or changed
	// clock doesn't restart the hour.
	Since time.Time
}

// PayoutControls is the state that limits a payout: the pause, the lease of its
// withdrawal, and the amount signed within the hour.
type PayoutControls struct {
	Paused bool
	Lease  Lease
	// Signed is the amount of the token signed in the window, for all players, without
	// attempts proved dead.
	Signed money.Total
	// Index is the end of the treasury index. Landed is the signature of a successful
	// transaction in it with the withdrawal's id, empty if there is none.
	Index  treasury.Position
	Landed string
	// Attempts counts the stored attempts of the withdrawal. Costly is the newest of them
	// with its cost booked, 0 if none: it landed, and moved nothing unless the withdrawal
	// is completed.
	Attempts, Costly int
	// Held is the amount in the withdrawal's hold. Ended reports that its money has left
	// the hold, to the player or to the chain.
	Held  money.Amount
	Ended bool
}

// Unpaid returns nil if the chain shows that the withdrawal, requested at a moment, was
// not paid. Otherwise, also if the index is too old, the fault is InvalidState: unknown
// counts as paid.
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

// Admits returns nil if the worker may sign the amount now. A pause, or a lease that
// expired or belongs to another worker, is a fault of kind InvalidState; an amount above
// a cap is AmountOutOfRange.
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
		// The amount signed isn't in the text, which is stored with the withdrawal and would
		// change every minute.
		return fault.New(fault.AmountOutOfRange, "%d more within this hour is above the cap of %d an hour",
			amount, terms.PayoutCapPerHour).With("limit", HourLimit)
	}
	return nil
}

// MemoPurpose is the purpose of the seals that tags in memos are made from.
const MemoPurpose = "memo"

// Meaning says what a treasury transaction with a withdrawal's id means for it.
type Meaning uint8

// The meanings.
const (
	// Foreign pays something else, or a second time.
	Foreign Meaning = iota
	// Expected is the payment that the ledger awaits or has booked.
	Expected
	// Proof paid the withdrawal, but the ledger lacks it: the database is older than the
	// payment.
	Proof
	// CostOnly landed with an error: it moved nothing but its fee.
	CostOnly
)

// Means returns the meaning of a movement for the withdrawal.
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
