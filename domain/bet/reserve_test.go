package bet_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// room is what the open rounds of these tests may cost together.
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

// TestFillingTheRoomCostsAPercent opens and ends rounds at random, in one of one to three
// lanes, until a plain bet that reserves up to a quarter of the lane's room is refused: the
// wagers of the open rounds come to 1 % of that room then, and what they reserve is never
// more than the room.
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
			o.Bankroll = money.TotalOf(room) // of which a hundredth
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
			if run%2 == 0 { // an attacker's way: always the same, so that it fills first
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
