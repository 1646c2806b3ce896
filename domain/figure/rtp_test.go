package figure_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
)

// flips are rounds of a fair game that pays 1.98 times the wager half of the
// time, of which so many more than half were won.
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

// TestAProvidersGameIsHeldAgainstNothing: its rules aren't known here, however much was
// played and paid.
func TestAProvidersGameIsHeldAgainstNothing(t *testing.T) {
	t.Parallel()
	played := figure.Cell{Rounds: 5000, Wagered: money.TotalOfInt(5_000_000), Paid: money.TotalOfInt(4_800_000)}
	if got, want := played.Return("MAKER"), (figure.Return{Actual: 960_000, Verdict: figure.Unknown}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := (figure.Cell{}).Return("MAKER"), (figure.Return{Verdict: figure.Unknown}); got != want {
		t.Errorf("of nothing: %+v, want %+v", got, want)
	}
}

// A slot machine that pays out too much shows once enough was played.
func ExampleCell_Return() {
	fair, broken := flips(10_000, 1000, 40), flips(10_000, 1000, 400)
	fmt.Println(fair.Return(figure.Own).Actual, fair.Return(figure.Own).Verdict)
	fmt.Println(broken.Return(figure.Own).Actual, broken.Return(figure.Own).Verdict)
	// Output:
	// 997920 within
	// 1069200 outside
}
