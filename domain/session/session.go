// Package session computes a player's play since a sign-in, on balances kept here. The
// result is the difference of two tallies of a token, the present one and that at the
// sign-in, so its cost doesn't grow with the session or the player's history.
//
// A session counts everything the player does while it lasts, including other sessions,
// third-party games and withdrawals that an admin decides. It shows how much the player
// won or lost since signing in, not on which device.
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

// Tally holds totals of a player's balance of a token. All only increase, except
// Deposited, and except by rollbacks of a provider's transactions.
type Tally struct {
	// Rounds counts the rounds that took a stake from the balance.
	Rounds int64
	// Wagered is the sum of stakes, Won of payouts; a void round's stake is in both.
	Wagered, Won money.Total
	// Deposited is the sum of deposits on chain, including those assigned by an admin, less
	// withdrawals; a cancelled or rejected withdrawal is added back.
	Deposited money.Total
}

// Add returns the sum of both tallies.
func (t Tally) Add(u Tally) Tally {
	return Tally{t.Rounds + u.Rounds, t.Wagered.Add(u.Wagered), t.Won.Add(u.Won), t.Deposited.Add(u.Deposited)}
}

// Sub returns t minus u.
func (t Tally) Sub(u Tally) Tally {
	return Tally{t.Rounds - u.Rounds, t.Wagered.Sub(u.Wagered), t.Won.Sub(u.Won), t.Deposited.Sub(u.Deposited)}
}

// String formats the tally for messages.
func (t Tally) String() string {
	return fmt.Sprintf("%d rounds, %v wagered, %v won, %v deposited", t.Rounds, t.Wagered, t.Won, t.Deposited)
}

// Net returns the amount won less wagered.
func (t Tally) Net() money.Total { return t.Won.Sub(t.Wagered) }

// Of returns the tally that a transfer of a posting adds, and its account; false if it
// adds nothing. Adjustments by admins and repayments of debts are neither play nor
// deposits. Stakes on an open round count when the round ends. A rollback subtracts the
// stake that it returns or the payout that it takes back.
func Of(kind ledger.KeyKind, t *ledger.Transfer) (of ledger.Account, by Tally, counts bool) {
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
	if kind == ledger.ProviderRollback {
		if into {
			return of, Tally{Rounds: -1, Wagered: sum.Neg()}, true
		}
		return of, Tally{Won: sum.Neg()}, true
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

// Played is the tally of a token.
type Played struct {
	Token money.Token
	Tally
}

// Tallies returns the non-zero tallies, sorted by token.
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

// Session is a sign-in, with the player's tallies at that time.
type Session struct {
	Wallet wallet.Address
	// IssuedAt is when its bearer token was issued, in milliseconds: it identifies the
	// session among the wallet's.
	IssuedAt time.Time
	// Until is when the token expires, after which the session isn't needed.
	Until time.Time
	// Before holds the tallies when the session began, sorted by token.
	Before []Played
}

// Since returns the play since the session began, sorted by token, without tokens that
// had none; now holds the wallet's present tallies.
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
