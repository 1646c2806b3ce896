// Package token holds the terms on which the casino accepts a token: its limits, and
// whether it is open.
//
// The terms come from configuration; use cases look a token up here first. Money itself names tokens by money.Token alone.
package token

import (
	"math"
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Program is the on-chain program a token lives under.
type Program string

// The programs.
const (
	System    Program = "system"
	SPL       Program = "spl-token"
	Token2022 Program = "token-2022"
)

// MinWagerDefault is the smallest wager unless the operator states another:
// rounding a payout down then costs the player at most 0.0001 of the wager.
const MinWagerDefault money.Amount = 10_000

// Terms are the limits of one token, in base units.
type Terms struct {
	Mint     money.Token
	Symbol   string
	Decimals uint8
	Program  Program

	MinDeposit    money.Amount
	MinWager      money.Amount
	MaxWager      money.Amount
	MaxPayout     money.Amount // of one round
	MinWithdrawal money.Amount
	MaxWithdrawal money.Amount

	// TwoPersonAbove is the withdrawal amount above which two persons approve;
	// 0 means always, NoTwoPerson never.
	TwoPersonAbove money.Amount
	// TwoPersonAbovePerDay is what all admins together may approve, and apart from it
	// credit, within a day before two persons decide on whatever follows; 0 means
	// always, NoTwoPerson never.
	TwoPersonAbovePerDay money.Amount
	// PayoutCap bounds one payout, PayoutCapPerHour what is signed of all payouts within
	// an hour. A payout above a cap isn't signed, and raises an alarm.
	PayoutCap        money.Amount
	PayoutCapPerHour money.Amount
	// NewAccountFee is what a withdrawal costs when the destination's token account
	// has to be opened, whose deposit the recipient can take by closing it. It is
	// held with the amount and given back when the account is there. 0 means that the
	// operator pays.
	NewAccountFee money.Amount
	// BankrollShare is the part of the house's own money that one round may
	// pay out at most, at most 1.
	BankrollShare money.Ratio

	// LargeWin is the payout of one round above which it is recorded for auditors,
	// 0 for never. It isn't stored with the token.
	LargeWin money.Amount

	// Seal proves that these are the terms as they were configured, see Sealed. What a
	// database says of a token that is no longer configured counts with it alone.
	Seal string

	// Closing says that the token is no longer configured: there are no deposits and no
	// play, withdrawals stay possible.
	Closing bool
}

// NoTwoPerson as TwoPersonAbove or TwoPersonAbovePerDay means that one approval is always enough.
const NoTwoPerson money.Amount = math.MaxInt64

// Check returns every fault of the terms, each naming its field.
func (t Terms) Check() []error {
	_, malformed := money.ParseToken(string(t.Mint))
	share := t.BankrollShare
	var faults []error
	for _, rule := range []struct {
		field, sentence string
		broken          bool
	}{
		{"mint", "must be a mint address", malformed != nil},
		{"symbol", "must have 1 to 16 characters", len(t.Symbol) == 0 || len(t.Symbol) > 16},
		{"decimals", "must be at most 18", t.Decimals > 18},
		{"program", "must be system, spl-token or token-2022", !slices.Contains([]Program{System, SPL, Token2022}, t.Program)},
		{"program", "native SOL, and nothing else, is of the system program", (t.Program == System) != (t.Mint == money.SOL)},
		{"minDeposit", "must be at least 1", t.MinDeposit < 1},
		{"minWager", "must be from 1 to maxWager", t.MinWager < 1 || t.MinWager > t.MaxWager},
		{"maxPayout", "must be at least maxWager", t.MaxPayout < t.MaxWager},
		{"minWithdrawal", "must be from 1 to maxWithdrawal", t.MinWithdrawal < 1 || t.MinWithdrawal > t.MaxWithdrawal},
		{"twoPersonAbove", "must not be negative", t.TwoPersonAbove < 0},
		{"twoPersonAbovePerDay", "must not be negative", t.TwoPersonAbovePerDay < 0},
		{"largeWin", "must not be negative", t.LargeWin < 0},
		{"payoutCap", "must be from 1 to payoutCapPerHour", t.PayoutCap < 1 || t.PayoutCapPerHour < t.PayoutCap},
		{"newAccountFee", "must not be negative, and 0 for native SOL, which needs no account",
			t.NewAccountFee < 0 || t.NewAccountFee > 0 && t.Program == System},
		{"bankrollShare", "must be above 0 and at most 1", share.Den == 0 || share.Num == 0 || share.Num > share.Den},
	} {
		if rule.broken {
			faults = append(faults, fault.Field(rule.field, "%s", rule.sentence))
		}
	}
	return faults
}

// Book is the tokens a service knows, open and closing.
type Book struct{ terms map[money.Token]Terms }

// NewBook returns the book of the terms; the last one of a mint counts.
func NewBook(all ...Terms) Book {
	book := Book{terms: make(map[money.Token]Terms, len(all))}
	for _, t := range all {
		book.terms[t.Mint] = t
	}
	return book
}

// Open returns the terms of a token that deposits and bets are accepted in, else
// a fault of kind TokenNotAccepted.
func (b Book) Open(mint money.Token) (Terms, error) {
	t, ok := b.terms[mint]
	if !ok || t.Closing {
		return Terms{}, fault.New(fault.TokenNotAccepted, "token %s is not accepted here", mint)
	}
	return t, nil
}

// Known returns the terms of a token that is open or closing, else a fault of
// kind TokenNotAccepted.
func (b Book) Known(mint money.Token) (Terms, error) {
	t, ok := b.terms[mint]
	if !ok {
		return Terms{}, fault.New(fault.TokenNotAccepted, "token %s is not known here", mint)
	}
	return t, nil
}

// All returns every token, sorted by mint.
func (b Book) All() []Terms {
	all := make([]Terms, 0, len(b.terms))
	for _, t := range b.terms {
		all = append(all, t)
	}
	slices.SortFunc(all, func(x, y Terms) int {
		if x.Mint < y.Mint {
			return -1
		}
		return 1
	})
	return all
}
