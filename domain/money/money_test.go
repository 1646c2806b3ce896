package money_test

import (
	"fmt"
	"math"
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

// TestAmountsAreRefusedOneAboveTheirEdge lists edges that random amounts rarely reach. A
// refused result is 0, so that a caller that ignores the refusal pays nothing.
func TestAmountsAreRefusedOneAboveTheirEdge(t *testing.T) {
	t.Parallel()
	type result struct {
		amount money.Amount
		ok     bool
	}
	of := func(amount money.Amount, ok bool) result { return result{amount, ok} }
	refused := result{}
	ratio := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for name, row := range map[string]struct{ got, want result }{
		"Max + 0":                        {of(money.Max.Add(0)), result{money.Max, true}},
		"Max-1 + 1":                      {of((money.Max - 1).Add(1)), result{money.Max, true}},
		"Max + 1":                        {of(money.Max.Add(1)), refused},
		"Max + Max":                      {of(money.Max.Add(money.Max)), refused},
		"5 - 5":                          {of(money.Amount(5).Sub(5)), result{0, true}},
		"5 - 6":                          {of(money.Amount(5).Sub(6)), refused},
		"0 - Max":                        {of(money.Amount(0).Sub(money.Max)), refused},
		"Max × 1":                        {of(money.Max.Times(ratio(1, 1))), result{money.Max, true}},
		"Max/2+1 × 2 is one above":       {of((money.Max/2 + 1).Times(ratio(2, 1))), refused},
		"Max × 2 still fits 64 bits":     {of(money.Max.Times(ratio(2, 1))), refused},
		"Max × 1.0000…1":                 {of(money.Max.Times(ratio(1<<62+1, 1<<62))), refused},
		"2^62 × 4 is exactly 2^64":       {of(money.Amount(1 << 62).Times(ratio(4, 1))), refused},
		"2^62 × 8 / 2: high word = 1":    {of(money.Amount(1 << 62).Times(ratio(8, 2))), refused},
		"Max × the greatest ratio":       {of(money.Max.Times(ratio(math.MaxUint64, 1))), refused},
		"1 × 2/3 is rounded down":        {of(money.Amount(1).Times(ratio(2, 3))), result{0, true}},
		"5 × 0/1":                        {of(money.Amount(5).Times(ratio(0, 1))), result{0, true}},
		"0 × no number":                  {of(money.Amount(0).Times(ratio(0, 0))), refused},
		"5 × 3/0":                        {of(money.Amount(5).Times(ratio(3, 0))), refused},
		"a total of 0":                   {of(money.Total{}.Amount()), result{0, true}},
		"a total of Max":                 {of(money.TotalOf(money.Max).Amount()), result{money.Max, true}},
		"a total of Max+1":               {of(money.TotalOf(money.Max).AddAmount(1).Amount()), refused},
		"a total of -1":                  {of(money.TotalOfInt(-1).Amount()), refused},
		"a total of 2^64, low word zero": {of(money.TotalOfProduct(1<<32, 1<<32).Amount()), refused},
	} {
		if row.got != row.want {
			t.Errorf("%s = %+v, want %+v", name, row.got, row.want)
		}
	}
}

// TestTotalsAreWhatTheyAreMadeOf compares each way to make a total with plain digits;
// comparing totals with one another would accept all zeros.
func TestTotalsAreWhatTheyAreMadeOf(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]money.Total{
		"0":                               {},
		"7":                               money.TotalOf(7),
		"9223372036854775807":             money.TotalOf(money.Max),
		"-1":                              money.TotalOfInt(-1),
		"-9223372036854775808":            money.TotalOfInt(math.MinInt64),
		"9":                               money.TotalOfInt(9),
		"36893488147419103230":            money.TotalOfProduct(math.MaxUint64, 2),
		"12":                              money.TotalOf(5).AddAmount(7),
		"-2":                              money.TotalOf(5).SubAmount(7),
		"5070602400912917605986812821503": money.TotalMax,
		"-36893488147419103230":           money.TotalOfProduct(math.MaxUint64, 2).Neg(),
		"18446744073709551616":            money.TotalOfProduct(1<<32, 1<<32),
		"3689348814741910323":             money.TotalOfProduct(math.MaxUint64, 2).DivFloor(10),
		"18446744073709551615":            money.TotalOfProduct(math.MaxUint64, 7).DivFloor(7),
	} {
		digits, _ := new(big.Int).SetString(want, 10)
		if got.String() != want || got.Big().Cmp(digits) != 0 || got.Sign() != digits.Sign() {
			t.Errorf("got %s (sign %d), want %s", got, got.Sign(), want)
		}
	}
}

func TestTotalsCompareInBothWords(t *testing.T) {
	t.Parallel()
	high := money.TotalOfProduct(1<<32, 1<<32) // 2^64: its low word is zero
	ascending := []money.Total{
		high.Neg().Sub(money.TotalOf(1)), high.Neg(), money.TotalOfInt(-1), {}, money.TotalOf(1), money.TotalOf(2),
		high, high.AddAmount(1), high.AddAmount(2), high.Add(high), money.TotalMax,
	}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := a.Cmp(b); got != want || a.Sub(b).Sign() != want {
				t.Errorf("%v against %v: %d, difference %v, want %d", a, b, got, a.Sub(b), want)
			}
		}
	}
}

func TestScalingSaturatesExactlyAtTheBound(t *testing.T) {
	t.Parallel()
	half := money.TotalMax.Sub(money.TotalOf(1)).DivFloor(2) // 2·half is one below the bound
	one := money.TotalOf(1)
	for name, row := range map[string]struct {
		total  money.Total
		factor uint64
		want   money.Total
	}{
		"one below":                       {half, 2, money.TotalMax.Sub(one)},
		"at the bound":                    {money.TotalMax, 1, money.TotalMax},
		"one above":                       {half.Add(one), 2, money.TotalMax},
		"nothing":                         {money.TotalMax, 0, money.Total{}},
		"beyond 2^128":                    {money.TotalMax, math.MaxUint64, money.TotalMax},
		"a high word beyond 64 bits":      {money.TotalOfProduct(1<<63, 1<<39), 1 << 26, money.TotalMax},
		"a high word that looks signed":   {money.TotalOfProduct(1<<63, 1<<38), 1 << 26, money.TotalMax},
		"a carry into a full high word":   {money.TotalOfProduct(math.MaxUint64, 1<<38), math.MaxUint64, money.TotalMax},
		"the low word alone carries":      {money.TotalOfProduct(math.MaxUint64, 1), 1 << 38, money.TotalOfProduct(math.MaxUint64, 1<<38)},
		"the low word carries too far":    {money.TotalOfProduct(math.MaxUint64, 1), 1 << 63, money.TotalMax},
		"high words whose product is 2⁶³": {money.TotalOfProduct(1<<32, 1<<32), 1 << 63, money.TotalMax},
	} {
		if got := row.total.TimesSaturating(row.factor); got != row.want {
			t.Errorf("%s: %v × %d = %v, want %v", name, row.total, row.factor, got, row.want)
		}
	}
}

func TestRatiosAtTheirEdges(t *testing.T) {
	t.Parallel()
	ratio := func(num, den uint64) money.Ratio { return money.Ratio{Num: num, Den: den} }
	for text, r := range map[string]money.Ratio{
		"undefined":             ratio(1, 0),
		"0.0000000000000000001": ratio(1, 10_000_000_000_000_000_000), // 19 digits, the most allowed
		"1/1048576":             ratio(1, 1<<20),                      // 20 digits
		"3/1048576":             ratio(6, 1<<21),
		"0.0000019073486328125": ratio(1, 1<<19),
		"1/6":                   ratio(1, 6),
		"7/3":                   ratio(7, 3),
		"2.5":                   ratio(5, 2),
		"18446744073709551615":  ratio(math.MaxUint64, 1),
	} {
		if got := r.String(); got != text {
			t.Errorf("%d/%d prints as %q, want %q", r.Num, r.Den, got, text)
		}
	}
	for _, r := range []money.Ratio{ratio(0, 0), ratio(1, 1), ratio(1, 7)} {
		if r.Reduced() != r {
			t.Errorf("%d/%d reduced is %+v", r.Num, r.Den, r.Reduced())
		}
	}
	if got := ratio(0, 5).Reduced(); got != ratio(0, 1) {
		t.Errorf("0/5 reduced is %+v", got)
	}
	big := uint64(1) << 63 // the products differ in the high word, agree in the low one
	for _, row := range []struct {
		a, b money.Ratio
		want int
	}{
		{ratio(big, 1), ratio(big, 2), 1}, {ratio(big, 2), ratio(big, 1), -1},
		{ratio(1, 2), ratio(2, 4), 0}, {ratio(1, 3), ratio(1, 2), -1}, {ratio(2, 3), ratio(1, 2), 1},
		{ratio(math.MaxUint64, 2), ratio(1, 1), 1},
	} {
		if got := row.a.Cmp(row.b); got != row.want {
			t.Errorf("%v against %v: %d, want %d", row.a, row.b, got, row.want)
		}
	}
	if got := money.Decimal(5, 19).DecimalText(19); got != "0.0000000000000000005" {
		t.Errorf("5/10^19 is %q", got)
	}
}

func TestATokenIsThirtyTwoBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"11111111111111111111111111111111":  true, // 32 zero bytes
		"111111111111111111111111111111111": false,
		"1111111111111111111111111111111":   false,
	} {
		token, err := money.ParseToken(text)
		if ok := err == nil; ok != want || ok && string(token) != text || !ok && (!fault.Is(err, fault.Invalid) || token != "") {
			t.Errorf("%q: %q, %v", text, token, err)
		}
	}
}

func TestRatiosAsNumbersHaveEighteenDigits(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]money.Ratio{
		"1.98": {Num: 198, Den: 100}, "0": {Num: 0, Den: 7}, "0.33333333333333333": {Num: 1, Den: 3}, "2.34666666666666666": {Num: 176, Den: 75},
		"13.3333333333333333": {Num: 40, Den: 3}, "0.00000190734863281": {Num: 1, Den: 1 << 19}, "5148297": {Num: 51_482_970_000, Den: 10_000},
		"123456789012345678": {Num: 1_234_567_890_123_456_789, Den: 10}, "12345678901234567.8": {Num: 123_456_789_012_345_678, Den: 10},
		"18446744073709551615": {Num: math.MaxUint64, Den: 1},
	} {
		if got := r.NumberText(); got != want {
			t.Errorf("%d/%d is %s, want %s", r.Num, r.Den, got, want)
		}
	}
	if got := (money.Ratio{Num: 5}).NumberText(); got != "0" {
		t.Errorf("no number is %s", got)
	}
}
