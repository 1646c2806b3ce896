package player

import (
	"strings"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// A correction reverses an entry that an admin booked: an adjustment, an assignment of
// unclaimed money or a booking of capital. It is one posting with the transfers of the
// original in the other direction, under ledger.Key.Correction. Its item takes the only
// CorrectionKey of the original, which stays as it is. Two persons decide, and the second is
// neither the one who booked the entry nor anyone whose money moves.

// corrections maps the kinds of adjustment that can be corrected to their corrections.
var corrections = map[AdjustmentKind]AdjustmentKind{Manual: ManualCorrection, Assigned: AssignmentCorrection}

// Correction returns the kind of adjustment that reverses this kind, false if it can't be
// reversed.
func (k AdjustmentKind) Correction() (AdjustmentKind, bool) {
	correction, ok := corrections[k]
	return correction, ok
}

// Corrects returns the kind of adjustment that this kind reverses, false if it reverses
// none.
func (k AdjustmentKind) Corrects() (AdjustmentKind, bool) {
	for original, correction := range corrections {
		if correction == k {
			return original, true
		}
	}
	return 0, false
}

// IsCorrection reports whether adjustments of the kind reverse others.
func (k AdjustmentKind) IsCorrection() bool {
	_, corrects := k.Corrects()
	return corrects
}

// CorrectionKeyOf returns the unique key of a posting's correction.
func CorrectionKeyOf(k ledger.Key) UniqueKey {
	return UniqueKey{Kind: CorrectionKey, Scope: string(k.Kind) + "/" + k.Scope, ID: k.ID}
}

// TakenKey returns the key of the posting that took an assignment's money from its sender.
func (a Adjustment) TakenKey() ledger.Key {
	assignment := Assignment{Adjustment: a, Sender: wallet.Address(a.Reference)}
	return assignment.takeKey()
}

// LedgerKey returns the key of the adjustment's posting.
func (a Adjustment) LedgerKey() ledger.Key { return a.ledgerKey() }

// Correction holds the ids of a reversal.
type Correction struct {
	ID        string
	AuditID   string
	RequestID string
}

// CorrectionRequest returns the approval request for reversing the adjustment.
func (a Adjustment) CorrectionRequest(reason string) approval.Request {
	return approval.Request{
		Kind: approval.Correction, Wallet: a.Wallet, Token: a.Token, Amount: -a.Amount, Reference: a.ID, Reason: reason,
	}
}

// CorrectAdjustment reverses an adjustment as requested. The money of an assignment moves to
// the account of assignments; ReturnAssigned moves it on to its sender. Its view needs the
// roles of both admins and the balance. Refusals in this order: InvalidState for a
// correction, Forbidden for the wrong persons, AmountOutOfRange or InsufficientFunds.
func CorrectAdjustment(v View, original Adjustment, asked approval.Approval, c Correction) (Change, error) {
	kind, ok := original.Kind.Correction()
	if !ok {
		return Change{}, fault.New(fault.InvalidState, "a correction can't be corrected").With("status", original.Kind.String())
	}
	others := []wallet.Address{original.Wallet}
	if original.Kind == Assigned {
		others = append(others, wallet.Address(original.Reference))
	}
	if err := v.mayCorrect(asked, original.By, original.Kind == Assigned, others); err != nil {
		return Change{}, err
	}
	change, err := v.bookAdjustment(Adjustment{
		ID: c.ID, Kind: kind, Wallet: original.Wallet, Token: original.Token, Amount: -original.Amount, Reason: asked.Reason,
		By: asked.By, At: asked.DecidedAt, Reference: original.ID,
	}, c.AuditID, c.RequestID)
	if err != nil {
		return Change{}, err
	}
	change.Audit[0].After += ", corrects " + original.ID + ", reason " + asked.Reason
	if original.Kind == Assigned {
		change.Player = v.withMeters(v.Player.Protection.RemoveDeposit(original.Token, money.Amount(original.Amount), original.At, asked.DecidedAt))
	}
	if original.Amount < 0 {
		change.Votes = v.creditVotes(c.ID, original.Wallet, original.Token, money.Amount(-original.Amount), asked.DecidedAt, asked.By, asked.DecidedBy)
	}
	return change, nil
}

// mayCorrect refuses an admin whose own money moves, a second person who booked the entry
// and, for money of the whole casino, admins of an agent. A request that isn't decided has
// no second person yet.
func (v View) mayCorrect(asked approval.Approval, booked wallet.Address, ofCasino bool, others []wallet.Address) error {
	if asked.DecidedBy != "" && asked.DecidedBy == booked {
		return fault.New(fault.Forbidden, "the admin who booked the entry can't approve its correction")
	}
	for _, admin := range [...]wallet.Address{asked.By, asked.DecidedBy} {
		if admin == "" {
			continue
		}
		if ofCasino && v.Roles[admin].AgentCode != "" {
			return fault.New(fault.Forbidden, "an agent's own admins can't correct this entry")
		}
		for _, other := range others {
			if admin == other {
				return fault.New(fault.Forbidden, "admins can't correct entries about their own money")
			}
		}
	}
	return nil
}

// ReturnAssigned moves the money of a corrected assignment back to its sender: assigned →
// unclaimed, and on to the balance if the sender has signed in since. Its view needs
// Unclaimed and the balance.
func ReturnAssigned(v View, original Adjustment, by wallet.Address, at time.Time, c Correction) (Change, error) {
	assignment := Assignment{Adjustment: original, Sender: v.Player.Wallet}
	taken := ledger.Posting{Key: original.TakenKey(), Transfers: []ledger.Transfer{assignment.takeTransfer()}}
	return v.returnToSender(taken.Reversed(string(v.Player.Wallet)), at, audit.Record{
		ID: c.AuditID, Action: audit.AssignmentCorrected, By: by, Target: string(v.Player.Wallet),
		After: amountOf(money.Amount(original.Amount), original.Token) + " returned, corrects " + original.ID, At: at, RequestID: c.RequestID,
	})
}

// returnToSender books the reversal of a posting that took money from the view's wallet
// before it signed in; its id is the wallet, by which proofs of balances find it. If the
// wallet has signed in since, the money goes on to its balance,
// as deposits of players do.
func (v View) returnToSender(reversal ledger.Posting, at time.Time, record audit.Record) (Change, error) {
	t, before := reversal.Transfers[0], v.Unclaimed
	if v.Player.Known() {
		before = v.Balances
		reversal.Transfers = append(reversal.Transfers, ledger.Transfer{
			Debit: t.Credit, Credit: ledger.PlayerOf(v.Player.Wallet), Token: t.Token, Amount: t.Amount,
		})
	}
	after, ok := before[t.Token].Add(t.Amount)
	if !ok {
		return Change{}, fault.New(fault.AmountOutOfRange, "amount: the balance would exceed the largest possible amount").With("field", "amount")
	}
	change := Change{Postings: []ledger.Posting{reversal}, Audit: []audit.Record{record}}
	if v.Player.Known() {
		change.Balance = after
		change.Player = v.withMeters(v.Player.Protection.AddDeposit(t.Token, t.Amount, at))
	}
	return change, nil
}

// CapitalCorrectionRequest returns the approval request for reversing a booking of capital.
// The request concerns the wallet with the deposit that was booked as capital, if there is
// one.
func CapitalCorrectionRequest(booked ledger.Posting, reason string) approval.Request {
	t := booked.Transfers[0]
	r := approval.Request{
		Kind: approval.CapitalCorrection, Token: t.Token, Amount: -int64(t.Amount), Reference: capitalName(booked.Key), Reason: reason,
	}
	if t.Debit.Kind == ledger.Unclaimed {
		r.Wallet = wallet.Address(t.Debit.Owner)
	}
	return r
}

// CorrectCapital reverses a booking of capital: capital → chain or, if it was a wallet's
// deposit, capital → unclaimed, and the deposit is credited again. Its item has the wallet
// of the request; its view needs the roles of both admins and, with a wallet, Unclaimed, the
// balance and the deposit of CapitalDeposit. It refuses the wrong persons with Forbidden.
func CorrectCapital(v View, booked ledger.Posting, asked approval.Approval, c Correction) (Change, error) {
	if err := v.mayCorrect(asked, "", true, []wallet.Address{asked.Wallet}); err != nil {
		return Change{}, err
	}
	reversal, t := booked.Reversed(c.ID), booked.Transfers[0]
	if asked.Wallet != "" {
		reversal = booked.Reversed(string(asked.Wallet))
	}
	record := audit.Record{
		ID: c.AuditID, Action: audit.CapitalCorrected, By: asked.By, Target: booked.Key.ID, Before: amountOf(t.Amount, t.Token),
		After: "corrects " + booked.Key.ID + ", reason " + asked.Reason, At: asked.DecidedAt, RequestID: c.RequestID,
	}
	if t.Debit.Kind != ledger.Unclaimed {
		return Change{Postings: []ledger.Posting{reversal}, Audit: []audit.Record{record}}, nil
	}
	change, err := v.returnToSender(reversal, asked.DecidedAt, record)
	if err != nil {
		return Change{}, err
	}
	if claim, known := v.Deposits[CapitalDeposit(booked)]; known {
		credited := claim.Judged(deposit.Credited, deposit.NoReason, asked.DecidedAt)
		change.Deposit = &credited
	}
	return change, nil
}

// capitalName returns the reference of a booking of capital, with its number if earlier ones
// under the reference were corrected.
func capitalName(booked ledger.Key) string {
	if _, number, again := strings.Cut(booked.Scope, "#"); again {
		return booked.ID + "#" + number
	}
	return booked.ID
}

// CapitalKeyOf returns the key of the booking of capital that a request names.
func CapitalKeyOf(asked approval.Request) ledger.Key {
	reference, number, again := strings.Cut(asked.Reference, "#")
	scope := string(asked.Token)
	if again {
		scope += "#" + number
	}
	return ledger.Key{Kind: ledger.TopUp, Scope: scope, ID: reference}
}

// CapitalDeposit returns the transaction on chain of a booking of capital.
func CapitalDeposit(booked ledger.Posting) deposit.Ref {
	return deposit.Ref{Signature: booked.Key.ID, Token: booked.Transfers[0].Token}
}
