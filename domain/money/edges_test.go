package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// TestAmountsAreRefusedOneAboveTheirEdge names the edges that random amounts
// hardly meet. What is refused is 0, so that a caller that overlooks the
// refusal pays nothing.
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

// TestTotalsAreWhatTheyAreMadeOf holds each way to make a total against plain
// digits; comparing totals with one another would let all be zero.
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
		"0.0000000000000000001": ratio(1, 10_000_000_000_000_000_000), // 19 digits, all it may have
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
