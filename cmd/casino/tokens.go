package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// tokenEntry is one token as the tokens file writes it. Amounts are JSON
// integers of base units; bankrollShare is a decimal text such as "0.01".
type tokenEntry struct {
	Mint             string        `json:"mint"`
	Symbol           string        `json:"symbol"`
	Decimals         uint8         `json:"decimals"`
	Program          token.Program `json:"program"`
	MinDeposit       int64         `json:"minDeposit"`
	MinWager         *int64        `json:"minWager"`
	MaxWager         int64         `json:"maxWager"`
	MaxPayout        int64         `json:"maxPayout"`
	MinWithdrawal    int64         `json:"minWithdrawal"`
	MaxWithdrawal    int64         `json:"maxWithdrawal"`
	TwoPersonAbove   *int64        `json:"twoPersonAbove"` // null: never
	PayoutCap        int64         `json:"payoutCap"`
	PayoutCapPerHour int64         `json:"payoutCapPerHour"`
	BankrollShare    string        `json:"bankrollShare"`
}

// readTokens reads a tokens file: {"tokens": [...]}. All faults come at once,
// each with the token and the field.
func readTokens(r io.Reader) ([]token.Terms, error) {
	var file struct {
		Tokens []tokenEntry `json:"tokens"`
	}
	if err := json.UnmarshalRead(r, &file, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("tokens file: %w", err)
	}
	if len(file.Tokens) == 0 {
		return nil, errors.New("tokens file: there is no token in it")
	}
	var faults []error
	seen := map[string]bool{}
	all := make([]token.Terms, 0, len(file.Tokens))
	for i, entry := range file.Tokens {
		if seen[entry.Mint] {
			faults = append(faults, fmt.Errorf("tokens file: token %d: mint %s is there twice", i, entry.Mint))
		}
		seen[entry.Mint] = true
		terms, err := entry.terms()
		for _, fault := range append(terms.Check(), err) {
			if fault != nil {
				faults = append(faults, fmt.Errorf("tokens file: token %d (%s): %w", i, entry.Symbol, fault))
			}
		}
		all = append(all, terms)
	}
	return all, errors.Join(faults...)
}

func (e tokenEntry) terms() (token.Terms, error) {
	share, err := parseShare(e.BankrollShare)
	terms := token.Terms{
		Mint: money.Token(e.Mint), Symbol: e.Symbol, Decimals: e.Decimals, Program: e.Program,
		MinDeposit: money.Amount(e.MinDeposit), MinWager: token.MinWagerDefault,
		MaxWager: money.Amount(e.MaxWager), MaxPayout: money.Amount(e.MaxPayout),
		MinWithdrawal: money.Amount(e.MinWithdrawal), MaxWithdrawal: money.Amount(e.MaxWithdrawal),
		TwoPersonAbove: token.NoTwoPerson,
		PayoutCap:      money.Amount(e.PayoutCap), PayoutCapPerHour: money.Amount(e.PayoutCapPerHour),
		BankrollShare: share,
	}
	if e.MinWager != nil {
		terms.MinWager = money.Amount(*e.MinWager)
	}
	if e.TwoPersonAbove != nil {
		terms.TwoPersonAbove = money.Amount(*e.TwoPersonAbove)
	}
	return terms, err
}

// parseShare reads a decimal text of at most nine digits behind the point.
func parseShare(text string) (money.Ratio, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	coefficient, err := strconv.ParseUint(whole+fraction, 10, 32)
	if err != nil || whole == "" || len(fraction) > 9 {
		return money.Ratio{}, errors.New(`bankrollShare: must be a decimal text such as "0.01"`)
	}
	return money.Decimal(coefficient, len(fraction)), nil
}
