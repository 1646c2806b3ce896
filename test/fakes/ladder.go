package fakes

import (
	"math/big"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// Ladder is a game that is played step by step and pays back everything in the long run: each
// rung doubles the round's worth, or ends it. Before the first rung the stake may be doubled, if
// the config allows it.
//
// Its config can make it fail: with breaksAt n it panics once n actions were taken.
func Ladder() game.Stepped { return ladder{} }

// The actions of a Ladder.
var (
	Climb   = game.ActionOf("climb")
	CashOut = game.ActionOf("cashOut")
	Double  = game.ActionOf("double")
)

// LadderRungs is how many rungs a Ladder has.
const LadderRungs = 16

type ladder struct{ game.OnlyStepped }

func (ladder) Type() string  { return "ladder" }
func (ladder) Rules() string { return "ladder/1" }
func (ladder) Title() string { return "Ladder" }
func (ladder) RTP() game.RTP {
	return game.RTP{Default: big.NewRat(1, 1), Min: big.NewRat(1, 1), Max: big.NewRat(1, 1)}
}

func (ladder) StepFields() []game.Field {
	return []game.Field{
		{Name: "rungs", Shape: game.Number{Min: 1, Max: LadderRungs}, Default: game.Int(LadderRungs)},
		{Name: "doubles", Shape: game.Flag{}, Default: game.Bool(false)},
		{Name: "breaksAt", Shape: game.Number{Min: 0, Max: 99}, Default: game.Int(99)},
	}
}

func (ladder) Begin(config game.Value, _ money.Amount) (game.Steps, error) {
	rungs, _ := config.Get("rungs").Int()
	breaks, _ := config.Get("breaksAt").Int()
	return rungsOf{config, int(rungs), int(breaks), config.Get("doubles").Bool()}, nil
}

type rungsOf struct {
	config        game.Value
	rungs, breaks int
	doubles       bool
}

func (r rungsOf) Config() game.Value { return r.config }

func (r rungsOf) MaxStake() money.Ratio { return r.worth(0) }

func (r rungsOf) MaxMultiplier() money.Ratio { return r.worth(r.rungs) }

// worth returns the worth of a doubled round on a rung, if it may be doubled.
func (r rungsOf) worth(rung int) money.Ratio {
	if r.doubles {
		rung++
	}
	return money.Ratio{Num: 1 << rung, Den: 1}
}

func (rungsOf) Return() game.StepReturn {
	return game.StepReturn{Best: big.NewRat(1, 1), Least: big.NewRat(1, 1)}
}

// Theory treats each rung as a separate bet: the worth on it, or nothing.
func (rungsOf) Theory(actions []game.Value, _ game.Value) game.Theory {
	stake, variance := uint64(1), int64(0)
	for _, action := range actions {
		switch {
		case action.Equal(Double):
			stake = 2
		case action.Equal(Climb):
			variance = 4*variance + 1
		}
	}
	return game.TheoryOf(big.NewRat(1, 1), big.NewRat(variance, 1), money.Ratio{Num: stake, Den: 1})
}

func (rungsOf) Abandon(game.State) game.Value { return CashOut }

// UpTo removes the rungs with too high a worth.
func (r rungsOf) UpTo(most money.Ratio) (game.Steps, bool) {
	for r.rungs > 0 && r.MaxMultiplier().Cmp(most) > 0 {
		r.rungs--
	}
	members := []game.Member{}
	for name, value := range r.config.Members() {
		if name == "rungs" {
			value = game.Int(int64(r.rungs))
		}
		members = append(members, game.Member{Name: name, Value: value})
	}
	r.config = game.Object(members...)
	return r, r.rungs > 0
}

func (r rungsOf) At(draws game.Draws, actions []game.Value) game.State {
	if len(actions) == r.breaks {
		panic("a rung is missing")
	}
	rung, stake, ended, lost := 0, uint64(1), false, false
	for _, action := range actions {
		switch {
		case action.Equal(Double):
			stake = 2
		case action.Equal(CashOut):
			ended = true
		case draws.Pick(2) == 0:
			ended, lost = true, true
		default:
			rung++
			ended = rung == r.rungs
		}
	}
	s := game.State{
		Shown: game.Object(game.Member{Name: "rung", Value: game.Int(int64(rung))}, game.Member{Name: "lost", Value: game.Bool(lost)}),
		Stake: money.Ratio{Num: stake, Den: 1}, Ended: ended,
	}
	if ended {
		if !lost {
			s.Multiplier = money.Ratio{Num: stake << rung, Den: 1}
		}
		return s
	}
	s.Choices = []game.Offer{{Action: Climb, Chance: big.NewRat(1, 2), Prize: big.NewRat(int64(stake)<<(rung+1), 1)}, {Action: CashOut}}
	if r.doubles && stake == 1 && rung == 0 {
		s.Choices = append(s.Choices, game.Offer{Action: Double, Stake: money.Ratio{Num: 1, Den: 1}})
	}
	return s
}
