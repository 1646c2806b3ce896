package seamless_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

func TestALanguageIsATag(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"pt", "pt-BR", "zh-Hans-CN", "es-419", "de-CH-1996", "aaaaaaaa-1"} {
		if !seamless.ValidLanguage(tag) {
			t.Errorf("%q is refused", tag)
		}
	}
	for _, tag := range []string{
		"", "p", "aaaaaaaaa", "pt-", "-pt", "pt--BR", "pt_BR", "1t", "pt-aaaaaaaaa", "../", "pt\n", "português", "pt" + strings.Repeat("-a", 17),
	} {
		if seamless.ValidLanguage(tag) {
			t.Errorf("%q is taken", tag)
		}
	}
}

func TestALanguageHasAtMost35Bytes(t *testing.T) {
	t.Parallel()
	subtags := strings.Repeat("-a", 16)
	if longest := "por" + subtags; len(longest) != 35 || !seamless.ValidLanguage(longest) {
		t.Errorf("%q, of %d bytes, is refused", longest, len(longest))
	}
	if longer := "port" + subtags; seamless.ValidLanguage(longer) {
		t.Errorf("%q, of %d bytes, is taken", longer, len(longer))
	}
}

// TestDecimalsAgainstRationals parses numbers as exact rationals.
func TestDecimalsAgainstRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?([eE][+-]?[0-9])?`).Draw(t, "number")
		scale := seamless.Scale(rapid.IntRange(0, int(seamless.ScaleMax)).Draw(t, "scale"))
		decimal, err := seamless.ParseDecimal("bet_money", text)
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := new(big.Rat).SetString(text)
		if back, ok := new(big.Rat).SetString(string(decimal)); !ok || back.Cmp(exact) != 0 {
			t.Fatalf("%q is read as %q", text, decimal)
		}
		if again, err := seamless.ParseDecimal("bet_money", string(decimal)); err != nil || again != decimal {
			t.Fatalf("%q is not canonical: %q, %v", decimal, again, err)
		}
		exact.Mul(exact, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
		whole := new(big.Int).Quo(exact.Num(), exact.Denom())
		amount, residue, ok := decimal.Units(scale)
		if ok != whole.IsInt64() {
			t.Fatalf("%q at scale %d: fits %v, exactly %v", text, scale, ok, whole)
		}
		if !ok {
			return
		}
		left := new(big.Rat)
		if residue != "" {
			left.SetString(residue)
		}
		sum := left.Add(left, new(big.Rat).SetInt64(int64(amount)))
		if int64(amount) != whole.Int64() || sum.Cmp(exact) != 0 {
			t.Fatalf("%q at scale %d is %d and %q, exactly %v", text, scale, amount, residue, exact)
		}
	})
}

func TestAmountsComeBackExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Amount(rapid.Int64Min(0).Draw(t, "amount"))
		scale := seamless.Scale(rapid.IntRange(0, int(seamless.ScaleMax)).Draw(t, "scale"))
		back, residue, ok := seamless.DecimalOf(amount, scale).Units(scale)
		if back != amount || residue != "" || !ok {
			t.Fatalf("%d at scale %d is %q and comes back as %d, %q", amount, scale, seamless.DecimalOf(amount, scale), back, residue)
		}
	})
}

func TestWhatIsNoMoneyIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "-1", "-0.01", "+1", ".5", "5.", "1e", "1e+-2", "1e9999", "1e400", "0x10", "NaN", "Infinity", "1,5", " 1", "1 ",
		"\"1\"", "1.2.3", "--0", strings.Repeat("9", 41), "0." + strings.Repeat("1", 41), "1e99999999999999999999",
	} {
		if got, err := seamless.ParseDecimal("bet_money", text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]seamless.Decimal{
		"-0": "0", "0.0": "0", "1e-7": "0.0000001", "1.50": "1.5", "12e2": "1200", "0.001E3": "1", "007": "7",
	} {
		if got, err := seamless.ParseDecimal("bet_money", text); err != nil || got != want {
			t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	f.Add("1.5e3", uint8(9))
	f.Fuzz(func(t *testing.T, text string, scale uint8) {
		d, err := seamless.ParseDecimal("win_money", text)
		if err == nil {
			d.Units(seamless.Scale(scale % 19))
		}
	})
}

func ExampleDecimal_Units() {
	win, _ := seamless.ParseDecimal("win_money", "1.2345678912")
	amount, residue, _ := win.Units(9)
	fmt.Println(amount, residue)
	fmt.Println(seamless.DecimalOf(amount, 9))
	// Output:
	// 1234567891 0.2
	// 1.234567891
}
