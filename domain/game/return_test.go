package game_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

func TestReturnIsThatOfThePlan(t *testing.T) {
	t.Parallel()
	registry := standard(t)
	for _, g := range registry.Games() {
		plan := prepare(t, g)
		of, err := registry.Return(g.Type(), game.Value{})
		if err != nil {
			t.Fatal(err)
		}
		moments := plan.Moments()
		if of.GameType != g.Type() || of.Rules != g.Rules() || !of.Config.Equal(plan.Config()) || of.Mean.Cmp(g.RTP().Default) != 0 ||
			of.Variance.Cmp(moments.Variance()) != 0 || of.MaxMultiplier.Cmp(plan.MaxMultiplier()) != 0 ||
			of.GreatestChance.Cmp(plan.(game.KnownChance).GreatestChance()) != 0 {
			t.Errorf("%s: %+v", g.Type(), of)
		}
	}
	of, err := registry.Return("coinflip", object("flips", 3))
	if err != nil || of.Mean.Cmp(big.NewRat(99, 100)) != 0 || of.GreatestChance.Cmp(big.NewRat(1, 8)) != 0 || of.MaxMultiplier.String() != "7.92" ||
		of.Variance.Cmp(big.NewRat(68607, 10000)) != 0 {
		t.Errorf("%+v, %v", of, err)
	}
	if _, err := registry.Return("chess", game.Value{}); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("an unknown game: %v", err)
	}
	_, err = registry.Return("mines", object("mines", 25))
	requireField(t, err, "config.mines")
	// A game whose plans don't know the chance of their most.
	own, err := game.NewRegistry(unsaid{game.Dice()})
	if err != nil {
		t.Fatal(err)
	}
	if of, err := own.Return("dice", game.Value{}); err != nil || of.GreatestChance != nil || of.MaxMultiplier.String() != "1.98" {
		t.Errorf("%+v, %v", of, err)
	}
}

// unsaid is a game whose plans are no KnownChance.
type unsaid struct{ game.Game }

type unsaidPlan struct{ game.Plan }

func (u unsaid) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := u.Game.Plan(config, wager)
	return unsaidPlan{plan}, err
}

// What a stranger asks for costs little.
func TestARoundAsksForFewDraws(t *testing.T) {
	t.Parallel()
	draws := 0
	for _, g := range game.Standard() {
		plan := prepare(t, g)
		if g.Type() == "hilo" {
			plan = prepare(t, g, "guesses", guessesOf(slices.Repeat([]string{"lower"}, 15)...))
		}
		counted := &counting{Draws: stream("bounded", g.Type(), 1)}
		plan.Play(counted)
		draws = max(draws, counted.asked)
	}
	if draws > 27 {
		t.Errorf("a round asks for %d draws", draws)
	}
}

// counting counts the draws asked for.
type counting struct {
	game.Draws
	asked int
}

func (c *counting) Next() uint32         { c.asked++; return c.Draws.Next() }
func (c *counting) Pick(n uint32) uint32 { c.asked++; return c.Draws.Pick(n) }
