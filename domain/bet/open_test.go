package bet_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// opening is of a ladder for 10,000, which pays up to 16 wagers, or 32 if it doubles.
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
		most    money.Amount // 0 if it is refused
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

// TestABoundedRoundEndsAtItsBound: the bound is in the config, so that folding the round
// again needs nothing else.
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

// room is the greatest exposure of open rounds in these tests.
const room = 100_000_000_000

var houseGames = sync.OnceValue(func() *game.Registry {
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		panic(err)
	}
	return games
})

// stepped returns an opening of one of the house's games with 100 SOL of room.
func stepped(t *testing.T, gameType, config string, wager money.Amount) bet.Opening {
	t.Helper()
	rules, err := houseGames().Game(gameType)
	if err != nil {
		t.Fatal(err)
	}
	value, ok := game.ParseValue(config)
	if !ok {
		t.Fatal(config)
	}
	o, err := bet.NewOpening(rules, value, wager)
	if err != nil {
		t.Fatal(err)
	}
	o.ID, o.Wallet, o.Terms, o.Bankroll = "r1", "alice", terms, money.TotalOf(room*100)
	o.Terms.MaxWager, o.Terms.MaxPayout = 1_000_000_000, 10_000_000_000
	return o
}

// TestTheBoundIsThePublishedFunction: the least of what the game can pay, maxPayout / wager
// with four decimals, and what was asked for, or 50.
func TestTheBoundIsThePublishedFunction(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		game, asked      string
		wager, maxPayout money.Amount
		config           string // empty where it is refused
	}{
		{"hilo", `{}`, 10_000, 1 << 40, `{maxMultiplier: 50.0000}`},
		{"hilo", `{}`, 30_000, 100_000, `{maxMultiplier: 3.3333}`},
		{"hilo", `{}`, 30_000, 32_174, ``},
		{"hilo", `{maxMultiplier: 12.5}`, 10_000, 1 << 40, `{maxMultiplier: 12.5000}`},
		{"hilo", `{maxMultiplier: 12.5}`, 10_000, 124_999, `{maxMultiplier: 12.4999}`},
		{"hilo", `{maxMultiplier: 2000}`, 10_000, 1 << 40, `{maxMultiplier: 2000.0000}`},
		{"hilo", `{maxMultiplier: 2000}`, 10_000, 600_000, `{maxMultiplier: 60.0000}`},
		{"mines", `{mines: 24}`, 10_000, 1 << 40, `{mines: 24}`},
		{"mines", `{mines: 24}`, 10_000, 247_499, ``},
		{"mines", `{mines: 5}`, 10_000, 1 << 40, `{mines: 5, maxMultiplier: 50.0000}`},
		{"mines", `{mines: 1, maxMultiplier: 24}`, 10_000, 230_000, `{mines: 1, maxMultiplier: 23.0000}`},
		{"dragontower", `{difficulty: "easy"}`, 10_000, 1 << 40, `{difficulty: "easy"}`},
		{"dragontower", `{difficulty: "easy"}`, 10_000, 131_850, `{difficulty: "easy", maxMultiplier: 13.1850}`},
		{"videopoker", `{}`, 10_000, 8_000_000, `{}`},
		{"videopoker", `{}`, 10_000, 7_999_999, ``},
	} {
		rules, err := houseGames().Game(row.game)
		if err != nil {
			t.Fatal(err)
		}
		asked, _ := game.ParseValue(row.asked)
		steps, err := bet.OpenedSteps(rules, asked, row.wager, row.maxPayout)
		if row.config == "" {
			if !fault.Is(err, fault.WagerOutOfRange) {
				t.Errorf("%s %s for %d: %v", row.game, row.asked, row.wager, err)
			}
			continue
		}
		if err != nil || steps.Config().String() != row.config {
			t.Errorf("%s %s for %d of %d is opened as %v, want %s: %v", row.game, row.asked, row.wager, row.maxPayout, steps.Config(), row.config, err)
			continue
		}
		config, _ := game.ParseValue(row.config)
		if err := bet.CheckConfig(rules, config, asked, row.wager, row.maxPayout); err != nil {
			t.Error(err)
		}
		if other, _ := game.ParseValue(`{maxMultiplier: 2}`); row.game == "hilo" && bet.CheckConfig(rules, other, asked, row.wager, row.maxPayout) == nil {
			t.Errorf("%s: a bound of 2 passes", row.config)
		}
	}
}

// TestAnotherBoundIsFoundInTheRecord changes what an open round's record says.
func TestAnotherBoundIsFoundInTheRecord(t *testing.T) {
	t.Parallel()
	o := stepped(t, "hilo", `{}`, 10_000)
	admitted, exposure, err := o.Admitted(2_000_000_000, bet.Exposed{})
	if err != nil {
		t.Fatal(err)
	}
	open := admitted.Begin(exposure, "house", pair(), 2_000_000_000).Last()
	rules, _ := houseGames().Game("hilo")
	read, ok := bet.FromCovered(open.Covered())
	if !ok || read.CheckBound(rules) != nil || read.MaxPayout != 10_000_000_000 || !read.Asked.Equal(game.Object()) {
		t.Fatalf("%+v, %v", read, read.CheckBound(rules))
	}
	lower, _ := game.ParseValue(`{maxMultiplier: 2}`)
	for name, change := range map[string]func(*bet.Open){
		"its config":            func(o *bet.Open) { o.Config = lower },
		"what was asked for":    func(o *bet.Open) { o.Asked = lower },
		"maxPayout":             func(o *bet.Open) { o.MaxPayout = 20_000 },
		"what is reserved":      func(o *bet.Open) { o.Exposure++ },
		"the wager":             func(o *bet.Open) { o.Wager *= 2 },
		"the greatest multiple": func(o *bet.Open) { o.MaxMultiplier.Num++ },
	} {
		changed := read
		change(&changed)
		if changed.CheckBound(rules) == nil || changed.Same(read) {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

func TestWhatARoundReservesFollowsFromItsWager(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		game, config string
		wager        money.Amount
		exposure     money.Amount
		part         money.Amount
	}{
		{"hilo", `{}`, 10_000, 500_000, 1},
		{"hilo", `{}`, 1_000_000_000, 10_000_000_000, 1},
		{"hilo", `{maxMultiplier: 12.5}`, 10_000, 125_000, 1},
		{"hilo", `{maxMultiplier: 2000}`, 10_000, 20_000_000, bet.AskedPart},
		{"hilo", `{maxMultiplier: 2000}`, 1_000_000_000, 10_000_000_000, 1},
		{"mines", `{mines: 24}`, 10_000, 247_500, 1},
		{"mines", `{mines: 3}`, 10_000, 406_607, 1},
		{"dragontower", `{difficulty: "easy"}`, 10_000, 131_851, 1},
		{"blackjack", `{}`, 10_000, 80_000, 1},
		{"videopoker", `{}`, 10_000, 8_000_000, bet.FixedPart},
	} {
		o := stepped(t, row.game, row.config, row.wager)
		_, part, ok := o.Bounded()
		_, exposure, err := o.Admitted(2_000_000_000, bet.Exposed{})
		if err != nil || !ok || exposure != row.exposure || part != row.part {
			t.Errorf("%s %s for %d reserves %d in a part of %d, want %d in %d: %v", row.game, row.config, row.wager, exposure, part, row.exposure, row.part, err)
		}
		fuller := bet.Exposed{Own: money.TotalOf(room/row.part - row.exposure)}
		if _, got, err := o.Admitted(2_000_000_000, fuller); err != nil || got != exposure {
			t.Errorf("%s %s: with the last of its room it reserves %d: %v", row.game, row.config, got, err)
		}
		fuller.Own = fuller.Own.AddAmount(1)
		_, _, err = o.Admitted(2_000_000_000, fuller)
		if !fault.Is(err, fault.WagerOutOfRange) || bet.RefusedForRoom(err) != (row.part != bet.AskedPart) {
			t.Errorf("%s %s: without room: %v", row.game, row.config, err)
		}
	}
	huge := stepped(t, "hilo", `{}`, 1_000_000_000)
	huge.Bankroll = money.TotalOf(100)
	if _, _, err := huge.Admitted(2_000_000_000, bet.Exposed{}); !fault.Is(err, fault.WagerOutOfRange) || bet.RefusedForRoom(err) {
		t.Errorf("a bet that no room would be enough for: %v", err)
	}
	huge.Bankroll = money.TotalOf(room * 100)
	if _, _, err := huge.Admitted(2_000_000_000, bet.Exposed{Unsettled: true}); !fault.Is(err, fault.WagerOutOfRange) || bet.RefusedForRoom(err) {
		t.Errorf("in a lane that has no part yet: %v", err)
	}
}

// TestFillingTheRoomCostsAPercent opens and ends random rounds in one of one to three
// lanes, until a plain bet that reserves up to a quarter of the lane's room is refused.
// The wagers of the open rounds are then at least 1 % of that room, and the exposure is
// never more than the room.
func TestFillingTheRoomCostsAPercent(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) // #nosec G404 -- a test
	openings := []bet.Opening{}
	for _, wager := range []money.Amount{123_457, 5_000_000, 70_000_000, 1_000_000_000} {
		for _, of := range [][2]string{
			{"hilo", `{}`}, {"hilo", `{maxMultiplier: 49.99}`}, {"hilo", `{maxMultiplier: 50.01}`}, {"hilo", `{maxMultiplier: 100000000}`},
			{"mines", `{mines: 12}`}, {"mines", `{mines: 12, maxMultiplier: 5000000}`}, {"videopoker", `{}`}, {"blackjack", `{}`},
		} {
			o := stepped(t, of[0], of[1], wager)
			o.Bankroll = money.TotalOf(room) // a hundredth of the bankroll
			openings = append(openings, o)
		}
	}
	type open struct{ wager, exposure money.Amount }
	for run := range 24 {
		exposed := bet.Exposed{Others: make([]money.Total, run%3)}
		lane := money.Amount(room / 100 / (run%3 + 1))
		var rounds []open
		favourite := openings[random.IntN(len(openings))]
		for range 700 {
			o := openings[random.IntN(len(openings))]
			if run%2 == 0 { // an attacker repeats one bet, to fill the room first
				o = favourite
			}
			if len(rounds) > 0 && random.IntN(10) == 0 {
				last := rounds[len(rounds)-1]
				rounds, exposed.Own = rounds[:len(rounds)-1], exposed.Own.Sub(money.TotalOf(last.exposure))
			}
			_, exposure, err := o.Admitted(2_000_000_000, exposed)
			if err == nil {
				rounds, exposed.Own = append(rounds, open{o.Wager(), exposure}), exposed.Own.AddAmount(exposure)
				if exposed.Own.Cmp(money.TotalOf(lane)) > 0 {
					t.Fatalf("run %d: %v are reserved of %d", run, exposed.Own, lane)
				}
				continue
			}
			steps, part, ok := o.Bounded()
			if !ok || part != 1 {
				continue
			}
			if asked, _ := o.Wager().Times(steps.MaxMultiplier()); asked > lane/4 {
				continue
			}
			cost := money.Amount(0)
			for _, r := range rounds {
				cost += r.wager
			}
			if cost*100 < lane {
				t.Fatalf("run %d: a lane's room of %d is filled by wagers of %d", run, lane, cost)
			}
		}
	}
}
