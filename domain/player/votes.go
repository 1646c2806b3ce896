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

// voterRole is the admin as the vote knows them.
func (y Vote) voterRole() rbac.Assignment {
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

// votesNeeded is what an approval of the withdrawal counts with.
func (d WithdrawalDecision) votesNeeded(w withdrawal.Withdrawal) VotesNeed {
	return VotesNeed{Of: w.ID, Destination: w.Destination, Token: w.Token, By: d.By, At: d.At}
}

// approvalsNeeded is how many persons must approve the withdrawal: it counts
// with everything that was approved within a day for the player, to the
// destination, or by the same person, and with what all admins let go.
func (v View) approvalsNeeded(w withdrawal.Withdrawal, d WithdrawalDecision) int {
	return v.personsNeeded(d.Terms, d.votesNeeded(w), w.Wallet, w.Amount)
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
	return withdrawal.ApprovalsNeeded(terms, saturatedAmount(most.AddAmount(amount)), saturatedAmount(v.Counted.All.AddAmount(amount)))
}

// votesIn are the votes in one thing.
func (v View) votesIn(of string) []Vote {
	return slices.DeleteFunc(slices.Clone(v.Votes), func(y Vote) bool { return y.Of != of })
}

func saturatedAmount(sum money.Total) money.Amount {
	if amount, ok := sum.Amount(); ok {
		return amount
	}
	return money.Max
}

// VoteSlot is in what steps of time votes are counted. A step counts as long as any of it
// is within VoteWindow: an amount counts for VoteWindow and up to one step more, never
// less, and what is counted is the sum of a bounded number of steps, however many votes
// were given.
const VoteSlot = 10 * time.Minute

// SlotOf is the number of the step that the moment is in.
func SlotOf(at time.Time) int64 { return at.Unix() / int64(VoteSlot/time.Second) }

// Counted is what earlier votes within VoteWindow were about, in the token of the next
// one, of credits or of withdrawals as that is: to the same player (or to nobody), to the
// same destination, by the same admin, whether it was let go or waits; and what all admins
// together let go. Each thing is counted once, with the one that the next vote is in.
type Counted struct{ Player, Destination, Admin, All money.Total }

// Count counts votes for the next one about a wallet, one by one: what stores that keep
// sums must come to, too. Each thing counts from its newest vote of a sort on.
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

// VoteSort is by what votes are counted together.
type VoteSort string

// The sorts, by what their names name.
const (
	ByPlayer      VoteSort = "player"      // a wallet, or nobody
	ByDestination VoteSort = "destination" // of withdrawals
	ByAdmin       VoteSort = "admin"       // a wallet
	ByAll         VoteSort = "all"         // nothing: what all admins let go
)

// VoteTally names a kept sum: of what votes that are counted together were about, in a
// step of time.
type VoteTally struct {
	Sort   VoteSort
	Name   string
	Token  money.Token
	Credit bool
	Slot   int64
}

// Tallies are what the need's sums are kept under, each from the step Since on.
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

// Add adds a kept sum of Tallies.
func (c *Counted) Add(sort VoteSort, sum money.Total) {
	into := map[VoteSort]*money.Total{ByPlayer: &c.Player, ByDestination: &c.Destination, ByAdmin: &c.Admin, ByAll: &c.All}[sort]
	*into = into.Add(sum)
}

// Tally calls add with what the vote adds to each kept sum. Where its thing was counted in
// an earlier step, it is taken out there, so that it is counted once.
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

// Creditor is who had a vote in credits to a player, by a role of one origin.
type Creditor struct {
	Wallet, By, GrantedBy wallet.Address
	GrantedAt             time.Time
}

// Creditor is who credited a player with the vote, false for one in anything else.
func (y Vote) Creditor() (Creditor, bool) {
	return Creditor{y.Wallet, y.By, y.GrantedBy, y.GrantedAt}, y.Credit && y.Wallet != ""
}

// Vote is the newest vote of a creditor as far as it is remembered: it is in nothing that
// is named, and of no amount.
func (c Creditor) Vote(at time.Time) Vote {
	return Vote{Credit: true, Wallet: c.Wallet, By: c.By, GrantedBy: c.GrantedBy, GrantedAt: c.GrantedAt, At: at}
}

// Following is the vote with when those before it in its thing were given.
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

// followsVotes reports whether the vote says when those before it in its thing were given, and
// is about the same.
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

// VoteOf reads a vote from what blocks cover of it.
func VoteOf(e event.Event) (y Vote, err error) {
	of, at, _ := cutLast(e.ID)
	of, by, found := cutLast(of)
	if e.Kind != event.Vote || !found {
		return Vote{}, fmt.Errorf("player: %s %q is no vote", e.Kind, e.ID)
	}
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return Vote{}, fmt.Errorf("player: vote %q has no moment", e.ID)
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
