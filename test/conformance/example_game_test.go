package conformance_test

import (
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/conformance"
)

// A test of one line checks your own game. This one returns 31/32 of the wager, for every choice
// of the player.
func ExampleGame() {
	var t *testing.T // of your own TestPockets
	conformance.Game(t, pockets{})
}

// pockets is a game of 32 pockets; the player's pays 31 wagers.
type pockets struct{}

func (pockets) Type() string  { return "pockets" }
func (pockets) Rules() string { return "pockets/1" }
func (pockets) Title() string { return "Pockets" }

func (pockets) Fields() []game.Field {
	return []game.Field{{
		Name: "pocket", Title: "Pocket", Description: "Where the ball has to stop.",
		Shape: game.Number{Min: 0, Max: 31}, Default: game.Int(7),
	}}
}

// pocketOdds are the odds of every config: one in 32 of the 2^32 draws.
var pocketOdds = game.Odds{Prize: money.Ratio{Num: 31, Den: 1}, Wins: 1 << 32 / 32}

func (pockets) RTP() game.RTP {
	mean := pocketOdds.Moments().Mean
	return game.RTP{Default: mean, Min: mean, Max: mean}
}

func (pockets) Plan(config game.Value, _ money.Amount) (game.Plan, error) {
	chosen, _ := config.Get("pocket").Int()
	return pocketPlan{pocketOdds, config, uint32(chosen)}, nil
}

// pocketPlan is one bet; its figures follow from the odds.
type pocketPlan struct {
	game.Odds
	config game.Value
	chosen uint32
}

func (p pocketPlan) Config() game.Value { return p.config }

func (p pocketPlan) Play(draws game.Draws) game.Result {
	pocket := draws.Pick(32)
	result := game.Result{Outcome: game.Object(game.Member{Name: "pocket", Value: game.Int(int64(pocket))})}
	if pocket == p.chosen {
		result.Multiplier = p.Prize
	}
	return result
}
