package figure_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

func round(wager, payout money.Amount) bet.Round {
	return bet.Round{
		GameType: "dice", Token: "sol", Agent: "house", Wager: wager, Payout: payout, At: time.Unix(0, 0),
		Theory: bet.Theory{RTPPartsPerBillion: 989_901_000, VariancePartsPerBillion: 980_000_000},
	}
}

// TestCellsAgainstBigIntegers computes a round's cell with big integers.
func TestCellsAgainstBigIntegers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wager := rapid.OneOf(rapid.Int64Range(1, 1<<30), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "wager")
		r := round(money.Amount(wager), money.Amount(rapid.Int64Range(0, math.MaxInt64).Draw(t, "payout")))
		r.Theory.RTPPartsPerBillion = rapid.Uint64Range(0, 1_000_000_000).Draw(t, "rtp")
		r.Theory.VariancePartsPerBillion = rapid.Uint64Range(0, 1<<50).Draw(t, "variance")
		_, cell := figure.Of(r)
		expected := new(big.Int).Mul(big.NewInt(wager), new(big.Int).SetUint64(r.Theory.RTPPartsPerBillion))
		expected.Quo(expected, big.NewInt(1000)) // from parts per billion to millionths
		if cell.Rounds != 1 || cell.Expected.Big().Cmp(expected) != 0 ||
			cell.Wagered != money.TotalOf(r.Wager) || cell.Paid != money.TotalOf(r.Payout) {
			t.Fatalf("%+v, expected %v", cell, expected)
		}
		square := new(big.Int).Mul(big.NewInt(wager), big.NewInt(wager))
		exact := square.Mul(square, new(big.Int).SetUint64(r.Theory.VariancePartsPerBillion))
		exact.Quo(exact, big.NewInt(1_000_000_000))
		if exact.Cmp(figure.VarianceMax.Big()) > 0 {
			exact = figure.VarianceMax.Big()
		}
		if got := cell.Variance.Big(); got.Cmp(exact) != 0 {
			t.Fatalf("variance %v, exactly %v", got, exact)
		}
	})
}

func TestVoidRoundsExpectTheirStake(t *testing.T) {
	t.Parallel()
	r := round(700, 700)
	r.Void, r.Theory = true, bet.Theory{}
	_, cell := figure.Of(r)
	want := figure.Cell{
		Rounds: 1, Wagered: money.TotalOf(700), Paid: money.TotalOf(700), Expected: money.TotalOf(700_000_000),
	}
	if cell != want || cell.GGR().Sign() != 0 {
		t.Errorf("%+v, want %+v", cell, want)
	}
}

// TestSumsComeToTheSameInAnyOrder: lanes keep separate sums, so the order of additions
// must not matter.
func TestSumsComeToTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) figure.Cell {
			wager := rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1<<40, 1<<62)).Draw(t, "wager")
			_, cell := figure.Of(round(money.Amount(wager), money.Amount(wager/2)))
			return cell
		}), 2, 20).Draw(t, "cells")
		sum := func(order []figure.Cell) (total figure.Cell) {
			for _, cell := range order {
				total = total.Add(cell)
			}
			return total
		}
		at := rapid.IntRange(0, len(cells)).Draw(t, "split")
		straight, lanes := sum(cells), sum(cells[at:]).Add(sum(cells[:at]))
		if straight != lanes {
			t.Fatalf("%+v and %+v", straight, lanes)
		}
		if straight.Variance.Cmp(figure.VarianceMax) > 0 {
			t.Fatalf("the variance is %v", straight.Variance)
		}
		if hi, lo := straight.Variance.Parts(); money.TotalFromParts(hi, lo) != straight.Variance || hi >= 1<<52 {
			t.Fatalf("parts %d, %d of %v", hi, lo, straight.Variance)
		}
	})
}

func TestKeysNameDayAndSource(t *testing.T) {
	t.Parallel()
	r := round(1, 0)
	for _, row := range []struct {
		at  time.Time
		day string
	}{
		{time.Date(2026, 3, 1, 23, 59, 59, 999_999_999, time.UTC), "2026-03-01"},
		{time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), "2026-03-02"},
		{time.Date(2026, 3, 2, 1, 0, 0, 0, time.FixedZone("east", 7200)), "2026-03-01"},
		{time.Date(987, 12, 31, 0, 0, 0, 0, time.UTC), "0987-12-31"},
	} {
		r.At = row.at
		key, _ := figure.Of(r)
		want := figure.Key{Day: row.day, Token: "sol", Source: figure.Own, Game: "dice", Agent: "house"}
		if key != want {
			t.Errorf("%+v, want %+v", key, want)
		}
	}
}

func ExampleOf() {
	key, cell := figure.Of(round(10_000, 19_800))
	fmt.Println(key.Day, key.Game, cell.Wagered, cell.Paid, cell.GGR(), cell.Expected, cell.Variance)
	// Output: 1970-01-01 dice 10000 19800 -9800 9899010000 98000000
}

// flips are rounds of a fair game that pays 1.98 times the wager half of the time; more
// is the number of wins above half.
func flips(rounds, wager, more int64) figure.Cell {
	won := rounds/2 + more
	return figure.Cell{
		Rounds: rounds, Wagered: money.TotalOfInt(rounds * wager), Paid: money.TotalOfInt(won * wager * 198 / 100),
		Expected: money.TotalOfInt(rounds * wager * 990_000),
		Variance: money.TotalOfInt(rounds * wager * wager * 9801 / 10_000), // p(1-p)·1.98² = 0.9801
	}
}

func TestReturnsAreComparedWithTheirVariance(t *testing.T) {
	t.Parallel()
	// One standard deviation of n flips is √n/2 wins; 10,000 flips: 50 wins.
	for name, c := range map[string]struct {
		cell figure.Cell
		want figure.Return
	}{
		"as promised":              {flips(10_000, 1000, 0), figure.Return{Known: true, Actual: 990_000, Theoretical: 990_000, Margin: 40_601, Verdict: figure.Within}},
		"4 deviations up":          {flips(10_000, 1000, 200), figure.Return{Known: true, Actual: 1_029_600, Theoretical: 990_000, Margin: 40_601, Verdict: figure.Within}},
		"4 deviations down":        {flips(10_000, 1000, -200), figure.Return{Known: true, Actual: 950_400, Theoretical: 990_000, Margin: 40_601, Verdict: figure.Within}},
		"more than that, up":       {flips(10_000, 1000, 206), figure.Return{Known: true, Actual: 1_030_788, Theoretical: 990_000, Margin: 40_601, Verdict: figure.Outside}},
		"more than that, down":     {flips(10_000, 1000, -206), figure.Return{Known: true, Actual: 949_212, Theoretical: 990_000, Margin: 40_601, Verdict: figure.Outside}},
		"far off in 998 rounds":    {flips(998, 1000, 400), figure.Return{Known: true, Actual: 1_783_587, Theoretical: 990_000, Margin: 126_355, Verdict: figure.Few}},
		"nothing":                  {figure.Cell{}, figure.Return{Known: true, Verdict: figure.Few}},
		"rounded down every time":  {figure.Cell{Rounds: 2000, Wagered: money.TotalOfInt(2000), Expected: money.TotalOfInt(2000 * 990_000)}, figure.Return{Known: true, Theoretical: 990_000, Margin: 1_002_000, Verdict: figure.Within}},
		"a variance at its bound":  {figure.Cell{Rounds: 2000, Wagered: money.TotalOfInt(2000), Variance: figure.VarianceMax}, figure.Return{Known: true, Verdict: figure.Unknown}},
		"the greatest of all sums": {figure.Cell{Rounds: math.MaxInt64, Wagered: money.TotalMax, Paid: money.TotalMax, Expected: money.TotalMax}, figure.Return{Known: true, Actual: 1_000_000, Theoretical: 1, Margin: 1, Verdict: figure.Outside}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.cell.Return(figure.Own); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestAProvidersGameHasNoVerdict: the verdict on a provider's game is always
// unknown, because its rules aren't known here.
func TestAProvidersGameHasNoVerdict(t *testing.T) {
	t.Parallel()
	played := figure.Cell{Rounds: 5000, Wagered: money.TotalOfInt(5_000_000), Paid: money.TotalOfInt(4_800_000)}
	if got, want := played.Return("MAKER"), (figure.Return{Actual: 960_000, Verdict: figure.Unknown}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := (figure.Cell{}).Return("MAKER"), (figure.Return{Verdict: figure.Unknown}); got != want {
		t.Errorf("of nothing: %+v, want %+v", got, want)
	}
}

// Enough rounds reveal a slot machine that pays too much.
func ExampleCell_Return() {
	fair, broken := flips(10_000, 1000, 40), flips(10_000, 1000, 400)
	fmt.Println(fair.Return(figure.Own).Actual, fair.Return(figure.Own).Verdict)
	fmt.Println(broken.Return(figure.Own).Actual, broken.Return(figure.Own).Verdict)
	// Output:
	// 997920 within
	// 1069200 outside
}

func TestWhatAProvidersTransactionCounts(t *testing.T) {
	t.Parallel()
	key := figure.Key{Day: "2026-11-21", Token: money.SOL, Source: "PRAGMATIC", Game: "vs20", Agent: "north"}
	cell := func(rounds int64, wagered, paid money.Amount) figure.Cell {
		return figure.Cell{Rounds: rounds, Wagered: money.TotalOfInt(int64(wagered)), Paid: money.TotalOfInt(int64(paid))}
	}
	for name, row := range map[string]struct {
		kind     seamless.Kind
		status   seamless.Status
		bet, win money.Amount
		want     figure.Cell
		counts   bool
	}{
		"a bet":                  {seamless.Debit, seamless.Taken, 5, 0, cell(1, 5, 0), true},
		"a free bet":             {seamless.Debit, seamless.Taken, 0, 0, cell(1, 0, 0), true},
		"a win":                  {seamless.Credit, seamless.Taken, 0, 7, cell(0, 0, 7), true},
		"a whole round":          {seamless.DebitCredit, seamless.Taken, 5, 7, cell(1, 5, 7), true},
		"a bet, the win waiting": {seamless.DebitCredit, seamless.Review, 5, 7, cell(1, 5, 0), true},
		"a win waiting":          {seamless.Credit, seamless.Review, 0, 7, cell(0, 0, 0), false},
		"a loss":                 {seamless.Credit, seamless.Taken, 0, 0, cell(0, 0, 0), false},
		"a refused bet":          {seamless.Debit, seamless.Refused, 0, 0, cell(0, 0, 0), false},
		"a win let through":      {seamless.Settlement, seamless.Taken, 0, 7, cell(0, 0, 7), true},
		"a bet returned":         {seamless.Rollback, seamless.Taken, 0, 5, cell(0, -5, 0), true},
		"a win taken back":       {seamless.Rollback, seamless.Taken, 7, 0, cell(0, 0, -7), true},
		"a bet yet to return":    {seamless.Rollback, seamless.Review, 0, 5, cell(0, 0, 0), false},
	} {
		gotKey, got, counts := figure.OfSeamless(seamless.Transaction{
			Ref: seamless.Ref{Connection: "goldapi", Provider: "PRAGMATIC", Game: "vs20"}, Kind: row.kind, Status: row.status, Agent: "north",
			Token: money.SOL, Bet: row.bet, Win: row.win, At: time.Date(2026, 11, 22, 1, 0, 0, 0, time.FixedZone("", 2*3600)),
		})
		if gotKey != key || got != row.want || counts != row.counts {
			t.Errorf("%s: %+v, %+v, %v", name, gotKey, got, counts)
		}
	}
}

// TestCellsAddUpFieldByField compares sums with plain figures; tests of order and
// grouping alone would miss a lost field.
func TestCellsAddUpFieldByField(t *testing.T) {
	t.Parallel()
	total := money.TotalOfInt
	a := figure.Cell{Rounds: 1, Wagered: total(10), Paid: total(100), Expected: total(1_000), Variance: total(10_000)}
	b := figure.Cell{Rounds: 2, Wagered: total(20), Paid: total(200), Expected: total(2_000), Variance: total(20_000)}
	want := figure.Cell{Rounds: 3, Wagered: total(30), Paid: total(300), Expected: total(3_000), Variance: total(30_000)}
	if got := a.Add(b); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := a.GGR(); got != total(-90) {
		t.Errorf("10 wagered and 100 paid is a revenue of %v", got)
	}
	if got := figure.VarianceMax.String(); got != "4951760157141521099596496895" { // 2^92-1
		t.Errorf("the greatest variance is %s", got)
	}
	full := figure.Cell{Variance: figure.VarianceMax}
	if got := full.Add(a).Variance; got != figure.VarianceMax {
		t.Errorf("a full variance grows to %v", got)
	}
	one := figure.Cell{Variance: figure.VarianceMax.Sub(total(10_000))}
	if got := one.Add(a).Variance; got != figure.VarianceMax {
		t.Errorf("up to the greatest: %v", got)
	}
}

func TestVarianceKeepsTheRestOfABillion(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		wager money.Amount
		parts uint64
		want  string
	}{
		{1_000_000, 2_000_000_001, "2000000001000"}, {3, 999_999_999, "8"}, {1, 1_000_000_000, "1"}, {1, 999_999_999, "0"},
		{1_000_000_007, 1_500_000_000, "1500000021000000073"}, {31_623, 999_999_999, "1000014127"}, {40_000, 1, "1"},
	} {
		r := round(row.wager, 0)
		r.Theory.VariancePartsPerBillion = row.parts
		if _, cell := figure.Of(r); cell.Variance.String() != row.want {
			t.Errorf("%d at %d parts: %s, want %s", row.wager, row.parts, cell.Variance, row.want)
		}
	}
}

func TestAThousandRoundsAreEnoughToJudge(t *testing.T) {
	t.Parallel()
	for rounds, want := range map[int64]figure.Verdict{999: figure.Few, 1_000: figure.Within} {
		if got := flips(rounds, 1_000, 0).Return(figure.Own).Verdict; got != want {
			t.Errorf("%d rounds: %v", rounds, got)
		}
	}
}
