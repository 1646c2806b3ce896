package money_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

func anyAmount(t *rapid.T, name string) money.Amount {
	return money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, name))
}

func TestAmountArithmeticIsExactOrRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyAmount(t, "a"), anyAmount(t, "b")
		exactly := func(op string, got money.Amount, ok bool, want *big.Int) {
			fits := want.Sign() >= 0 && want.IsInt64()
			if ok != fits || ok && want.Int64() != int64(got) {
				t.Fatalf("%d %s %d = %d, %v; exactly %v", a, op, b, got, ok, want)
			}
		}
		bigA, bigB := big.NewInt(int64(a)), big.NewInt(int64(b))
		sum, ok := a.Add(b)
		exactly("+", sum, ok, new(big.Int).Add(bigA, bigB))
		difference, ok := a.Sub(b)
		exactly("-", difference, ok, new(big.Int).Sub(bigA, bigB))
		r := money.Ratio{Num: rapid.Uint64().Draw(t, "num"), Den: rapid.Uint64Min(1).Draw(t, "den")}
		product, ok := a.Times(r)
		want := new(big.Int).Mul(bigA, new(big.Int).SetUint64(r.Num))
		exactly("×", product, ok, want.Div(want, new(big.Int).SetUint64(r.Den)))
	})
}

func TestTimesRefusesTheZeroRatio(t *testing.T) {
	t.Parallel()
	if _, ok := money.Amount(5).Times(money.Ratio{}); ok {
		t.Error("5 × nothing/nothing is no amount")
	}
}

func TestRatiosCompareAndPrintExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := money.Ratio{Num: rapid.Uint64().Draw(t, "a"), Den: rapid.Uint64Min(1).Draw(t, "b")}
		s := money.Ratio{Num: rapid.Uint64().Draw(t, "c"), Den: rapid.Uint64Min(1).Draw(t, "d")}
		rat := func(r money.Ratio) *big.Rat {
			return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
		}
		if r.Cmp(s) != rat(r).Cmp(rat(s)) {
			t.Fatalf("Cmp(%v, %v) = %d", r, s, r.Cmp(s))
		}
		if r.Reduced().Cmp(r) != 0 {
			t.Fatalf("%v reduced is another number", r)
		}
		if back, ok := new(big.Rat).SetString(r.String()); !ok || back.Cmp(rat(r)) != 0 {
			t.Fatalf("%v prints as %q", rat(r), r.String())
		}
	})
	for text, r := range map[string]money.Ratio{
		"1.98": {19800, 10000}, "35": {35, 1}, "0": {0, 7}, "1/3": {2, 6}, "0.0001": money.Decimal(1, 4),
	} {
		if r.String() != text {
			t.Errorf("%d/%d prints as %q, want %q", r.Num, r.Den, r, text)
		}
	}
	if got := (money.Ratio{2, 3}).DecimalText(4); got != "0.6666" {
		t.Errorf("2/3 cut to 4 digits is %q", got)
	}
}

func TestTotalsAddUpLikeBigIntegers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total, model := money.Total{}, new(big.Int)
		var hi, lo int64
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			a := anyAmount(t, "a")
			step := money.TotalOf(a)
			if rapid.Bool().Draw(t, "wide") {
				step = money.TotalOfProduct(uint64(a), uint64(rapid.Uint32().Draw(t, "factor")))
			}
			if rapid.Bool().Draw(t, "negative") {
				step = step.Neg()
			}
			total, model = total.Add(step), model.Add(model, step.Big())
			stepHi, stepLo := step.Parts()
			hi, lo = hi+stepHi, lo+stepLo
		}
		if total.Big().Cmp(model) != 0 || total.String() != model.String() || total.Sign() != model.Sign() {
			t.Fatalf("total %v, exactly %v", total, model)
		}
		if money.TotalFromParts(hi, lo) != total || money.TotalFromParts(total.Parts()) != total {
			t.Fatalf("parts (%d, %d) of %v don't join", hi, lo, total)
		}
		amount, ok := total.Amount()
		if ok != (model.IsInt64() && model.Sign() >= 0) || ok && int64(amount) != model.Int64() {
			t.Fatalf("amount of %v = %d, %v", model, amount, ok)
		}
		if back := total.Sub(total); back.Sign() != 0 || total.Cmp(back) != total.Sign() {
			t.Fatalf("%v - itself = %v", total, back)
		}
	})
}

func TestScaledTotalsAreExactOrSaturate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64Range(0, 1<<38-1).Draw(t, "b")
		by, factor := rapid.Uint64Min(1).Draw(t, "by"), rapid.Uint64().Draw(t, "factor")
		total := money.TotalOfProduct(a, b)
		want := new(big.Int).Div(total.Big(), new(big.Int).SetUint64(by))
		if got := total.DivFloor(by); got.Big().Cmp(want) != 0 {
			t.Fatalf("%v / %d = %v, want %v", total, by, got, want)
		}
		want = new(big.Int).Mul(total.Big(), new(big.Int).SetUint64(factor))
		if want.Cmp(money.TotalMax.Big()) > 0 {
			want = money.TotalMax.Big()
		}
		if got := total.TimesSaturating(factor); got.Big().Cmp(want) != 0 {
			t.Fatalf("%v × %d = %v, want %v", total, factor, got, want)
		}
	})
}

func TestTokensAreMintAddresses(t *testing.T) {
	t.Parallel()
	if token, err := money.ParseToken(string(money.SOL)); err != nil || token != money.SOL {
		t.Errorf("SOL: %v, %v", token, err)
	}
	for _, text := range []string{"", "SOL", string(money.SOL) + "1", "so11111111111111111111111111111111111111112"[:40]} {
		if _, err := money.ParseToken(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("ParseToken(%q) = %v", text, err)
		}
	}
}

func ExampleAmount_Times() {
	wager := money.Amount(10_001)
	payout, ok := wager.Times(money.Decimal(198, 2))
	fmt.Println(payout, ok) // 19801.98 rounded down to a base unit
	// Output: 19801 true
}
