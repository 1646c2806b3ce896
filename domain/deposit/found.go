package deposit

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Find judges an observed transaction that nobody claimed, by the rules of a claim by
// its sender. It is the deposit of the one wallet that signed and paid it. Without such
// a wallet it goes to review if money arrived, and is rejected otherwise.
func Find(obs Observation, terms token.Terms, treasury Treasury) Verdict {
	verdict := Judge(obs, "", terms, treasury)
	if verdict.Sender != "" {
		return Judge(obs, verdict.Sender, terms, treasury)
	}
	if verdict.Status != Rejected || verdict.Reason == TreasurySigned || verdict.Reason == BeforeWatch {
		return verdict
	}
	switch amount, reason := Arrived(obs, terms, treasury); {
	case reason == AmountTooLarge:
		return Verdict{Status: Review, Reason: AmountTooLarge}
	case reason == NoReason && terms.Program == token.System && receivedSOL(obs, treasury) == 0:
		return Verdict{Status: Review, Reason: WrappedSOL, Amount: amount}
	case reason == NoReason:
		return Verdict{Status: Review, Reason: NoSender, Amount: amount}
	}
	return verdict
}

// Arrived returns the amount of the token that the treasury received by a finalized
// transaction from any sender: what an admin may credit. For SOL it is the sum of
// lamports and wrapped SOL. The amount is 0 when there is a reason.
func Arrived(obs Observation, terms token.Terms, treasury Treasury) (money.Amount, Reason) {
	switch {
	case !obs.Found || !obs.Finalized:
		return 0, NotFound
	case obs.Failed:
		return 0, TransactionFailed
	case slices.Contains(obs.Signers, treasury.Owner):
		return 0, TreasurySigned
	}
	lamports := uint64(0)
	if terms.Program == token.System {
		lamports = receivedSOL(obs, treasury)
		terms = token.Terms{Mint: money.SOL, Program: token.SPL, Decimals: 9}
		treasury.TokenAccount = treasury.WrappedSOL
	}
	credit, reason := receivedToken(obs, terms, treasury)
	if credit == 0 && lamports == 0 {
		return 0, reason
	}
	amount, fits := money.TotalOfProduct(credit, 1).Add(money.TotalOfProduct(lamports, 1)).Amount()
	if !fits {
		return 0, AmountTooLarge
	}
	return amount, NoReason
}

// WatchProgress is the progress of a token's watcher along the chain.
type WatchProgress struct {
	Cursor string // the chain adapter's own text
	// After is the slot when the watch began. Money that arrived up to it is the operator's
	// own.
	After uint64
}

// Parked is a transaction that a watcher found and did not credit.
type Parked struct {
	Ref
	// Status is Pending while it is retried, Review when an admin must decide, Rejected
	// when money arrived but it is no deposit.
	Status Status
	Reason Reason
	// Amount is the amount that arrived and isn't booked, 0 while unknown.
	Amount money.Amount
	// Tries counts the checks.
	Tries   int
	FoundAt time.Time
	// NextAt is the time of the next try, while Pending.
	NextAt time.Time
}

// The times between two tries of a parked transaction.
const (
	RetryFirst = 5 * time.Second
	RetryLast  = time.Hour
)

// Retry returns the transaction after a try without a decision: the wait before the next
// one doubles, up to RetryLast.
func (p Parked) Retry(reason Reason, now time.Time) Parked {
	wait := RetryFirst << min(p.Tries, 16)
	p.Status, p.Reason, p.Amount = Pending, reason, 0
	p.Tries++
	p.NextAt = now.Add(min(wait, RetryLast))
	return p
}

// Close returns the transaction with its final status: Review or Rejected.
func (p Parked) Close(status Status, reason Reason, amount money.Amount) Parked {
	p.Status, p.Reason, p.Amount, p.NextAt = status, reason, amount, time.Time{}
	return p
}

// CheckCapital returns nil if a finalized transaction paid exactly the amount of the token
// into the treasury, from whomever. Otherwise it returns InvalidState with
// Details["reason"], or AmountOutOfRange with the amount received.
func CheckCapital(obs Observation, terms token.Terms, treasury Treasury, amount money.Amount) error {
	arrived, reason := Arrived(obs, terms, treasury)
	switch {
	case obs.Found && !obs.Finalized:
		return fault.New(fault.InvalidState, "the transaction is not final yet").With("status", string(Pending))
	case obs.Incomplete:
		reason = Unreadable
	}
	if reason != NoReason {
		return fault.New(fault.InvalidState, "the transaction paid no capital of this token: %s", reason.Describe()).
			With("status", string(Rejected)).With("reason", string(reason))
	}
	if arrived != amount {
		return fault.New(fault.AmountOutOfRange, "the transaction brought %d, not %d", arrived, amount).
			With("field", "amount").With("received", int64(arrived))
	}
	return nil
}
