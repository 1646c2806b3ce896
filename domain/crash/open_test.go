package crash_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// stored returns a bet as the ledger stores it, cashed out at a number of microseconds
// unless that is 0.
func stored(t *testing.T, r crash.Round, b crash.Bet, micros int64) bet.Open {
	t.Helper()
	open := r.Open(b, "north", 7, start.Add(-time.Minute))
	if micros > 0 {
		open = crash.WithCashOut(open, by(b, micros), start)
	}
	return open
}

// TestBetsAreReadAsTheyWereStored also takes them through the text that blocks cover.
func TestBetsAreReadAsTheyWereStored(t *testing.T) {
	t.Parallel()
	r := crashedAt(5_00, 10_000)
	r.Chain, r.Number = "c-1", 7
	for _, micros := range []int64{0, 1_500_000} {
		want := playerBet("b1", 2_50)
		open := stored(t, r, want, micros)
		covered, ok := bet.FromCovered(open.Covered())
		if !ok || !covered.Same(open) || covered.Covered().Digest() != open.Covered().Digest() || bet.SharedIn(open.Covered()) != open.Shared {
			t.Fatalf("covered as %+v", covered)
		}
		got, out, err := crash.BetOf(covered)
		if err != nil || got != want || (out != nil) != (micros > 0) || out != nil && *out != by(want, micros) {
			t.Errorf("%+v, %+v, %v", got, out, err)
		}
		for name, spoil := range map[string]func(*bet.Open){
			"chain": func(o *bet.Open) { o.Shared.Chain = "c-2" }, "number": func(o *bet.Open) { o.Shared.Number++ },
			"config": func(o *bet.Open) { o.Config = game.Object() }, "asked": func(o *bet.Open) { o.Asked = game.Object() },
			"wager": func(o *bet.Open) { o.Wager++ }, "stake": func(o *bet.Open) { o.Stake++ }, "exposure": func(o *bet.Open) { o.Exposure++ },
			"rules": func(o *bet.Open) { o.Rules = "crash/1" }, "game": func(o *bet.Open) { o.GameType = "dice" },
			"most": func(o *bet.Open) { o.MaxMultiplier.Num++ }, "ended": func(o *bet.Open) { o.Ended = true },
			"no list": func(o *bet.Open) { o.Actions = game.Value{} },
			"two":     func(o *bet.Open) { o.Actions = game.List(game.Int(1), game.Int(2)) },
			"action":  func(o *bet.Open) { o.Actions = game.List(game.ActionOf("cashOut")) },
		} {
			spoilt := open
			spoil(&spoilt)
			if (name == "chain" || name == "number") && spoilt.Same(open) {
				t.Errorf("%s changed: it is the same round", name)
			}
			if _, _, err := crash.BetOf(spoilt); err == nil {
				t.Errorf("%s changed: it is read as a bet", name)
			}
		}
	}
}

// TestSettledBetsProveTheirResults takes each end of a bet, and changes what it says.
func TestSettledBetsProveTheirResults(t *testing.T) {
	t.Parallel()
	recovered := crashedAt(1_50, 10_000)
	recovered.Recovered = true
	for name, row := range map[string]struct {
		round  crash.Round
		micros int64
		payout money.Amount
		void   bool
	}{
		"won":                   {round: crashedAt(5_00, 10_000), payout: solUnit * 5 / 2},
		"lost":                  {round: crashedAt(1_50, 10_000)},
		"cashed out":            {round: crashedAt(1_50, 10_000), micros: crash.TimeOf(1_20) * 1000, payout: solUnit * 6 / 5},
		"lost in a recovered":   {round: recovered, payout: solUnit, void: true},
		"cancelled":             {round: crash.Round{Status: crash.Cancelled, Cap: 10_000}, payout: solUnit, void: true},
		"cashed, and recovered": {round: recovered, micros: crash.TimeOf(1_20) * 1000, payout: solUnit * 6 / 5},
	} {
		row.round.Chain, row.round.Number = "c-1", 7
		open := stored(t, row.round, playerBet("b1", 2_50), row.micros)
		settled, err := row.round.End(open, start.Add(time.Hour), 100)
		if err != nil || settled.Payout != row.payout || settled.Void != row.void || settled.Balance != 100+row.payout || !settled.IsShared() ||
			crash.SharedOf(settled) != open.Shared || settled.Wager != solUnit {
			t.Errorf("%s: %+v, %v", name, settled, err)
			continue
		}
		if theory, err := crash.Check(settled); err != nil || theory != settled.Theory || !row.void && theory.RTPPartsPerBillion/10_000_000 != 98 && theory.RTPPartsPerBillion != 990_000_000 {
			t.Errorf("%s: %+v, %v", name, theory, err)
		}
		for what, spoil := range map[string]func(*bet.Round){
			"payout": func(r *bet.Round) { r.Payout++ },
			"point":  func(r *bet.Round) { r.Outcome = game.Object(game.Member{Name: "crash", Value: game.Dec(9_999, 2)}) },
			"config": func(r *bet.Round) { r.Config = game.Object(game.Member{Name: "cashOut", Value: game.Dec(2_50, 2)}) },
			"rules":  func(r *bet.Round) { r.Rules = "crash/1" }, "game": func(r *bet.Round) { r.GameType = "dice" },
			"void": func(r *bet.Round) { r.Void = !r.Void },
			"actions": func(r *bet.Round) {
				r.Actions = crash.WithCashOut(bet.Open{Actions: game.List()}, crash.CashOut{Received: start, Multiplier: 3_00}, start).Actions
			},
		} {
			if what == "actions" && row.void {
				continue // a stake comes back whatever was asked
			}
			spoilt := settled
			spoil(&spoilt)
			if _, err := crash.Check(spoilt); err == nil {
				t.Errorf("%s, another %s: it passes", name, what)
			}
		}
		other := row.round
		other.Number++
		if _, err := other.End(open, start, 0); err == nil {
			t.Errorf("%s: it ends by another round", name)
		}
	}
	if _, err := (crash.Round{Chain: "c-1", Number: 7, Status: crash.Flying}).End(stored(t, crash.Round{Chain: "c-1", Number: 7}, playerBet("b1", 2_50), 0), start, 0); err == nil {
		t.Error("a bet of a flying round ends")
	}
}
