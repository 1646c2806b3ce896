package seamless_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

func TestAnHourCountsWhatWasMoved(t *testing.T) {
	t.Parallel()
	whole := callback(seamless.DebitCredit, seamless.Taken)
	for name, c := range map[string]struct {
		t        seamless.Transaction
		won, bet money.Amount
		counts   bool
	}{
		"a whole round":        {whole, 700, 500, true},
		"a win that waits":     {callback(seamless.DebitCredit, seamless.Review), 0, 500, false},
		"a refused one":        {callback(seamless.DebitCredit, seamless.Refused), 0, 0, false},
		"what an admin let go": {callback(seamless.Settlement, seamless.Taken), 0, 0, false},
	} {
		hour := seamless.Hour{Number: 5, Won: money.TotalOf(1), Bet: money.TotalOf(2)}
		want := seamless.Hour{Number: 5, Won: money.TotalOf(1 + c.won), Bet: money.TotalOf(2 + c.bet)}
		if got := hour.With(c.t); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if got := c.t.Counts(); got != c.counts {
			t.Errorf("%s counts: %v", name, got)
		}
	}
	if got := whole.HourRef(); got != (seamless.HourRef{Connection: "goldapi", Token: money.SOL}) {
		t.Errorf("it counts in %+v", got)
	}
}

func TestAnHourNeverBeginsAnew(t *testing.T) {
	t.Parallel()
	hour := seamless.Hour{Number: 5, Won: money.TotalOf(1), Bet: money.TotalOf(2)}
	for number, want := range map[int64]seamless.Hour{4: hour, 5: hour, 6: {Number: 6}} {
		if got := hour.In(number); got != want {
			t.Errorf("in %d: %+v, want %+v", number, got, want)
		}
	}
	for at, want := range map[time.Time]int64{
		time.Unix(0, 0): 0, time.Unix(3599, 999): 0, time.Unix(3600, 0): 1,
	} {
		if got := seamless.HourOf(at); got != want {
			t.Errorf("%v is in hour %d, want %d", at, got, want)
		}
	}
}

func TestACapIsOfWinsLessBets(t *testing.T) {
	t.Parallel()
	hour := seamless.Hour{Won: money.TotalOf(900), Bet: money.TotalOf(300)}
	for win, want := range map[money.Amount]bool{0: true, 400: true, 401: false, money.Max: false} {
		if got := hour.Admits(win, 1000); got != want {
			t.Errorf("%d more: %v", win, got)
		}
	}
	if !(seamless.Hour{Bet: money.TotalOf(money.Max)}).Admits(money.Max, 0) {
		t.Error("a win of what was bet is above a cap of 0")
	}
	over := seamless.Hour{Won: money.TotalOf(money.Max).AddAmount(money.Max)}
	if over.Admits(1, money.Max) {
		t.Error("sums beyond an amount are within a cap")
	}
}

func TestHoursAreOrderedByConnectionAndToken(t *testing.T) {
	t.Parallel()
	a, b, c := seamless.HourRef{Connection: "a", Token: "z"}, seamless.HourRef{Connection: "b", Token: "x"}, seamless.HourRef{Connection: "b", Token: "y"}
	if a.Compare(b) >= 0 || b.Compare(c) >= 0 || c.Compare(a) <= 0 || b.Compare(b) != 0 {
		t.Error("they are not in order")
	}
}
