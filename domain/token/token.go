// Package token defines the terms on which the casino accepts a token: its limits, and
// whether it is open.
//
// The terms come from configuration; use cases look a token up here first. Amounts refer
// to tokens only by money.Token.
package token

import (
	"fmt"
	"math"
	"slices"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seal"
)

// Program is the on-chain program of a token.
type Program string

// The programs.
const (
	System    Program = "system"
	SPL       Program = "spl-token"
	Token2022 Program = "token-2022"
)

// MinWagerDefault is the default smallest wager: rounding down a payout then costs the
// player at most 0.0001 of the wager.
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
	// TwoPersonAbovePerDay is the daily sum of approvals by all admins, and separately of
	// credits, above which two persons decide; 0 means always, NoTwoPerson never.
	TwoPersonAbovePerDay money.Amount
	// PayoutCap limits one payout, PayoutCapPerHour all payouts signed within an hour. A
	// payout above a cap isn't signed, and raises an alarm.
	PayoutCap        money.Amount
	PayoutCapPerHour money.Amount
	// NewAccountFee is the price of opening the destination's token account for a
	// withdrawal; the recipient can take the account's rent by closing it. It is held with
	// the amount and returned if the account exists. 0 means that the operator pays.
	NewAccountFee money.Amount
	// BankrollShare is the greatest share of the house's own money that one round may pay
	// out, at most 1.
	BankrollShare money.Ratio

	// LargeWin is the payout of one round above which it is recorded for auditors, 0 for
	// never. It isn't stored with the token.
	LargeWin money.Amount

	// Seal proves that these are the configured terms, see Sealed. Stored terms of a token
	// that is no longer configured are trusted only with it.
	Seal string

	// Closing reports that the token is no longer configured: it has no deposits and no
	// play, only withdrawals.
	Closing bool
}

// NoTwoPerson as TwoPersonAbove or TwoPersonAbovePerDay means that one approval is always enough.
const NoTwoPerson money.Amount = math.MaxInt64

// Warnings returns sentences for the operator about valid terms: a minimum wager so small
// that a coin flip returns less than 90 % of it, because payouts are rounded down.
func (t Terms) Warnings() []string {
	if t.MinWager < 1 || t.MinWager >= 100 {
		return nil
	}
	paid := t.MinWager * 198 / 100 // what a coin flip pays, half of the time
	if percent := paid * 50 / t.MinWager; paid*50 < 90*t.MinWager {
		return []string{fmt.Sprintf("minWager %d of %s is too small: payouts are rounded down to base units, so that a coin flip of it returns %d %%", t.MinWager, t.Symbol, percent)}
	}
	return nil
}

// Check returns all faults of the terms, each naming its field.
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
		{"program", "must be system for native SOL and for no other token", (t.Program == System) != (t.Mint == money.SOL)},
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

// Book holds the tokens of a service, open and closing.
type Book struct{ terms map[money.Token]Terms }

// NewBook returns a book of the terms; later terms replace earlier ones of the same
// mint.
func NewBook(all ...Terms) Book {
	book := Book{terms: make(map[money.Token]Terms, len(all))}
	for _, t := range all {
		book.terms[t.Mint] = t
	}
	return book
}

// Open returns the terms of a token that accepts deposits and bets, else a fault of kind
// TokenNotAccepted.
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

// DefaultSOLTerms returns initial terms of native SOL, in lamports: wagers of 0.0001 to
// 1 SOL, payouts of a round up to 20 SOL and up to a hundredth of the house's capital,
// withdrawals of 0.005 to 50 SOL. Two persons approve withdrawals above 10 SOL and,
// after 50 SOL a day, all. They are those of deploy/tokens.example.json.
func DefaultSOLTerms() Terms {
	return Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: System,
		MinDeposit: 1_000_000, MinWager: 100_000, MaxWager: 1_000_000_000, MaxPayout: 20_000_000_000,
		MinWithdrawal: 5_000_000, MaxWithdrawal: 50_000_000_000,
		TwoPersonAbove: 10_000_000_000, TwoPersonAbovePerDay: 50_000_000_000,
		PayoutCap: 20_000_000_000, PayoutCapPerHour: 100_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 100},
	}
}

// Extension is a Token-2022 extension of a mint by its number on chain.
type Extension uint16

// The accepted extensions: a transfer fee, because deposits count the amount that
// arrives, and metadata. All others are refused, even unknown ones. A hook can refuse
// payouts, a permanent delegate or a pause can take or hold the treasury's money, a
// closed mint can be reopened with other rules, confidential amounts can't be read, and
// default-frozen accounts can't be paid.
const (
	TransferFeeConfig Extension = 1
	MetadataPointer   Extension = 18
	Metadata          Extension = 19
)

var acceptedExtensions = []Extension{TransferFeeConfig, MetadataPointer, Metadata}

// Mint is a token's mint on chain. The zero value means that there is none.
type Mint struct {
	Program    Program
	Decimals   uint8
	Extensions []Extension
	// AccountMinimum is set for native SOL: the least lamports of an account.
	AccountMinimum money.Amount
}

// CheckMint returns nil if the mint on chain matches the terms and has no feature that
// can undo or hide a deposit, else a fault of kind TokenNotAccepted that names the
// problem.
func (t Terms) CheckMint(m Mint) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.TokenNotAccepted, "token "+string(t.Mint)+": "+format, args...)
	}
	switch {
	case m.Program == "":
		return refuse("there is no such mint")
	case m.Program != t.Program:
		return refuse("the mint belongs to %s, not to %s", m.Program, t.Program)
	case m.Decimals != t.Decimals:
		return refuse("the mint has %d decimals, not %d", m.Decimals, t.Decimals)
	}
	for _, extension := range m.Extensions {
		if t.Program != Token2022 || !slices.Contains(acceptedExtensions, extension) {
			return refuse("the mint has extension %d, which is not accepted", extension)
		}
	}
	return nil
}

// TermsPurpose is the purpose of terms' seals.
const TermsPurpose = "token terms"

// Sealed returns the message of the terms' seal: all their stored values.
func (t Terms) Sealed() []byte {
	return canonical.Message("casino token terms 1", func(e *canonical.Encoder) {
		e.Text(string(t.Mint))
		e.Text(t.Symbol)
		e.Integer(int64(t.Decimals))
		e.Text(string(t.Program))
		for _, amount := range [...]int64{
			int64(t.MinDeposit), int64(t.MinWager), int64(t.MaxWager), int64(t.MaxPayout), int64(t.MinWithdrawal), int64(t.MaxWithdrawal),
			int64(t.TwoPersonAbove), int64(t.TwoPersonAbovePerDay), int64(t.PayoutCap), int64(t.PayoutCapPerHour), int64(t.NewAccountFee),
			int64(t.BankrollShare.Num), int64(t.BankrollShare.Den),
		} {
			e.Integer(amount)
		}
	})
}

// Seal returns the terms with seals, to be stored.
func Seal(all []Terms, seals seal.Authenticator) ([]Terms, error) {
	sealed := make([]Terms, len(all))
	for i, t := range all {
		var err error
		if t.Seal, err = seal.Or(seals).Seal(TermsPurpose, t.Sealed()); err != nil {
			return nil, err
		}
		sealed[i] = t
	}
	return sealed, nil
}

// Proved reports whether the terms are authentic: open ones come from the present
// configuration, closing ones need a valid seal.
func (t Terms) Proved(seals seal.Authenticator) bool {
	return !t.Closing || seal.Or(seals).Verify(TermsPurpose, t.Sealed(), t.Seal) == nil
}
