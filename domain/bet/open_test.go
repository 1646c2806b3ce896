package bet_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// opening is of a ladder for 10,000, which pays up to 16 wagers, or 32 where it doubles.
func opening(t testing.TB, members ...game.Member) bet.Opening {
	t.Helper()
	config := game.Object(append([]game.Member{{Name: "rungs", Value: game.Int(4)}}, members...)...)
	o, err := bet.NewOpening(fakes.Ladder(), config, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	o.ID, o.Wallet, o.Terms, o.Bankroll, o.At = "r1", "alice", terms, money.TotalOf(1_000_000_000), time.Unix(1, 0)
	return o
}

var doubles = game.Member{Name: "doubles", Value: game.Bool(true)}

func TestOpeningsAreBoundedToWhatCanBePaid(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change  func(*bet.Opening)
		balance money.Amount
		exposed bet.Exposed
		most    money.Amount // 0 where it is refused
		refused fault.Kind
	}{
		"all of it":                       {func(*bet.Opening) {}, 10_000, bet.Exposed{}, 160_000, 0},
		"at the limit of a round":         {func(o *bet.Opening) { o.Terms.MaxPayout = 80_000 }, 10_000, bet.Exposed{}, 80_000, 0},
		"below it":                        {func(o *bet.Opening) { o.Terms.MaxPayout = 79_999 }, 10_000, bet.Exposed{}, 40_000, 0},
		"below the first step":            {func(o *bet.Opening) { o.Terms.MaxPayout = 19_999 }, 10_000, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"all that there is":               {func(o *bet.Opening) { o.Bankroll = money.TotalOf(16_000_000) }, 10_000, bet.Exposed{}, 160_000, 0},
		"more than there is":              {func(o *bet.Opening) { o.Bankroll = money.TotalOf(15_999_900) }, 10_000, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"beside what is open":             {func(o *bet.Opening) { o.Bankroll = money.TotalOf(32_000_000) }, 10_000, bet.Exposed{Own: money.TotalOf(160_000)}, 160_000, 0},
		"not what is open":                {func(o *bet.Opening) { o.Bankroll = money.TotalOf(32_000_000) }, 10_000, bet.Exposed{Own: money.TotalOf(160_001)}, 0, fault.WagerOutOfRange},
		"in one of two lanes":             {func(o *bet.Opening) { o.Bankroll = money.TotalOf(32_000_000) }, 10_000, bet.Exposed{Others: []money.Total{{}}}, 160_000, 0},
		"not in one of two lanes":         {func(o *bet.Opening) { o.Bankroll = money.TotalOf(31_999_800) }, 10_000, bet.Exposed{Others: []money.Total{{}}}, 0, fault.WagerOutOfRange},
		"with nothing left":               {func(*bet.Opening) {}, 10_000, bet.Exposed{Own: money.TotalOf(10_000_000)}, 0, fault.WagerOutOfRange},
		"of no bankroll":                  {func(o *bet.Opening) { o.Bankroll = money.TotalOf(1).Neg() }, 10_000, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"what the balance can hold":       {func(*bet.Opening) {}, money.Max - 160_000, bet.Exposed{}, 160_000, 0},
		"a balance that can't hold it":    {func(*bet.Opening) {}, money.Max - 159_999, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"less than the balance":           {func(*bet.Opening) {}, 9_999, bet.Exposed{}, 0, fault.InsufficientFunds},
		"a wager below the least":         {func(o *bet.Opening) { o.Terms.MinWager = 10_001 }, 10_000, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"a wager above the greatest":      {func(o *bet.Opening) { o.Terms.MaxWager = 9_999 }, 10_000, bet.Exposed{}, 0, fault.WagerOutOfRange},
		"an opening that nobody prepared": {func(o *bet.Opening) { *o = bet.Opening{} }, 10_000, bet.Exposed{}, 0, fault.InvalidState},
	} {
		o := opening(t)
		row.change(&o)
		admitted, exposure, err := o.Admitted(row.balance, row.exposed)
		if row.most == 0 {
			if !fault.Is(err, row.refused) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || exposure != row.most {
			t.Errorf("%s: may cost %d, want %d: %v", name, exposure, row.most, err)
			continue
		}
		begun := admitted.Begin(exposure, "house", pair(), row.balance).Last()
		if most, _ := begun.Wager.Times(begun.MaxMultiplier); most != row.most || begun.Exposure != row.most {
			t.Errorf("%s: opened as %+v", name, begun)
		}
	}
	if _, err := bet.NewOpening(fakes.Ladder(), game.Value{}, 0); !fault.Is(err, fault.Invalid) {
		t.Errorf("no wager: %v", err)
	}
	if _, err := bet.NewOpening(game.Dice(), game.Value{}, 1); !fault.Is(err, fault.Invalid) {
		t.Errorf("a game without steps: %v", err)
	}
}

// TestABoundedRoundEndsAtItsBound: the bound is in the config, so that whoever folds the
// round again needs nothing else.
func TestABoundedRoundEndsAtItsBound(t *testing.T) {
	t.Parallel()
	for nonce := range int64(40) {
		o := opening(t)
		o.Terms.MaxPayout = 40_000
		admitted, exposure, err := o.Admitted(10_000, bet.Exposed{})
		if err != nil {
			t.Fatal(err)
		}
		from := pair()
		from.Nonce = nonce
		open := admitted.Begin(exposure, "house", from, 10_000).Last()
		for balance := money.Amount(0); ; {
			steps, err := open.Steps(fakes.Ladder())
			if err != nil {
				t.Fatal(err)
			}
			p, err := open.Take(steps, from, fakes.Climb, balance, time.Unix(2, 0), nil)
			if err != nil {
				t.Fatal(err)
			}
			if open = p.Last(); p.Round == nil {
				continue
			}
			if p.Round.Payout != 0 && p.Round.Payout != 40_000 || p.Round.Balance != p.Round.Payout || open.Step() > 2 {
				t.Fatalf("ended as %+v", p.Round)
			}
			folded, err := bet.Fold(*p.Round, steps, from.Seed)
			if err != nil || folded.Payout != p.Round.Payout || !folded.Result.Outcome.Equal(p.Round.Outcome) || len(folded.Shown) != open.Step()+1 ||
				bet.ShownIn(open.Covered()) != folded.Shown[open.Step()] {
				t.Fatalf("folded again: %+v, %v", folded, err)
			}
			break
		}
	}
}

func TestAStakeIsAskedForBeforeItIsTaken(t *testing.T) {
	t.Parallel()
	o, exposure, err := opening(t, doubles).Admitted(50_000, bet.Exposed{})
	if err != nil {
		t.Fatal(err)
	}
	open := o.Begin(exposure, "house", pair(), 50_000).Last()
	refusal := fault.New(fault.PlayerFrozen, "frozen")
	asked := money.Amount(0)
	may := func(stake money.Amount) error { asked = stake; return refusal }
	if _, err := open.Take(o.Steps(), pair(), fakes.Double, 40_000, time.Unix(2, 0), may); !fault.Is(err, fault.PlayerFrozen) || asked != 10_000 {
		t.Errorf("asked for %d, %v", asked, err)
	}
	if p, err := open.Take(o.Steps(), pair(), fakes.CashOut, 40_000, time.Unix(2, 0), may); err != nil || p.Round.Payout != 10_000 {
		t.Errorf("%+v, %v", p, err)
	}
	if p := open.Finish(o.Steps(), pair(), 40_000, time.Unix(2, 0)); p.Round == nil || p.Round.Payout != 10_000 || p.Last().Step() != 1 {
		t.Errorf("abandoned: %+v", p)
	}
}
