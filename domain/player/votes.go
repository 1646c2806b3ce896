package player

import (
	"time"

	"github.com/casino-service/casino/domain/money"
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
}

// How far back votes are counted, and how long an admin who credited a player can't
// approve the player's withdrawals.
const (
	VoteWindow     = 24 * time.Hour
	CreditorWindow = 30 * 24 * time.Hour
)

// VotesNeed asks for the votes that count towards the next one of an admin at a moment.
type VotesNeed struct {
	// Destination is the withdrawal's, empty for a credit.
	Destination string
	By          wallet.Address
	At          time.Time
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
// destination, or by the same person.
func (v View) approvalsNeeded(w withdrawal.Withdrawal, d WithdrawalDecision) int {
	most := money.Total{}
	for _, which := range []func(Vote) bool{
		func(y Vote) bool { return !y.Credit && y.Wallet == w.Wallet },
		func(y Vote) bool { return !y.Credit && y.Destination == w.Destination },
		func(y Vote) bool { return !y.Credit && y.By == d.By },
	} {
		if sum := v.counted(w.ID, w.Token, d.At, which); sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return withdrawal.ApprovalsNeeded(d.Terms, saturated(most.AddAmount(w.Amount)))
}

// creditNeedsTwo reports whether a credit, with all others within a day to the
// player or by the same person, is above the token's threshold.
func (v View) creditNeedsTwo(a Adjustment, terms token.Terms) bool {
	most := money.Total{}
	for _, which := range []func(Vote) bool{
		func(y Vote) bool { return y.Credit && y.Wallet == a.Wallet },
		func(y Vote) bool { return y.Credit && y.By == a.By },
	} {
		if sum := v.counted(a.ID, a.Token, a.At, which); sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return withdrawal.ApprovalsNeeded(terms, saturated(most.AddAmount(money.Amount(a.Amount)))) > 1
}

func saturated(sum money.Total) money.Amount {
	if amount, ok := sum.Amount(); ok {
		return amount
	}
	return money.Max
}

// credited reports whether the admin has a vote in a credit to the wallet within
// CreditorWindow.
func (v View) credited(by wallet.Address, now time.Time) bool {
	for _, y := range v.Votes {
		if y.Credit && y.Wallet == v.Player.Wallet && y.By == by && y.At.After(now.Add(-CreditorWindow)) {
			return true
		}
	}
	return false
}
