package token_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

func TestTermsAtTheirBounds(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*token.Terms)
		want   bool
	}{
		"a symbol of 16":               {func(t *token.Terms) { t.Symbol = strings.Repeat("S", 16) }, true},
		"a symbol of one":              {func(t *token.Terms) { t.Symbol = "S" }, true},
		"18 decimals":                  {func(t *token.Terms) { t.Decimals = 18 }, true},
		"a deposit of 1":               {func(t *token.Terms) { t.MinDeposit = 1 }, true},
		"a wager of 1":                 {func(t *token.Terms) { t.MinWager, t.MaxWager = 1, 1 }, true},
		"a wager of 0":                 {func(t *token.Terms) { t.MinWager = 0 }, false},
		"a payout of the wager":        {func(t *token.Terms) { t.MaxPayout = t.MaxWager }, true},
		"a withdrawal of 1":            {func(t *token.Terms) { t.MinWithdrawal, t.MaxWithdrawal = 1, 1 }, true},
		"a withdrawal of 0":            {func(t *token.Terms) { t.MinWithdrawal = 0 }, false},
		"two persons for everything":   {func(t *token.Terms) { t.TwoPersonAbove = 0 }, true},
		"no large win":                 {func(t *token.Terms) { t.LargeWin = 0 }, true},
		"a cap of 1":                   {func(t *token.Terms) { t.PayoutCap, t.PayoutCapPerHour = 1, 1 }, true},
		"a cap of 0":                   {func(t *token.Terms) { t.PayoutCap = 0 }, false},
		"the whole bankroll":           {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 1, Den: 1} }, true},
		"a share of nothing":           {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 0, Den: 1} }, false},
		"more than the whole":          {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 2, Den: 1} }, false},
		"a share that is no number":    {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 0, Den: 0} }, false},
		"a share without a whole":      {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 1, Den: 0} }, false},
		"a fee for an account of none": {func(t *token.Terms) { t.NewAccountFee = 1 }, false},
	} {
		terms := sol()
		row.change(&terms)
		if faults := terms.Check(); (len(faults) == 0) != row.want {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func TestABookIsSortedByMint(t *testing.T) {
	t.Parallel()
	mints := []money.Token{"a", "b", "c", "d", "e", "f"}
	for range 20 { // maps have no order
		var all []money.Token
		for _, terms := range token.NewBook(token.Terms{Mint: "c"}, token.Terms{Mint: "a"}, token.Terms{Mint: "f"}, token.Terms{Mint: "b"},
			token.Terms{Mint: "e"}, token.Terms{Mint: "d"}).All() {
			all = append(all, terms.Mint)
		}
		if !slices.Equal(all, mints) {
			t.Fatalf("sorted as %v", all)
		}
	}
}

func TestAMissingMintIsNamed(t *testing.T) {
	t.Parallel()
	err := sol().CheckMint(token.Mint{})
	if !fault.Is(err, fault.TokenNotAccepted) || !strings.Contains(err.Error(), "there is no such mint") {
		t.Errorf("the zero mint: %v", err)
	}
}
