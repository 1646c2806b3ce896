package player

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// AdjustmentKind is a kind of adjustment. Each is a type of transaction of its own.
type AdjustmentKind uint8

// The kinds of adjustment.
const (
	// Manual is an admin's credit or debit.
	Manual AdjustmentKind = iota
	// Assigned is unclaimed money of another wallet, assigned to the player.
	Assigned
	// ManualCorrection reverses a Manual adjustment, AssignmentCorrection an assignment.
	ManualCorrection
	AssignmentCorrection
)

// adjustmentTerms are the properties of one kind of adjustment.
type adjustmentTerms struct {
	// name is the type of transaction.
	name string
	// key is the kind of posting, account the counter-account.
	key     ledger.KeyKind
	account ledger.Kind
	action  audit.Action
	// request is the kind of approval request for a credit above the token's threshold, empty
	// for corrections, which always need two persons.
	request approval.Kind
}

// adjustments lists all kinds. The law, the stores, stored answers and filters of lists
// use it; schemas and openapi.yaml repeat the names.
var adjustments = [...]adjustmentTerms{
	Manual:   {"adjustment", ledger.Adjust, ledger.Adjustment, audit.BalanceAdjusted, approval.Adjustment},
	Assigned: {"assignment", ledger.Assign, ledger.Assigned, audit.UnclaimedAssigned, approval.UnclaimedAssignment},

	ManualCorrection:     {"adjustment_correction", ledger.Correct, ledger.Adjustment, audit.AdjustmentCorrected, ""},
	AssignmentCorrection: {"assignment_correction", ledger.Correct, ledger.Assigned, audit.AssignmentCorrected, ""},
}

// AdjustmentKinds returns every kind of adjustment.
func AdjustmentKinds() []AdjustmentKind {
	all := make([]AdjustmentKind, len(adjustments))
	for i := range adjustments {
		all[i] = AdjustmentKind(i)
	}
	return all
}

// kindTerms returns the kind's terms, zero for an unknown kind.
func (k AdjustmentKind) kindTerms() adjustmentTerms {
	if int(k) >= len(adjustments) {
		return adjustmentTerms{}
	}
	return adjustments[k]
}

// String returns the type of transaction: "adjustment", ….
func (k AdjustmentKind) String() string { return k.kindTerms().name }

// ParseAdjustmentKind parses the form of String.
func ParseAdjustmentKind(name string) (AdjustmentKind, bool) {
	for _, k := range AdjustmentKinds() {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// AdjustmentOf returns the kind of adjustment of an approval request, false if the
// request is about something else.
func AdjustmentOf(r approval.Kind) (AdjustmentKind, bool) {
	for _, k := range AdjustmentKinds() {
		if k.kindTerms().request == r {
			return k, true
		}
	}
	return 0, false
}

// Adjustment is a credit (positive) or debit (negative) of a player against an account
// of the casino, booked at once.
type Adjustment struct {
	ID     string
	Kind   AdjustmentKind
	Wallet wallet.Address
	Token  money.Token
	Amount int64
	Reason string
	By     wallet.Address
	At     time.Time
	// Reference is the wallet that sent the assigned money, or the id of the adjustment that
	// a correction reverses; empty for other kinds.
	Reference string
}

// ledgerKey returns the key of the adjustment's posting.
func (a *Adjustment) ledgerKey() ledger.Key {
	if original, corrects := a.Kind.Corrects(); corrects {
		return ledger.Key{Kind: original.kindTerms().key, ID: a.Reference}.Correction(a.ID)
	}
	return ledger.Key{Kind: a.Kind.kindTerms().key, ID: a.ID}
}

// ledgerTransfer returns the adjustment's transfer. An amount of -2^63 can't be negated,
// but no balance covers it.
func (a *Adjustment) ledgerTransfer() ledger.Transfer {
	player, other := ledger.PlayerOf(a.Wallet), ledger.System(a.Kind.kindTerms().account)
	if a.Amount < 0 {
		return ledger.Transfer{Debit: player, Credit: other, Token: a.Token, Amount: money.Amount(-a.Amount)}
	}
	return ledger.Transfer{Debit: other, Credit: player, Token: a.Token, Amount: money.Amount(a.Amount)}
}

// Adjust books an admin's credit or debit of a player. Refusals in this order:
// Forbidden for the admin's own balance, NotFound, AmountOutOfRange or
// InsufficientFunds.
func Adjust(v View, a Adjustment, auditID, requestID string) (Change, error) {
	if a.By == a.Wallet {
		return Change{}, fault.New(fault.Forbidden, "admins can't adjust their own balance")
	}
	if !v.Player.Known() {
		return Change{}, fault.New(fault.NotFound, "no player %s", a.Wallet)
	}
	change, err := v.bookAdjustment(a, auditID, requestID)
	if err == nil && a.Amount > 0 {
		change.Votes = v.creditVotes(a.ID, a.Wallet, a.Token, money.Amount(a.Amount), a.At, a.By)
	}
	return change, err
}

// bookAdjustment returns the change that books a decided adjustment.
func (v View) bookAdjustment(a Adjustment, auditID, requestID string) (Change, error) {
	balance := v.Balances[a.Token]
	after, err := addAdjustment(a, balance)
	if err != nil {
		return Change{}, err
	}
	return Change{
		Adjustment: &a, Balance: after,
		Postings: []ledger.Posting{{Key: a.ledgerKey(), Transfers: []ledger.Transfer{a.ledgerTransfer()}}},
		Audit: []audit.Record{{
			ID: auditID, Action: a.Kind.kindTerms().action, By: a.By, Target: string(a.Wallet),
			Before: amountOf(balance, a.Token), After: amountOf(after, a.Token), At: a.At, RequestID: requestID,
		}},
	}, nil
}

// addAdjustment returns a balance after an adjustment.
func addAdjustment(a Adjustment, balance money.Amount) (money.Amount, error) {
	if a.Amount > 0 {
		after, ok := balance.Add(money.Amount(a.Amount))
		if !ok {
			return 0, fault.New(fault.AmountOutOfRange, "amount: the balance would exceed the largest possible amount").With("field", "amount")
		}
		return after, nil
	}
	// -2^63 can't be negated, and no balance covers it either.
	amount := money.Amount(-max(a.Amount, -int64(money.Max)))
	after, ok := balance.Sub(amount)
	if !ok || amount == 0 || a.Amount < -int64(money.Max) {
		return 0, fault.New(fault.InsufficientFunds, "the balance of %d base units doesn't cover a debit of %d", balance, amount).
			With("token", string(a.Token)).With("balance", int64(balance))
	}
	return after, nil
}

// Assignment moves unclaimed money of Sender, a wallet that never signed in, to a
// player. The Adjustment is the player's credit; its reason states the evidence.
//
// A commit concerns one wallet, so an assignment takes three: Authorize with the player,
// Take from the sender, Credit to the player. Each takes its Key, so repeating the
// request after an interruption continues it and moves nothing twice.
type Assignment struct {
	Adjustment
	Sender wallet.Address
	// First is the admin who made the approval request if two persons decide, empty
	// otherwise.
	First     wallet.Address
	Terms     token.Terms
	Policy    rbac.Policy
	RequestID string
}

// Request returns the approval request for a second person.
func (a *Assignment) Request() approval.Request {
	return approval.Request{
		Kind: approval.UnclaimedAssignment, Wallet: a.Wallet, Token: a.Token, Amount: a.Amount, Reference: string(a.Sender), Reason: a.Reason,
	}
}

// Key returns the unique key of a step. Equal sender, player, token, amount and reason
// are always the same assignment.
func (a *Assignment) Key(step string) UniqueKey {
	return UniqueKey{Kind: AssignmentKey, Scope: step, ID: a.assignmentName()}
}

func (a *Assignment) assignmentName() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		string(a.Sender), string(a.Wallet), string(a.Token), strconv.FormatInt(a.Amount, 10), a.Reason,
	}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Authorize records the votes of the admins who decided. Its view needs their roles, the
// player's balance and, if one person decides, the votes of VotesNeed{Token, By, At}.
// Refusals in this order: AdminForbidden, Forbidden for an agent's admin or the admin's
// own balance, NotFound, AmountOutOfRange, Forbidden for a role that is too new,
// ErrTwoPersons above the token's threshold.
func (a *Assignment) Authorize(v View) (Change, error) {
	role := v.Roles[a.By]
	if err := a.Policy.Check(role, rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	if role.AgentCode != "" {
		return Change{}, fault.New(fault.Forbidden, "an agent's own admins can't assign unclaimed money")
	}
	// Whatever would refuse the credit refuses the assignment.
	if _, err := Adjust(v, a.Adjustment, "", ""); err != nil {
		return Change{}, err
	}
	if err := role.CheckAge(a.At); err != nil {
		return Change{}, err
	}
	if a.First == "" && v.creditNeedsTwo(a.Adjustment, a.Terms) {
		return Change{}, ErrTwoPersons
	}
	return Change{
		Balance: v.Balances[a.Token],
		Votes:   v.creditVotes(a.assignmentName(), a.Wallet, a.Token, money.Amount(a.Amount), a.At, decidersOf(a.First, a.By)...),
	}, nil
}

func (a *Assignment) takeKey() ledger.Key {
	return ledger.Key{Kind: ledger.Assign, Scope: a.assignmentName(), ID: string(a.Sender)}
}

func (a *Assignment) takeTransfer() ledger.Transfer {
	return ledger.Transfer{
		Debit: ledger.UnclaimedOf(a.Sender), Credit: ledger.System(ledger.Assigned), Token: a.Token, Amount: money.Amount(a.Amount),
	}
}

// Take moves the amount from the sender's unclaimed balance: unclaimed → assigned. Its
// view needs Unclaimed. An amount above that balance is AmountOutOfRange.
func (a *Assignment) Take(v View, auditID string) (Change, error) {
	before := v.Unclaimed[a.Token]
	after, ok := before.Sub(money.Amount(a.Amount))
	if !ok {
		return Change{}, ErrNotUnclaimed(before)
	}
	return Change{
		Postings: []ledger.Posting{{
			Key: a.takeKey(), Transfers: []ledger.Transfer{a.takeTransfer()},
		}},
		Audit: []audit.Record{{
			ID: auditID, Action: audit.UnclaimedAssigned, By: a.By, Target: string(a.Sender), Before: amountOf(before, a.Token),
			After: amountOf(after, a.Token) + " to " + string(a.Wallet) + ", reason " + a.Reason, At: a.At, RequestID: a.RequestID,
		}},
	}, nil
}

// Credit credits the player with the amount taken: assigned → player. It counts as a
// deposit. Its view needs the player's balance.
func (a *Assignment) Credit(v View, auditID string) (Change, error) {
	change, err := v.bookAdjustment(a.Adjustment, auditID, a.RequestID)
	if err == nil {
		change.Player = v.withMeters(v.Player.Protection.AddDeposit(a.Token, money.Amount(a.Amount), a.At))
	}
	return change, err
}

// ErrNotUnclaimed returns the refusal to assign more than a wallet has unclaimed.
func ErrNotUnclaimed(unclaimed money.Amount) error {
	return fault.New(fault.AmountOutOfRange, "amount: the wallet has %d base units unclaimed", unclaimed).
		With("field", "amount").With("max", int64(unclaimed))
}

// ErrAssignmentOpen returns the refusal to assign from a balance while an earlier
// request is open: both could be authorized, and the second would find no money.
func ErrAssignmentOpen(id string) error {
	return fault.New(fault.InvalidState, "approval request %s about this wallet's unclaimed money is open: decide it first, or wait until it expires", id).
		With("status", string(approval.Open))
}
