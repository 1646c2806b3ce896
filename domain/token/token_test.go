package token_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

const usdc = money.Token("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

func sol() token.Terms {
	return token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System, MinDeposit: 1, MinWager: token.MinWagerDefault,
		MaxWager: 1_000_000_000, MaxPayout: 100_000_000_000, MinWithdrawal: 1_000_000, MaxWithdrawal: 100_000_000_000,
		TwoPersonAbove: 10_000_000_000, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1_000_000_000, PayoutCapPerHour: 10_000_000_000,
		BankrollShare: money.Ratio{Num: 1, Den: 100},
	}
}

func TestCheckNamesEveryFault(t *testing.T) {
	t.Parallel()
	if faults := sol().Check(); len(faults) != 0 {
		t.Fatal(faults)
	}
	for name, row := range map[string]struct {
		change func(*token.Terms)
		field  string
	}{
		"no mint":                      {func(t *token.Terms) { t.Mint, t.Program = "", token.SPL }, "mint"},
		"a mint that isn't one":        {func(t *token.Terms) { t.Mint, t.Program = "sol", token.SPL }, "mint"},
		"no symbol":                    {func(t *token.Terms) { t.Symbol = "" }, "symbol"},
		"a long symbol":                {func(t *token.Terms) { t.Symbol = "SEVENTEEN LETTERS" }, "symbol"},
		"many decimals":                {func(t *token.Terms) { t.Decimals = 19 }, "decimals"},
		"an unknown program":           {func(t *token.Terms) { t.Mint, t.Program = usdc, "other" }, "program"},
		"sol under another program":    {func(t *token.Terms) { t.Program = token.SPL }, "program"},
		"a token under system":         {func(t *token.Terms) { t.Mint = usdc }, "program"},
		"no smallest deposit":          {func(t *token.Terms) { t.MinDeposit = 0 }, "minDeposit"},
		"no smallest wager":            {func(t *token.Terms) { t.MinWager = 0 }, "minWager"},
		"a smallest above the largest": {func(t *token.Terms) { t.MinWager = t.MaxWager + 1 }, "minWager"},
		"a payout below a wager":       {func(t *token.Terms) { t.MaxPayout = t.MaxWager - 1 }, "maxPayout"},
		"no smallest withdrawal":       {func(t *token.Terms) { t.MinWithdrawal = 0 }, "minWithdrawal"},
		"withdrawals the wrong way":    {func(t *token.Terms) { t.MinWithdrawal = t.MaxWithdrawal + 1 }, "minWithdrawal"},
		"a large win below nothing":    {func(t *token.Terms) { t.LargeWin = -1 }, "largeWin"},
		"two persons below nothing":    {func(t *token.Terms) { t.TwoPersonAbove = -1 }, "twoPersonAbove"},
		"no payout cap":                {func(t *token.Terms) { t.PayoutCap = 0 }, "payoutCap"},
		"an hour's cap below one's":    {func(t *token.Terms) { t.PayoutCapPerHour = t.PayoutCap - 1 }, "payoutCap"},
		"a fee below nothing":          {func(t *token.Terms) { t.NewAccountFee = -1 }, "newAccountFee"},
		"a fee for an account of SOL":  {func(t *token.Terms) { t.NewAccountFee = 1 }, "newAccountFee"},
		"no share":                     {func(t *token.Terms) { t.BankrollShare = money.Ratio{} }, "bankrollShare"},
		"nothing of it":                {func(t *token.Terms) { t.BankrollShare.Num = 0 }, "bankrollShare"},
		"more than all of it":          {func(t *token.Terms) { t.BankrollShare = money.Ratio{Num: 2, Den: 1} }, "bankrollShare"},
	} {
		terms := sol()
		row.change(&terms)
		faults := terms.Check()
		var refusal *fault.Error
		if len(faults) != 1 || !errors.As(faults[0], &refusal) || refusal.Kind != fault.Invalid || refusal.Details["field"] != row.field {
			t.Errorf("%s: %v, want one fault of %s", name, faults, row.field)
		}
	}
	if faults := (token.Terms{}).Check(); len(faults) < 8 {
		t.Errorf("terms with nothing in them have only these faults: %v", faults)
	}
	limits := sol()
	limits.MinWager, limits.MaxPayout, limits.TwoPersonAbove = limits.MaxWager, limits.MaxWager, token.NoTwoPerson
	limits.PayoutCapPerHour, limits.BankrollShare, limits.Decimals = limits.PayoutCap, money.Ratio{Num: 7, Den: 7}, 18
	if faults := limits.Check(); len(faults) != 0 {
		t.Errorf("at every limit: %v", faults)
	}
}

func TestBookKnowsOpenAndClosing(t *testing.T) {
	t.Parallel()
	closing := sol()
	closing.Mint, closing.Program, closing.Closing = usdc, token.SPL, true
	first := sol()
	first.Symbol = "OLD"
	book := token.NewBook(first, closing, sol())
	if got, err := book.Open(money.SOL); err != nil || got != sol() {
		t.Errorf("the last of a mint is to count: %+v, %v", got, err)
	}
	if got, err := book.Known(usdc); err != nil || got != closing {
		t.Errorf("%+v, %v", got, err)
	}
	for what, err := range map[string]error{
		"open while closing":       second(book.Open(usdc)),
		"open and unknown":         second(book.Open("other")),
		"unknown":                  second(book.Known("other")),
		"in a book without tokens": second(token.Book{}.Known(money.SOL)),
	} {
		if !fault.Is(err, fault.TokenNotAccepted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if all := book.All(); !slices.Equal(all, []token.Terms{closing, sol()}) {
		t.Errorf("%+v", all)
	}
	if all := (token.Book{}).All(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func second[T any](_ T, err error) error { return err }

func ExampleBook() {
	book := token.NewBook(token.Terms{Mint: money.SOL, Symbol: "SOL"}, token.Terms{Mint: usdc, Symbol: "USDC", Closing: true})
	_, play := book.Open(usdc)
	terms, withdraw := book.Known(usdc)
	fmt.Println(play)
	fmt.Println(terms.Symbol, withdraw)
	// Output:
	// token EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v is not accepted here
	// USDC <nil>
}

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

// TestCheckMintTakesOnlyWhatIsNamed tries every possible number of an extension: three
// are accepted, all other present and future ones aren't.
func TestCheckMintTakesOnlyWhatIsNamed(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: "mint", Program: token.Token2022, Decimals: 6}
	mint := token.Mint{Program: token.Token2022, Decimals: 6}
	if err := terms.CheckMint(mint); err != nil {
		t.Error(err)
	}
	for number := range 1 << 16 {
		mint.Extensions = []token.Extension{token.Metadata, token.Extension(number)}
		err := terms.CheckMint(mint)
		taken := number == 1 || number == 18 || number == 19
		if taken != (err == nil) || err != nil && !fault.Is(err, fault.TokenNotAccepted) {
			t.Fatalf("extension %d: %v", number, err)
		}
	}
}

func TestCheckMintHoldsTheTerms(t *testing.T) {
	t.Parallel()
	terms := token.Terms{Mint: "mint", Program: token.SPL, Decimals: 6}
	for name, r := range map[string]struct {
		mint token.Mint
		good bool
	}{
		"as it is":           {token.Mint{Program: token.SPL, Decimals: 6}, true},
		"none":               {token.Mint{}, false},
		"of another program": {token.Mint{Program: token.Token2022, Decimals: 6}, false},
		"other decimals":     {token.Mint{Program: token.SPL, Decimals: 9}, false},
		"extended":           {token.Mint{Program: token.SPL, Decimals: 6, Extensions: []token.Extension{token.Metadata}}, false},
	} {
		if err := terms.CheckMint(r.mint); (err == nil) != r.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTermsAreSealedWhole changes each field of the terms: the seal must change with
// each stored one.
func TestTermsAreSealedWhole(t *testing.T) {
	t.Parallel()
	seals := fakes.Authenticator{}
	sealed, err := token.Seal([]token.Terms{{Mint: money.SOL, BankrollShare: money.Ratio{Num: 1, Den: 2}}}, seals)
	if err != nil {
		t.Fatal(err)
	}
	whole := sealed[0]
	whole.Closing = true
	if !whole.Proved(seals) || !whole.Proved(nil) {
		t.Error("terms as they were sealed are not proved")
	}
	changed := func(name string, change func(t *token.Terms)) {
		other := whole
		if change(&other); other.Proved(seals) {
			t.Errorf("%s is not sealed", name)
		}
		if other.Closing = false; !other.Proved(seals) {
			t.Errorf("%s of a token that is configured is looked at", name)
		}
	}
	fields := reflect.TypeFor[token.Terms]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if name == "Closing" || name == "LargeWin" { // not stored
			continue
		}
		changed(name, func(t *token.Terms) {
			switch f := reflect.ValueOf(t).Elem().Field(i); f.Kind() {
			case reflect.String:
				f.SetString(f.String() + "x")
			case reflect.Uint8:
				f.SetUint(f.Uint() + 1)
			case reflect.Int64:
				f.SetInt(f.Int() + 1)
			default:
				t.BankrollShare.Num++
			}
		})
	}
	changed("the share's second part", func(t *token.Terms) { t.BankrollShare.Den++ })
}

// TestASmallWagerIsWarnedOf: rounding takes more than a tenth of a coin flip's stake.
func TestASmallWagerIsWarnedOf(t *testing.T) {
	t.Parallel()
	for wager, percent := range map[money.Amount]string{1: "50 %", 2: "75 %", 3: "83 %", 4: "87 %", 5: "", 6: "", 99: "", 100: "", token.MinWagerDefault: ""} {
		warnings := token.Terms{Symbol: "X", MinWager: wager}.Warnings()
		if (percent == "") != (len(warnings) == 0) || percent != "" && !strings.Contains(warnings[0], percent) {
			t.Errorf("a wager of %d: %q, want %q", wager, warnings, percent)
		}
	}
}
