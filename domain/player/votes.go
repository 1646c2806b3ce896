package player

import (
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Vote is one admin's part in letting money move: an approval of a withdrawal, or a
// part in a credit. Stores keep votes for ever, whatever becomes of the withdrawal or credit, so
// that nobody gets round a threshold in small steps.
type Vote struct {
	// Of is the id of the withdrawal, or of the adjustment or deposit that was
	// credited.
	Of     string
	Credit bool
	Wallet wallet.Address // whose balance it is about
	// Destination is a withdrawal's, empty for a credit.
	Destination string
	Token       money.Token
	Amount      money.Amount
	By          wallet.Address
	At          time.Time
	// GrantedBy and GrantedAt are the origin of the admin's role as it was then.
	GrantedBy wallet.Address
	GrantedAt time.Time
	// Passes says that with this vote the amount was let go. Of the votes in one thing
	// one passes, so that sums count each thing once.
	Passes bool
}

// voter is the admin as the vote knows them.
func (y Vote) voter() rbac.Assignment {
	return rbac.Assignment{Wallet: y.By, GrantedBy: y.GrantedBy, GrantedAt: y.GrantedAt}
}

// How far back votes are counted, and how long an admin who credited a player can't
// approve the player's withdrawals.
const (
	VoteWindow     = 24 * time.Hour
	CreditorWindow = 30 * 24 * time.Hour
)

// VoteSlot is in what steps of time stores keep what all admins together let go: an
// amount counts for VoteWindow and up to one step more.
const VoteSlot = 10 * time.Minute

// SlotOf is the number of the step that the moment is in.
func SlotOf(at time.Time) int64 { return at.Unix() / int64(VoteSlot/time.Second) }

// VotesNeed asks for the votes that count towards the next one of an admin at a moment.
type VotesNeed struct {
	// Destination is the withdrawal's, empty for a credit.
	Destination string
	// Token is what it is about: View.Passed is of this token.
	Token money.Token
	By    wallet.Address
	At    time.Time
}

// Credit reports whether the next vote is one in a credit.
func (n VotesNeed) Credit() bool { return n.Destination == "" }

// Since is the first of the steps of time that View.Passed adds up.
func (n VotesNeed) Since() int64 { return SlotOf(n.At.Add(-VoteWindow)) }

// Counts reports whether View.Passed has the vote's amount.
func (n VotesNeed) Counts(y Vote) bool {
	return y.Passes && y.Token == n.Token && y.Credit == n.Credit() && SlotOf(y.At) >= n.Since()
}

// Includes reports whether the view of an item of the wallet has the vote: those
// about the wallet since CreditorWindow, and those of the same destination or
// person since VoteWindow.
func (n VotesNeed) Includes(w wallet.Address, y Vote) bool {
	if y.Wallet == w {
		return y.At.After(n.At.Add(-CreditorWindow))
	}
	return (y.By == n.By || n.Destination != "" && y.Destination == n.Destination) && y.At.After(n.At.Add(-VoteWindow))
}

// counted adds up what votes of the token within a day were about, each thing
// once, and without the thing itself.
func (v View) counted(of string, token money.Token, now time.Time, which func(Vote) bool) money.Total {
	var sum money.Total
	seen := map[string]bool{of: true}
	for _, y := range v.Votes {
		if y.Token != token || !y.At.After(now.Add(-VoteWindow)) || seen[y.Of] || !which(y) {
			continue
		}
		seen[y.Of] = true
		sum = sum.AddAmount(y.Amount)
	}
	return sum
}

// approvalsNeeded is how many persons must approve the withdrawal: it counts
// with everything that was approved within a day for the player, to the
// destination, or by the same person, and with what all admins let go.
func (v View) approvalsNeeded(w withdrawal.Withdrawal, d WithdrawalDecision) int {
	return v.personsNeeded(d.Terms, Vote{Of: w.ID, Token: w.Token, Amount: w.Amount, At: d.At},
		func(y Vote) bool { return !y.Credit && y.Wallet == w.Wallet },
		func(y Vote) bool { return !y.Credit && y.Destination == w.Destination },
		func(y Vote) bool { return !y.Credit && y.By == d.By })
}

// creditNeedsTwo reports whether a credit, with all others within a day to the
// player or by the same person, or with those of all admins, is above a threshold of
// the token.
func (v View) creditNeedsTwo(a Adjustment, terms token.Terms) bool {
	return v.personsNeeded(terms, Vote{Of: a.ID, Token: a.Token, Amount: money.Amount(a.Amount), At: a.At},
		func(y Vote) bool { return y.Credit && y.Wallet == a.Wallet },
		func(y Vote) bool { return y.Credit && y.By == a.By }) > 1
}

// personsNeeded is how many persons the next vote takes to let its amount go: with the
// most that one sort of earlier votes counted, and with all that was let go.
func (v View) personsNeeded(terms token.Terms, next Vote, sorts ...func(Vote) bool) int {
	most := money.Total{}
	for _, sort := range sorts {
		if sum := v.counted(next.Of, next.Token, next.At, sort); sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return withdrawal.ApprovalsNeeded(terms, saturated(most.AddAmount(next.Amount)), saturated(v.Passed.AddAmount(next.Amount)))
}

func saturated(sum money.Total) money.Amount {
	if amount, ok := sum.Amount(); ok {
		return amount
	}
	return money.Max
}
