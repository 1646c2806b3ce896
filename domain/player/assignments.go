package player

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Assignment moves unclaimed money of Sender, a wallet that never signed in, to a player:
// the Adjustment is the player's credit, its reason states the evidence.
//
// A commit is about one wallet, so an assignment is three: Authorize with the player,
// Take from the sender, Credit to the player. Each takes its Key, so that whoever repeats
// the request after an interruption continues where it stopped and moves nothing twice.
type Assignment struct {
	Adjustment
	Sender wallet.Address
	// First made the approval request where two persons decide, empty otherwise.
	First     wallet.Address
	Terms     token.Terms
	Policy    rbac.Policy
	RequestID string
}

// Request returns what a second person is asked to approve.
func (a *Assignment) Request() approval.Request {
	return approval.Request{
		Kind: approval.UnclaimedAssignment, Wallet: a.Wallet, Token: a.Token, Amount: a.Amount, Reference: string(a.Sender), Reason: a.Reason,
	}
}

// Key returns the unique key of a step. The same sender, player, token, amount and reason
// are the same assignment, for ever.
func (a *Assignment) Key(step string) UniqueKey {
	return UniqueKey{Kind: AssignmentKey, Scope: step, ID: a.name()}
}

func (a *Assignment) name() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		string(a.Sender), string(a.Wallet), string(a.Token), strconv.FormatInt(a.Amount, 10), a.Reason,
	}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Authorize records the votes of the admins who decided. Its view needs their roles, the
// player's balance, and where one person decides the votes of VotesNeed{Token, By, At}.
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
	// What the credit would meet refuses the assignment already.
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
		Votes:   v.creditVotes(a.name(), a.Wallet, a.Token, money.Amount(a.Amount), a.At, persons(a.First, a.By)...),
	}, nil
}

// Take moves the amount from the sender's unclaimed balance: unclaimed → assigned. Its
// view needs Unclaimed. More than is unclaimed is AmountOutOfRange.
func (a *Assignment) Take(v View, auditID string) (Change, error) {
	before := v.Unclaimed[a.Token]
	after, ok := before.Sub(money.Amount(a.Amount))
	if !ok {
		return Change{}, ErrNotUnclaimed(before)
	}
	return Change{
		Postings: []ledger.Posting{{
			Key: ledger.Key{Kind: ledger.Assign, Scope: a.name(), ID: string(a.Sender)},
			Transfers: []ledger.Transfer{{
				Debit: ledger.UnclaimedOf(a.Sender), Credit: ledger.System(ledger.Assigned), Token: a.Token, Amount: money.Amount(a.Amount),
			}},
		}},
		Audit: []audit.Record{{
			ID: auditID, Action: audit.UnclaimedAssigned, By: a.By, Target: string(a.Sender), Before: amountOf(before, a.Token),
			After: amountOf(after, a.Token) + " to " + string(a.Wallet) + ", reason " + a.Reason, At: a.At, RequestID: a.RequestID,
		}},
	}, nil
}

// Credit credits the player with what was taken: assigned → player. It counts as a
// deposit. Its view needs the player's balance.
func (a *Assignment) Credit(v View, auditID string) (Change, error) {
	change, err := v.book(a.Adjustment, auditID, a.RequestID)
	if err == nil {
		change.Player = v.metered(v.Player.Protection.AddDeposit(a.Token, money.Amount(a.Amount), a.At))
	}
	return change, err
}

// ErrNotUnclaimed refuses to assign more than a wallet has unclaimed.
func ErrNotUnclaimed(unclaimed money.Amount) error {
	return fault.New(fault.AmountOutOfRange, "amount: the wallet has %d base units unclaimed", unclaimed).With("field", "amount")
}

// ErrAssignmentOpen refuses to assign of a balance while an earlier request is open: both
// could be authorized, and the second would find the money gone.
func ErrAssignmentOpen(id string) error {
	return fault.New(fault.InvalidState, "approval request %s about this wallet's unclaimed money is open: decide it first, or wait until it expires", id).
		With("status", string(approval.Open))
}
