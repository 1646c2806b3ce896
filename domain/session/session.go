// Package session is what a player did with the balances kept here since a sign-in: a
// tally of each token, counted from what is booked, and what it was when the session
// began. What was played in the session is the difference of the two, so that it costs
// the same however long the session or the player's history is.
//
// A session counts all that the player does while it lasts, through other sessions, by
// games of third parties and by withdrawals that an admin decides too: it answers how
// much the player won or lost since signing in, not by which device.
package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Tally is what was done with a player's balance of a token. It only counts up, but for
// Deposited.
type Tally struct {
	// Rounds are those that took a stake from the balance.
	Rounds int64
	// Wagered are the stakes, Won what was paid for them, a void round's stake among both.
	Wagered, Won money.Total
	// Deposited is what arrived on chain, assigned by an admin or not, less what withdrawals took aside: one that was
	// cancelled or rejected came back.
	Deposited money.Total
}

// Add returns both tallies together.
func (t Tally) Add(u Tally) Tally {
	return Tally{t.Rounds + u.Rounds, t.Wagered.Add(u.Wagered), t.Won.Add(u.Won), t.Deposited.Add(u.Deposited)}
}

// Sub returns what t is beyond u.
func (t Tally) Sub(u Tally) Tally {
	return Tally{t.Rounds - u.Rounds, t.Wagered.Sub(u.Wagered), t.Won.Sub(u.Won), t.Deposited.Sub(u.Deposited)}
}

// String is for messages.
func (t Tally) String() string {
	return fmt.Sprintf("%d rounds, %v wagered, %v won, %v deposited", t.Rounds, t.Wagered, t.Won, t.Deposited)
}

// Net is what the player won, below zero what was lost.
func (t Tally) Net() money.Total { return t.Won.Sub(t.Wagered) }

// Of returns what a transfer counts and whose account it is of; false for one that
// counts nothing. Adjustments by admins and repayments of debts are neither play nor
// deposits. What was staked on an open round counts when the round has ended.
func Of(t *ledger.Transfer) (of ledger.Account, by Tally, counts bool) {
	of, other, sum := t.Credit, t.Debit.Kind, money.TotalOf(t.Amount)
	if other == ledger.Stake && of.Kind == ledger.House { // an open round has ended
		return ledger.Account{Kind: ledger.Player, Owner: t.Debit.Owner}, Tally{Rounds: 1, Wagered: sum}, true
	}
	into := of.Kind == ledger.Player
	if !into {
		of, other = t.Debit, t.Credit.Kind
	}
	if of.Kind != ledger.Player {
		return ledger.Account{}, Tally{}, false
	}
	switch other {
	case ledger.House, ledger.Provider:
		if into {
			return of, Tally{Won: sum}, true
		}
		return of, Tally{Rounds: 1, Wagered: sum}, true
	case ledger.Chain, ledger.Unclaimed, ledger.Assigned, ledger.Hold:
		if into {
			return of, Tally{Deposited: sum}, true
		}
		return of, Tally{Deposited: sum.Neg()}, true
	}
	return ledger.Account{}, Tally{}, false
}

// Played is a tally of a token.
type Played struct {
	Token money.Token
	Tally
}

// Tallies returns the tallies that count something, sorted by token.
func Tallies(all map[money.Token]Tally) []Played {
	var played []Played
	for token, tally := range all {
		if tally != (Tally{}) {
			played = append(played, Played{token, tally})
		}
	}
	slices.SortFunc(played, func(a, b Played) int { return strings.Compare(string(a.Token), string(b.Token)) })
	return played
}

// Session is a sign-in, with what had been counted of its player before.
type Session struct {
	Wallet wallet.Address
	// IssuedAt is when its bearer token was issued, to the millisecond: it names the
	// session among the wallet's.
	IssuedAt time.Time
	// Until is when the token expires. Afterwards nobody asks for the session.
	Until time.Time
	// Before is what had been counted when the session began, sorted by token.
	Before []Played
}

// Since returns what was done since the session began, of each token of which anything
// was, sorted by token; now is what is counted of the wallet at present.
func (s Session) Since(now []Played) []Played {
	since := make(map[money.Token]Tally, len(now))
	for _, p := range now {
		since[p.Token] = since[p.Token].Add(p.Tally)
	}
	for _, p := range s.Before {
		since[p.Token] = since[p.Token].Sub(p.Tally)
	}
	return Tallies(since)
}
