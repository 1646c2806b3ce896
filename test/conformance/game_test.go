package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// slotsReach is slots with the draws of its highest-paying round: where the reels stop
// for the free spins, and for the window that pays most, over and over.
type slotsReach struct{ game.Game }

func (slotsReach) Table() game.Value { return game.Slots().(game.Tabled).Table() }

func (slotsReach) GreatestDraws(game.Plan) []uint32 {
	opening, dearest := [5]uint32{23, 10, 26, 17, 25}, [5]uint32{9, 14, 22, 10, 17}
	var draws []uint32
	for spin := range 13 {
		stops := dearest
		if spin == 0 {
			stops = opening
		}
		for _, stop := range stops {
			draws = append(draws, stop<<27) // pick(32) is the top five bits
		}
	}
	return draws
}

func TestTheHouseGamesConform(t *testing.T) {
	t.Parallel()
	for _, g := range game.Standard() {
		if g.Type() == "slots" {
			g = slotsReach{g}
		}
		t.Run(g.Type(), func(t *testing.T) {
			t.Parallel()
			Game(t, g)
		})
	}
}

// sampled is a game whose rounds draw once more than they need, and so too often
// to be counted.
type sampled struct{ game.Game }

type sampledPlan struct{ game.Plan }

func (s sampled) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := s.Game.Plan(config, wager)
	if err != nil {
		return nil, err
	}
	return sampledPlan{plan}, nil
}

func (p sampledPlan) Play(draws game.Draws) game.Result {
	result := p.Plan.Play(draws)
	draws.Pick(1 << 31)
	return result
}

// TestSamplesOfSoundGamesConform: the bounds hold for prizes as rare as one in a
// million, of which most samples have none.
func TestSamplesOfSoundGamesConform(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Dice(), game.Limbo(), game.Crash(), game.Coinflip()} {
		t.Run(g.Type(), func(t *testing.T) {
			t.Parallel()
			Game(t, sampled{g})
		})
	}
}
