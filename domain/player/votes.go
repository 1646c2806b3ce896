package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Vote is one admin's part in a movement of money: an approval of a withdrawal, or a
// part in a credit. Stores keep votes forever, so that splitting amounts doesn't avoid a
// threshold.
type Vote struct {
	// Of is the id of the withdrawal, or of the credited adjustment or deposit.
	Of     string
	Credit bool
	Wallet wallet.Address // the owner of the balance
	// Destination is a withdrawal's, empty for a credit.
	Destination string
	Token       money.Token
	Amount      money.Amount
	By          wallet.Address
	At          time.Time
	// GrantedBy and GrantedAt are the origin of the admin's role at the time.
	GrantedBy wallet.Address
	GrantedAt time.Time
	// After is the time of the newest earlier vote in the same thing, AfterOwn of the
	// admin's own; zero if there was none. A thing counts once, in the time slot of its
	// newest vote; these say where it counted before.
	After, AfterOwn time.Time
	// Passes reports that this vote released the amount. One vote in each thing passes, so
	// that sums count each thing once.
	Passes bool
}

// voterRole returns the admin's role as stored with the vote.
func (y Vote) voterRole() rbac.Assignment {
	return rbac.Assignment{Wallet: y.By, GrantedBy: y.GrantedBy, GrantedAt: y.GrantedAt}
}

// The period in which votes are counted, and the period in which an admin who credited a
// player can't approve the player's withdrawals.
const (
	VoteWindow     = 24 * time.Hour
	CreditorWindow = 30 * 24 * time.Hour
)

// VotesNeed selects the sums of earlier votes for an admin's next vote at a moment.
type VotesNeed struct {
	// Of is the id of a withdrawal, to see its votes; empty for a credit, which has none
	// yet.
	Of string
	// Destination is the withdrawal's, empty for a credit.
	Destination string
	// Token is the token of the next vote; votes in other tokens aren't counted.
	Token money.Token
	By    wallet.Address
	At    time.Time
}

// Credit reports whether the next vote is for a credit.
func (n VotesNeed) Credit() bool { return n.Destination == "" }

// Since returns the first time slot that counts.
func (n VotesNeed) Since() int64 { return SlotOf(n.At.Add(-VoteWindow)) }

// Includes reports whether the view of an item of the wallet shows the vote: votes in
// the same thing and, for approvals of withdrawals, votes in credits to the player
// within CreditorWindow.
func (n VotesNeed) Includes(w wallet.Address, y Vote) bool {
	return n.Of != "" && y.Of == n.Of || !n.Credit() && y.Credit && y.Wallet == w && y.At.After(n.At.Add(-CreditorWindow))
}

// votesNeeded returns the need for an approval of the withdrawal.
func (d WithdrawalDecision) votesNeeded(w withdrawal.Withdrawal) VotesNeed {
	return VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: d.By, At: d.At}
}

// approvalsNeeded returns how many persons must approve the withdrawal. It counts
// together with everything approved within a day for the player, to the destination, or
// by the same admin, and with everything that all admins released.
func (v View) approvalsNeeded(w withdrawal.Withdrawal, d WithdrawalDecision) int {
	return v.personsNeeded(d.Terms, d.votesNeeded(w), w.Wallet, w.Amount)
}

// creditNeedsTwo reports whether a credit exceeds a threshold of the token, together
// with all others within a day to the player or by the same admin, or with those of all
// admins.
func (v View) creditNeedsTwo(a Adjustment, terms token.Terms) bool {
	next := VotesNeed{Of: a.ID, Token: a.Token, By: a.By, At: a.At}
	return v.personsNeeded(terms, next, a.Wallet, money.Amount(a.Amount)) > 1
}

// personsNeeded returns how many persons the next vote's amount needs: together with the
// greatest sum of one sort of earlier votes, except those in the thing itself, and with
// everything released.
func (v View) personsNeeded(terms token.Terms, next VotesNeed, w wallet.Address, amount money.Amount) int {
	own := next.Count(w, v.votesIn(next.Of))
	most := v.Counted.Player.Sub(own.Player)
	for _, sum := range [...]money.Total{v.Counted.Destination.Sub(own.Destination), v.Counted.Admin.Sub(own.Admin)} {
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return withdrawal.ApprovalsNeeded(terms, saturatedAmount(most.AddAmount(amount)), saturatedAmount(v.Counted.All.AddAmount(amount)))
}

// votesIn returns the votes in one thing.
func (v View) votesIn(of string) []Vote {
	return slices.DeleteFunc(slices.Clone(v.Votes), func(y Vote) bool { return y.Of != of })
}

func saturatedAmount(sum money.Total) money.Amount {
	if amount, ok := sum.Amount(); ok {
		return amount
	}
	return money.Max
}

// VoteSlot is the length of the time slots in which votes are counted. A slot counts
// while any of it is within VoteWindow. So an amount counts for VoteWindow and up to one
// slot more, never less, and the sum has a bounded number of slots for any number of
// votes.
const VoteSlot = 10 * time.Minute

// SlotOf returns the number of the time slot that contains the moment.
func SlotOf(at time.Time) int64 { return at.Unix() / int64(VoteSlot/time.Second) }

// Counted holds the sums of earlier votes within VoteWindow in the token of the next
// one, of credits or of withdrawals as the next one is: to the same player (or to none),
// to the same destination, and by the same admin, released or waiting; and the sum that
// all admins released. Each thing counts once, including the thing of the next vote.
type Counted struct{ Player, Destination, Admin, All money.Total }

// Count sums votes for the next one about a wallet, one by one. Stores that keep sums
// must get the same results. Each thing counts from its newest vote of a sort on.
func (n VotesNeed) Count(w wallet.Address, votes []Vote) (sums Counted) {
	type newest struct {
		player, destination, admin time.Time
	}
	things := map[string]newest{}
	later := func(at *time.Time, y Vote, counts bool, sum *money.Total) {
		if !counts {
			return
		}
		if SlotOf(y.At) >= n.Since() && (at.IsZero() || SlotOf(*at) < n.Since()) {
			*sum = sum.AddAmount(y.Amount)
		}
		if y.At.After(*at) {
			*at = y.At
		}
	}
	for _, y := range votes {
		if y.Token != n.Token || y.Credit != n.Credit() {
			continue
		}
		of := things[y.Of]
		later(&of.player, y, y.Wallet == w, &sums.Player)
		later(&of.destination, y, !n.Credit() && y.Destination == n.Destination, &sums.Destination)
		later(&of.admin, y, y.By == n.By, &sums.Admin)
		things[y.Of] = of
		if y.Passes && SlotOf(y.At) >= n.Since() {
			sums.All = sums.All.AddAmount(y.Amount)
		}
	}
	return sums
}

// VoteSort is a criterion by which votes are summed.
type VoteSort string

// The sorts, with the content of their names.
const (
	ByPlayer      VoteSort = "player"      // a wallet, or empty
	ByDestination VoteSort = "destination" // of withdrawals
	ByAdmin       VoteSort = "admin"       // a wallet
	ByAll         VoteSort = "all"         // empty: everything that all admins released
)

// VoteTally names a stored sum: the amounts of votes that are counted together, in a
// time slot.
type VoteTally struct {
	Sort   VoteSort
	Name   string
	Token  money.Token
	Credit bool
	Slot   int64
}

// Tallies returns the stored sums that the need adds up, each from the slot Since on.
func (n VotesNeed) Tallies(w wallet.Address) []VoteTally {
	of := func(sort VoteSort, name string) VoteTally {
		return VoteTally{Sort: sort, Name: name, Token: n.Token, Credit: n.Credit(), Slot: n.Since()}
	}
	all := []VoteTally{of(ByPlayer, string(w)), of(ByAdmin, string(n.By)), of(ByAll, "")}
	if !n.Credit() {
		all = append(all, of(ByDestination, n.Destination))
	}
	return all
}

// Add adds a stored sum of Tallies.
func (c *Counted) Add(sort VoteSort, sum money.Total) {
	into := map[VoteSort]*money.Total{ByPlayer: &c.Player, ByDestination: &c.Destination, ByAdmin: &c.Admin, ByAll: &c.All}[sort]
	*into = into.Add(sum)
}

// Tally calls add with the vote's contribution to each stored sum. If its thing counted
// in an earlier slot, it is subtracted there, so that it counts once.
func (y Vote) Tally(add func(VoteTally, money.Total)) {
	amount := money.TotalOf(y.Amount)
	move := func(sort VoteSort, name string, before time.Time) {
		to := VoteTally{Sort: sort, Name: name, Token: y.Token, Credit: y.Credit, Slot: SlotOf(y.At)}
		if !before.IsZero() {
			from := to
			if from.Slot = SlotOf(before); from.Slot >= to.Slot {
				return
			}
			add(from, amount.Neg())
		}
		add(to, amount)
	}
	move(ByPlayer, string(y.Wallet), y.After)
	if !y.Credit {
		move(ByDestination, y.Destination, y.After)
	}
	move(ByAdmin, string(y.By), y.AfterOwn)
	if y.Passes {
		move(ByAll, "", time.Time{})
	}
}

// Creditor is an admin with a vote in credits to a player, by a role of one origin.
type Creditor struct {
	Wallet, By, GrantedBy wallet.Address
	GrantedAt             time.Time
}

// Creditor returns the admin who credited a player with the vote, false for any other
// vote.
func (y Vote) Creditor() (Creditor, bool) {
	return Creditor{y.Wallet, y.By, y.GrantedBy, y.GrantedAt}, y.Credit && y.Wallet != ""
}

// Vote returns the newest vote of a creditor as stored: without thing and amount.
func (c Creditor) Vote(at time.Time) Vote {
	return Vote{Credit: true, Wallet: c.Wallet, By: c.By, GrantedBy: c.GrantedBy, GrantedAt: c.GrantedAt, At: at}
}

// Following returns the vote with the times of the earlier votes in its thing.
func (y Vote) Following(earlier []Vote) Vote {
	for _, e := range earlier {
		if e.Of != y.Of {
			continue
		}
		if e.At.After(y.After) {
			y.After = e.At
		}
		if e.By == y.By && e.At.After(y.AfterOwn) {
			y.AfterOwn = e.At
		}
	}
	return y
}

// followsVotes reports whether the vote has the times of the earlier votes in its thing,
// and agrees with them.
func (y Vote) followsVotes(earlier []Vote) bool {
	bare := y
	bare.After, bare.AfterOwn = time.Time{}, time.Time{}
	again := bare.Following(earlier)
	if !again.After.Equal(y.After) || !again.AfterOwn.Equal(y.AfterOwn) {
		return false
	}
	for _, e := range earlier {
		if e.Of == y.Of && (e.Wallet != y.Wallet || e.Destination != y.Destination || e.Token != y.Token || e.Amount != y.Amount || e.Credit != y.Credit) {
			return false
		}
	}
	return true
}

// VoteOf returns the vote of an event that Covered made.
func VoteOf(e event.Event) (y Vote, err error) {
	of, at, _ := cutLast(e.ID)
	of, by, found := cutLast(of)
	if e.Kind != event.Vote || !found {
		return Vote{}, fmt.Errorf("player: %s %q is not a vote", e.Kind, e.ID)
	}
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return Vote{}, fmt.Errorf("player: vote %q has no time", e.ID)
	}
	y = Vote{Of: of, By: wallet.Address(by), At: time.UnixMicro(micros).UTC(), Wallet: e.Wallet}
	for _, f := range e.Fields {
		switch f.Name {
		case "credit":
			y.Credit = true
		case "passes":
			y.Passes = true
		case "destination":
			y.Destination = f.Value
		case "token":
			y.Token = money.Token(f.Value)
		case "grantedBy":
			y.GrantedBy = wallet.Address(f.Value)
		case "amount":
			var amount int64
			amount, err = strconv.ParseInt(f.Value, 10, 64)
			y.Amount = money.Amount(amount)
		}
		if err != nil {
			return Vote{}, fmt.Errorf("player: vote %q is about %q", e.ID, f.Value)
		}
	}
	y.GrantedAt, _ = e.Moment("grantedAt")
	y.After, _ = e.Moment("after")
	y.AfterOwn, _ = e.Moment("afterOwn")
	return y, nil
}

func cutLast(id string) (before, after string, found bool) {
	at := strings.LastIndexByte(id, '/')
	if at < 0 {
		return id, "", false
	}
	return id[:at], id[at+1:], true
}
