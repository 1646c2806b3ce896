package settings

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// tokenEntry is one token in the tokens file. Amounts are JSON integers of base units;
// bankrollShare is a decimal text such as "0.01".
type tokenEntry struct {
	Mint          string        `json:"mint"`
	Symbol        string        `json:"symbol"`
	Decimals      uint8         `json:"decimals"`
	Program       token.Program `json:"program"`
	MinDeposit    int64         `json:"minDeposit"`
	MinWager      *int64        `json:"minWager"`
	MaxWager      int64         `json:"maxWager"`
	MaxPayout     int64         `json:"maxPayout"`
	MinWithdrawal int64         `json:"minWithdrawal"`
	MaxWithdrawal int64         `json:"maxWithdrawal"`
	// TwoPersonAbove and TwoPersonAbovePerDay are integers, or null for never; absent if no
	// choice was made.
	TwoPersonAbove       jsontext.Value `json:"twoPersonAbove"`
	TwoPersonAbovePerDay jsontext.Value `json:"twoPersonAbovePerDay"`
	PayoutCap            int64          `json:"payoutCap"`
	PayoutCapPerHour     int64          `json:"payoutCapPerHour"`
	// NewAccountFee covers the rent of a token account that a withdrawal opens; the account's
	// owner can close it and keep the rent. Nil if no choice was made.
	NewAccountFee *int64 `json:"newAccountFee"`
	BankrollShare string `json:"bankrollShare"`
	// LargeWin is the payout above which a round is recorded in the audit log; absent or 0
	// means never.
	LargeWin int64 `json:"largeWin"`
}

// ReadTokens reads a tokens file: {"tokens": [...]}. It reports all faults at once, with
// token and field. With stated, for real money, every choice must be made: a token without
// twoPersonAbove or twoPersonAbovePerDay is then a fault.
func ReadTokens(r io.Reader, stated bool) ([]token.Terms, error) {
	var file struct {
		Tokens []tokenEntry `json:"tokens"`
	}
	if err := json.UnmarshalRead(r, &file, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("tokens file: %w", err)
	}
	if len(file.Tokens) == 0 {
		return nil, errors.New("tokens file: it has no tokens")
	}
	var faults []error
	seen := map[string]bool{}
	all := make([]token.Terms, 0, len(file.Tokens))
	for i, entry := range file.Tokens {
		if seen[entry.Mint] {
			faults = append(faults, fmt.Errorf("tokens file: token %d: mint %s is listed twice", i, entry.Mint))
		}
		seen[entry.Mint] = true
		terms, err := entry.toTerms(stated)
		for _, fault := range append(terms.Check(), err) {
			if fault != nil {
				faults = append(faults, fmt.Errorf("tokens file: token %d (%s): %w", i, entry.Symbol, fault))
			}
		}
		all = append(all, terms)
	}
	return all, errors.Join(faults...)
}

func (e tokenEntry) toTerms(stated bool) (token.Terms, error) {
	share, shareErr := parseShare(e.BankrollShare)
	twoPersonAbove, err := parseThreshold("twoPersonAbove", e.TwoPersonAbove, stated)
	perDay, perDayErr := parseThreshold("twoPersonAbovePerDay", e.TwoPersonAbovePerDay, stated)
	terms := token.Terms{
		Mint: money.Token(e.Mint), Symbol: e.Symbol, Decimals: e.Decimals, Program: e.Program,
		MinDeposit: money.Amount(e.MinDeposit), MinWager: token.MinWagerDefault,
		MaxWager: money.Amount(e.MaxWager), MaxPayout: money.Amount(e.MaxPayout),
		MinWithdrawal: money.Amount(e.MinWithdrawal), MaxWithdrawal: money.Amount(e.MaxWithdrawal),
		TwoPersonAbove: twoPersonAbove, TwoPersonAbovePerDay: perDay,
		PayoutCap: money.Amount(e.PayoutCap), PayoutCapPerHour: money.Amount(e.PayoutCapPerHour),
		BankrollShare: share, LargeWin: money.Amount(e.LargeWin),
	}
	if e.MinWager != nil {
		terms.MinWager = money.Amount(*e.MinWager)
	}
	var feeErr error
	switch {
	case e.NewAccountFee != nil:
		terms.NewAccountFee = money.Amount(*e.NewAccountFee)
	case stated && e.Program != token.System:
		feeErr = errors.New("newAccountFee: must be stated for this token: what a withdrawal to a fresh token account costs, " +
			"in the token's base units, at least the rent of such an account (about 0.002 SOL); 0 gives every fresh wallet that rent")
	}
	return terms, errors.Join(shareErr, err, perDayErr, feeErr)
}

// WriteTokens writes a tokens file with every choice stated. ReadTokens reads it back to
// the same terms.
func WriteTokens(w io.Writer, all []token.Terms) error {
	file := struct {
		Tokens []tokenEntry `json:"tokens"`
	}{}
	for _, t := range all {
		minWager, fee := int64(t.MinWager), int64(t.NewAccountFee)
		file.Tokens = append(file.Tokens, tokenEntry{
			Mint: string(t.Mint), Symbol: t.Symbol, Decimals: t.Decimals, Program: t.Program,
			MinDeposit: int64(t.MinDeposit), MinWager: &minWager, MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
			MinWithdrawal: int64(t.MinWithdrawal), MaxWithdrawal: int64(t.MaxWithdrawal),
			TwoPersonAbove: thresholdText(t.TwoPersonAbove), TwoPersonAbovePerDay: thresholdText(t.TwoPersonAbovePerDay),
			PayoutCap: int64(t.PayoutCap), PayoutCapPerHour: int64(t.PayoutCapPerHour),
			NewAccountFee: &fee, BankrollShare: t.BankrollShare.DecimalText(shareDigits), LargeWin: int64(t.LargeWin),
		})
	}
	if err := json.MarshalWrite(w, file, jsontext.WithIndent("  ")); err != nil {
		return fmt.Errorf("tokens file: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func thresholdText(amount money.Amount) jsontext.Value {
	if amount == token.NoTwoPerson {
		return jsontext.Value("null")
	}
	return jsontext.Value(strconv.FormatInt(int64(amount), 10))
}

// parseThreshold parses an amount above which two persons decide.
func parseThreshold(field string, text jsontext.Value, stated bool) (money.Amount, error) {
	var amount *int64
	switch {
	case text == nil && stated:
		return 0, fmt.Errorf("%s: must be stated: an amount, 0 for always, null for never", field)
	case text == nil:
		return token.NoTwoPerson, nil
	}
	if err := json.Unmarshal(text, &amount); err != nil {
		return 0, fmt.Errorf("%s: must be an integer or null", field)
	}
	if amount == nil {
		return token.NoTwoPerson, nil
	}
	return money.Amount(*amount), nil
}

// ReadTokensFile reads the tokens file at the path.
func ReadTokensFile(path string, stated bool) ([]token.Terms, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return ReadTokens(file, stated)
}

// shareDigits is the maximum number of decimal places of a share.
const shareDigits = 9

// parseShare parses a decimal text with at most shareDigits decimal places.
func parseShare(text string) (money.Ratio, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	coefficient, err := strconv.ParseUint(whole+fraction, 10, 32)
	if err != nil || whole == "" || len(fraction) > shareDigits {
		return money.Ratio{}, errors.New(`bankrollShare: must be a decimal text such as "0.01"`)
	}
	return money.Decimal(coefficient, len(fraction)), nil
}
