// Package withdrawal defines the states of a withdrawal: a state machine as a table, who
// may decide, the transfers of each step, and the payout controls.
//
// Use cases call its methods inside a store's decision; nothing else changes a
// withdrawal. The payout worker signs and sends approved ones.
package withdrawal

import (
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
)

// Status is the state of a withdrawal.
type Status string

// The states. Completed, Rejected and Cancelled are final.
const (
	// Pending waits for approval; the money is held.
	Pending Status = "pending"
	// Approved waits to be signed; it has no transaction that can land.
	Approved Status = "approved"
	// Sending has one signed transaction that may land.
	Sending Status = "sending"
	// Completed: the transaction is finalized, the money has left.
	Completed Status = "completed"
	// Failed: the transaction landed with an error; the money is still held.
	Failed Status = "failed"
	// Rejected by an admin: the money was returned.
	Rejected Status = "rejected"
	// Cancelled by the player: the money was returned.
	Cancelled Status = "cancelled"
)

// Event changes the status of a withdrawal.
type Event string

// The events.
const (
	Approve  Event = "approve"  // an admin, or the last of two
	Reject   Event = "reject"   // an admin
	Cancel   Event = "cancel"   // the player; an approved one only if it can never be paid
	Sign     Event = "sign"     // the payout worker stored a signed transaction
	Finalize Event = "finalize" // the transaction is finalized without an error
	Fail     Event = "fail"     // the transaction is finalized with an error
	Expire   Event = "expire"   // the transaction is provably dead: it can never land
	Prove    Event = "prove"    // another transaction of the treasury paid it, by the chain
)

type step struct {
	from Status
	on   Event
}

// next is the table of all transitions.
var next = map[step]Status{
	{Pending, Approve}:  Approved,
	{Pending, Reject}:   Rejected,
	{Pending, Cancel}:   Cancelled,
	{Approved, Sign}:    Sending,
	{Approved, Reject}:  Rejected,
	{Approved, Cancel}:  Cancelled,
	{Sending, Finalize}: Completed,
	{Sending, Fail}:     Failed,
	{Sending, Expire}:   Approved,
	{Failed, Approve}:   Approved,
	{Pending, Prove}:    Completed,
	{Approved, Prove}:   Completed,
	{Sending, Prove}:    Completed,
	{Failed, Prove}:     Completed,
	{Failed, Reject}:    Rejected,
}

// Statuses returns every state, in the order of a withdrawal's life.
func Statuses() []Status {
	return []Status{Pending, Approved, Sending, Completed, Failed, Rejected, Cancelled}
}

// Events returns every event.
func Events() []Event {
	return []Event{Approve, Reject, Cancel, Sign, Finalize, Fail, Expire, Prove}
}

// Next returns the state after the event, and false if the state doesn't allow it.
func (s Status) Next(on Event) (Status, bool) {
	to, ok := next[step{s, on}]
	return to, ok
}

// Open reports whether the withdrawal still holds money.
func (s Status) Open() bool {
	return s == Pending || s == Approved || s == Sending || s == Failed
}

// nextStatus returns the state after the event, or a fault of kind InvalidState that
// names the present one.
func (s Status) nextStatus(event Event) (Status, error) {
	to, ok := s.Next(event)
	if !ok {
		return "", invalidTransition(s, event)
	}
	return to, nil
}

func invalidTransition(s Status, event Event) error {
	return fault.New(fault.InvalidState, "a withdrawal that is %s can't be changed by %q", s, event).With("status", string(s))
}

// OpenMax is the most open withdrawals of a player.
const OpenMax = 5

// Approval is one admin's approval.
type Approval struct {
	By   wallet.Address
	At   time.Time
	Note string
	// Attempt is the number of transactions signed before the approval. An approval from
	// before an attempt that landed with an error no longer counts.
	Attempt int
	// Needed is the number of persons who had to approve when it was given.
	Needed int
	// Signature is the admin's over ApprovalMessage of the treasury and the timestamp,
	// base64 of 64 bytes; all three are empty if there is none.
	Signature string
	Timestamp int64 // Unix milliseconds, as signed
	Treasury  wallet.Address
	// Seal proves that the service itself recorded it, see SealedApproval.
	Seal string
}

// Withdrawal is a player's request to be paid on chain.
type Withdrawal struct {
	ID     string
	Wallet wallet.Address
	Token  money.Token
	Amount money.Amount
	// Fee is held besides the amount for a token account that may have to be opened.
	Fee         money.Amount
	Destination string // an address; it may be a wallet that never signed in
	Status      Status
	// Approvals are those given since it was requested or last failed, oldest first.
	Approvals []Approval
	// Attempt counts the transactions signed for it, 0 before the first.
	Attempt int
	// Signature is the newest attempt's, empty before the first.
	Signature string
	// Reason says why it was rejected, failed or can't be signed, empty otherwise.
	Reason string
	// Note is the last approver's note, empty if there is none.
	Note string
	// Tag is the wallet's tag in the payout's memo. It is set for signing and not stored.
	Tag string
	// Seal proves that these are the values the player requested, see SealedRequest.
	Seal      string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Memo returns its payout's memo on chain.
func (w Withdrawal) Memo() string { return treasury.Memo(w.ID, w.Tag) }

// Held returns the amount in the hold of an open withdrawal: amount and fee.
func (w Withdrawal) Held() money.Amount { return w.Amount + w.Fee }

// Request makes a pending withdrawal and the transfer into its hold. It checks the
// amount against the token's limits, and the destination. open is the player's number of
// open withdrawals.
func Request(id string, w wallet.Address, terms token.Terms, amount money.Amount, destination Destination,
	open int, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	if err := destination.checkAddress(w); err != nil {
		return Withdrawal{}, nil, err
	}
	if amount < terms.MinWithdrawal || amount > terms.MaxWithdrawal {
		return Withdrawal{}, nil, fault.New(fault.AmountOutOfRange, "amount: must be from %d to %d base units",
			terms.MinWithdrawal, terms.MaxWithdrawal).With("field", "amount").With("token", string(terms.Mint)).
			With("min", int64(terms.MinWithdrawal)).With("max", int64(terms.MaxWithdrawal))
	}
	if _, fits := amount.Add(terms.NewAccountFee); !fits {
		return Withdrawal{}, nil, fault.New(fault.AmountOutOfRange, "amount: too large to be held with the fee of %d", terms.NewAccountFee).
			With("field", "amount")
	}
	if open >= OpenMax {
		return Withdrawal{}, nil, fault.New(fault.TooManyOpen, "%d withdrawals are already open", open)
	}
	request := Withdrawal{
		ID: id, Wallet: w, Token: terms.Mint, Amount: amount, Fee: terms.NewAccountFee, Destination: destination.Address,
		Status: Pending, CreatedAt: now, UpdatedAt: now,
	}
	return request, request.transferFromHold(ledger.PlayerOf(w), ledger.HoldOf(id), request.Held()), nil
}

// Approve adds an admin's approval. Until there are needed approvals by different
// persons, the status doesn't change. Admins can't approve their own withdrawal, nor
// twice. A failed withdrawal needs new approvals.
func (w Withdrawal) Approve(by wallet.Address, note string, needed int, now time.Time) (Withdrawal, error) {
	to, err := w.Status.nextStatus(Approve)
	if err != nil {
		return Withdrawal{}, err
	}
	if err := w.notOwn(by); err != nil {
		return Withdrawal{}, err
	}
	if slices.ContainsFunc(w.Approvals, func(a Approval) bool { return a.By == by }) {
		return Withdrawal{}, fault.New(fault.Forbidden, "a second approval must come from another person")
	}
	w.Approvals = append(slices.Clone(w.Approvals), Approval{By: by, At: now, Note: note, Attempt: w.Attempt, Needed: needed})
	w.Note, w.Reason, w.UpdatedAt = note, "", now
	if len(w.Approvals) >= needed {
		w.Status = to
	}
	return w, nil
}

// Reject ends it by an admin's decision; the held money is returned to the player.
func (w Withdrawal) Reject(by wallet.Address, reason string, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	if _, err := w.Status.nextStatus(Reject); err != nil {
		return Withdrawal{}, nil, err
	}
	if err := w.notOwn(by); err != nil {
		return Withdrawal{}, nil, err
	}
	w.Reason = reason
	return w.giveBack(Reject, now)
}

// Cancel ends it at the player's request, while it is pending or can never be paid.
func (w Withdrawal) Cancel(now time.Time) (Withdrawal, []ledger.Transfer, error) {
	if _, err := w.Status.nextStatus(Cancel); err == nil && !w.Cancellable() {
		return Withdrawal{}, nil, invalidTransition(w.Status, Cancel)
	}
	return w.giveBack(Cancel, now)
}

// hindered is the prefix of the reason of a withdrawal that can never be paid.
const hindered = "can never be paid: "

// HinderedReason returns the reason of an approved withdrawal that can never be paid as
// requested, by any worker: its player may cancel it.
func HinderedReason(why string) string { return hindered + why }

// Cancellable reports whether the player may cancel it: while it is pending, or approved
// but impossible to pay. In neither state can a transaction of it land.
func (w Withdrawal) Cancellable() bool {
	return w.Status == Pending || w.Status == Approved && strings.HasPrefix(w.Reason, hindered)
}

// SignedAs changes it to Sending with a new attempt. The attempt must be stored in the
// same commit, before anything is sent.
func (w Withdrawal) SignedAs(attempt Attempt, now time.Time) (Withdrawal, error) {
	to, err := w.Status.nextStatus(Sign)
	if err != nil {
		return Withdrawal{}, err
	}
	if attempt.WithdrawalID != w.ID || attempt.Number != w.Attempt+1 {
		return Withdrawal{}, fault.New(fault.InvalidState, "attempt %d of %s doesn't follow attempt %d",
			attempt.Number, attempt.WithdrawalID, w.Attempt).With("status", string(w.Status))
	}
	w.Status, w.Attempt, w.Signature, w.Reason, w.UpdatedAt = to, attempt.Number, attempt.Signature, "", now
	return w, nil
}

// Blocked records why an approved withdrawal can't be signed, for the admin who must
// reject it. It moves nothing, and UpdatedAt stays the time of approval.
func (w Withdrawal) Blocked(reason string) (Withdrawal, error) {
	if _, err := w.Status.nextStatus(Sign); err != nil {
		return Withdrawal{}, err
	}
	w.Reason = reason
	return w, nil
}

// Completed ends it: the attempt is finalized, the money has left the treasury. The fee
// is kept if an account was opened, and else returned to the player.
func (w Withdrawal) Completed(opened bool, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	return w.settlePaid(Finalize, opened, now)
}

// ProvedBy ends it because the chain shows that another transaction of the treasury, not
// the awaited attempt, paid it.
func (w Withdrawal) ProvedBy(m treasury.Movement, opened bool, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	if m.WithdrawalID != w.ID || !m.Pays(w.Token, w.Amount, w.Destination) {
		return Withdrawal{}, nil, fault.New(fault.InvalidState, "transaction %s is not a payment of this withdrawal", m.Signature).
			With("status", string(w.Status))
	}
	w.Signature, w.Reason = m.Signature, ""
	return w.settlePaid(Prove, opened, now)
}

func (w Withdrawal) settlePaid(event Event, opened bool, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	to, err := w.Status.nextStatus(event)
	if err != nil {
		return Withdrawal{}, nil, err
	}
	w.Status, w.UpdatedAt = to, now
	transfers := w.transferFromHold(ledger.HoldOf(w.ID), ledger.System(ledger.Chain), w.Amount)
	if w.Fee > 0 {
		to := ledger.PlayerOf(w.Wallet)
		if opened {
			to = ledger.System(ledger.Fees)
		}
		transfers = append(transfers, w.transferFromHold(ledger.HoldOf(w.ID), to, w.Fee)...)
	}
	return w, transfers, nil
}

// FailedWith records that the attempt landed with an error. The money stays held until
// an admin approves again or rejects.
func (w Withdrawal) FailedWith(reason string, now time.Time) (Withdrawal, error) {
	to, err := w.Status.nextStatus(Fail)
	if err != nil {
		return Withdrawal{}, err
	}
	w.Status, w.Reason, w.Approvals, w.UpdatedAt = to, reason, nil, now
	return w, nil
}

// Expired returns it to Approved: the attempt is provably dead and a new one may be
// signed.
func (w Withdrawal) Expired(now time.Time) (Withdrawal, error) {
	to, err := w.Status.nextStatus(Expire)
	if err != nil {
		return Withdrawal{}, err
	}
	w.Status, w.UpdatedAt = to, now
	return w, nil
}

// ApprovalsNeeded returns how many persons must approve an amount. perDay is the sum
// that all admins would then have approved within a day.
func ApprovalsNeeded(terms token.Terms, amount, perDay money.Amount) int {
	above := func(what, threshold money.Amount) bool { return threshold != token.NoTwoPerson && what > threshold }
	if above(amount, terms.TwoPersonAbove) || above(perDay, terms.TwoPersonAbovePerDay) {
		return 2
	}
	return 1
}

func (w Withdrawal) giveBack(event Event, now time.Time) (Withdrawal, []ledger.Transfer, error) {
	to, err := w.Status.nextStatus(event)
	if err != nil {
		return Withdrawal{}, nil, err
	}
	w.Status, w.UpdatedAt = to, now
	return w, w.transferFromHold(ledger.HoldOf(w.ID), ledger.PlayerOf(w.Wallet), w.Held()), nil
}

func (w Withdrawal) transferFromHold(from, to ledger.Account, amount money.Amount) []ledger.Transfer {
	return []ledger.Transfer{{Debit: from, Credit: to, Token: w.Token, Amount: amount}}
}

func (w Withdrawal) notOwn(by wallet.Address) error {
	if by == w.Wallet || string(by) == w.Destination {
		return fault.New(fault.Forbidden, "admins can't decide on their own withdrawal")
	}
	return nil
}

// Destination is a withdrawal's destination, with the facts about the address that need
// no query of the chain.
type Destination struct {
	Address string
	// Reserved reports that the address is one of ours (treasury, its token accounts) or an
	// accepted mint: it must not be paid.
	Reserved bool
	// OwnOnly reports that players may withdraw only to their own wallet.
	OwnOnly bool
}

func (d Destination) checkAddress(owner wallet.Address) error {
	refuse := func(why string) error {
		return fault.New(fault.InvalidDestination, "destination: %s", why).With("field", "destination")
	}
	if _, err := wallet.Parse(d.Address); err != nil {
		return refuse("must be a wallet address that a key can sign for")
	}
	if d.Reserved {
		return refuse("must not be an address of the house or a mint")
	}
	if d.OwnOnly && d.Address != string(owner) {
		return refuse("must be the wallet you signed in with")
	}
	return nil
}
