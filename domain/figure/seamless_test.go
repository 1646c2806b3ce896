package figure_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

func TestWhatAProvidersTransactionCounts(t *testing.T) {
	t.Parallel()
	key := figure.Key{Day: "2026-11-21", Token: money.SOL, Source: "PRAGMATIC", Game: "vs20", Agent: "north"}
	cell := func(rounds int64, wagered, paid money.Amount) figure.Cell {
		return figure.Cell{Rounds: rounds, Wagered: money.TotalOf(wagered), Paid: money.TotalOf(paid)}
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

// TestCellsAddUpFieldByField holds sums against plain figures; order and
// grouping alone would let every field be lost.
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
