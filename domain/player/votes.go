package player

import (
	"slices"
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
	// After is when the newest vote before it in the same thing was given, AfterOwn the
	// admin's own; zero where there was none. A thing is counted once, in the step of time
	// of its newest vote: these say where it was counted before.
	After, AfterOwn time.Time
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

// VotesNeed asks for what earlier votes come to for the next one of an admin at a moment.
type VotesNeed struct {
	// Of is the withdrawal's id, whose votes are then shown; empty for a credit, whose
	// thing has none yet.
	Of string
	// Destination is the withdrawal's, empty for a credit.
	Destination string
	// Token is what it is about: other tokens' votes aren't counted.
	Token money.Token
	By    wallet.Address
	At    time.Time
}

// Credit reports whether the next vote is one in a credit.
func (n VotesNeed) Credit() bool { return n.Destination == "" }

// Since is the first of the steps of time that count.
func (n VotesNeed) Since() int64 { return SlotOf(n.At.Add(-VoteWindow)) }

// Includes reports whether the view of an item of the wallet shows the vote: one in the
// same thing, and to who approves a withdrawal those in credits to the player since
// CreditorWindow.
func (n VotesNeed) Includes(w wallet.Address, y Vote) bool {
	return n.Of != "" && y.Of == n.Of || !n.Credit() && y.Credit && y.Wallet == w && y.At.After(n.At.Add(-CreditorWindow))
}

// asks is what an approval of the withdrawal counts with.
func (d WithdrawalDecision) asks(w withdrawal.Withdrawal) VotesNeed {
	return VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: d.By, At: d.At}
}

// approvalsNeeded is how many persons must approve the withdrawal: it counts
// with everything that was approved within a day for the player, to the
// destination, or by the same person, and with what all admins let go.
func (v View) approvalsNeeded(w withdrawal.Withdrawal, d WithdrawalDecision) int {
	return v.personsNeeded(d.Terms, d.asks(w), w.Wallet, w.Amount)
}

// creditNeedsTwo reports whether a credit, with all others within a day to the
// player or by the same person, or with those of all admins, is above a threshold of
// the token.
func (v View) creditNeedsTwo(a Adjustment, terms token.Terms) bool {
	next := VotesNeed{Of: a.ID, Token: a.Token, By: a.By, At: a.At}
	return v.personsNeeded(terms, next, a.Wallet, money.Amount(a.Amount)) > 1
}

// personsNeeded is how many persons the next vote takes to let its amount go: with the
// most that one sort of earlier votes counted, without those in the thing itself, and
// with all that was let go.
func (v View) personsNeeded(terms token.Terms, next VotesNeed, w wallet.Address, amount money.Amount) int {
	own := next.Count(w, v.votesIn(next.Of))
	most := v.Counted.Player.Sub(own.Player)
	for _, sum := range [...]money.Total{v.Counted.Destination.Sub(own.Destination), v.Counted.Admin.Sub(own.Admin)} {
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return withdrawal.ApprovalsNeeded(terms, saturated(most.AddAmount(amount)), saturated(v.Counted.All.AddAmount(amount)))
}

// votesIn are the votes in one thing.
func (v View) votesIn(of string) []Vote {
	return slices.DeleteFunc(slices.Clone(v.Votes), func(y Vote) bool { return y.Of != of })
}

func saturated(sum money.Total) money.Amount {
	if amount, ok := sum.Amount(); ok {
		return amount
	}
	return money.Max
}
