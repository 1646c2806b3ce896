package conformance

import (
	"math/big"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// ladder is a small correct game of steps, which tests modify. Each rung holds with even chances
// and doubles the round's worth, which begins at 31/32 of the wager; the player may climb or cash
// out, and the last rung cashes out.
type ladder struct {
	game.OnlyStepped
	fields []game.Field
	rtp    game.RTP
	refuse func(config game.Value) error
	// bend changes steps that were begun with a stake.
	bend func(s *ladderSteps, wager money.Amount)
}

type ladderSteps struct {
	rungs   int
	shown   game.Value
	most    money.Ratio
	stake   money.Ratio
	returns game.StepReturn
	abandon func(game.State) game.Value
	theory  func(actions []game.Value, shown game.Value) game.Theory
	at      func(draws game.Draws, actions []game.Value) game.State
	upTo    func(most money.Ratio) (game.Steps, bool)
}

const ladderMost = 6

func newLadder() ladder {
	even := big.NewRat(31, 32)
	return ladder{
		fields: []game.Field{{Name: "rungs", Title: "Rungs", Description: "How high.", Shape: game.Number{Min: 1, Max: ladderMost}, Default: game.Int(4)}},
		rtp:    game.RTP{Default: even, Min: even, Max: even},
	}
}

func (ladder) Type() string               { return "ladder" }
func (ladder) Rules() string              { return "ladder/1" }
func (ladder) Title() string              { return "Ladder" }
func (l ladder) StepFields() []game.Field { return l.fields }
func (l ladder) RTP() game.RTP            { return l.rtp }

// worth returns the worth of a round after a number of rungs.
func worth(rungs int) money.Ratio { return money.Ratio{Num: 31 << rungs, Den: 32} }

func (l ladder) Begin(config game.Value, wager money.Amount) (game.Steps, error) {
	if l.refuse != nil {
		if err := l.refuse(config); err != nil {
			return nil, err
		}
	}
	rungs, _ := config.Get("rungs").Int()
	s := &ladderSteps{rungs: int(rungs), shown: config, most: worth(int(rungs)), stake: money.Ratio{Num: 1, Den: 1}}
	s.returns = game.StepReturn{Best: big.NewRat(31, 32), Least: big.NewRat(31, 32)}
	s.abandon = func(game.State) game.Value { return game.ActionOf("cashOut") }
	s.at, s.theory = s.climb, s.climbed
	s.upTo = func(most money.Ratio) (game.Steps, bool) {
		for rungs := s.rungs; rungs > 0; rungs-- {
			if worth(rungs).Cmp(most) <= 0 {
				steps, err := l.Begin(game.Object(game.Member{Name: "rungs", Value: game.Int(int64(rungs))}), wager)
				return steps, err == nil
			}
		}
		return nil, false
	}
	if l.bend != nil {
		l.bend(s, wager)
	}
	return s, nil
}

func (s *ladderSteps) Config() game.Value                                  { return s.shown }
func (s *ladderSteps) MaxStake() money.Ratio                               { return s.stake }
func (s *ladderSteps) MaxMultiplier() money.Ratio                          { return s.most }
func (s *ladderSteps) Return() game.StepReturn                             { return s.returns }
func (s *ladderSteps) Abandon(state game.State) game.Value                 { return s.abandon(state) }
func (s *ladderSteps) Theory(a []game.Value, shown game.Value) game.Theory { return s.theory(a, shown) }
func (s *ladderSteps) At(d game.Draws, a []game.Value) game.State          { return s.at(d, a) }
func (s *ladderSteps) UpTo(most money.Ratio) (steps game.Steps, fits bool) { return s.upTo(most) }

// climb folds a round.
func (s *ladderSteps) climb(draws game.Draws, actions []game.Value) game.State {
	climbed := 0
	for _, action := range actions {
		if action.Get(game.ActionType).Text() == "cashOut" {
			return game.State{Shown: rungsShown(climbed, true), Ended: true, Multiplier: worth(climbed)}
		}
		climbed++
		if draws.Pick(2) == 0 {
			return game.State{Shown: rungsShown(climbed, false), Ended: true}
		}
	}
	if climbed == s.rungs {
		return game.State{Shown: rungsShown(climbed, true), Ended: true, Multiplier: worth(climbed)}
	}
	now, _ := rationalOf(worth(climbed))
	next, _ := rationalOf(worth(climbed + 1))
	return game.State{Shown: rungsShown(climbed, true), Choices: []game.Offer{
		{
			Action: game.ActionOf("climb"), Chance: big.NewRat(1, 2), Prize: next,
			Fields: []game.Field{{Name: "side", Title: "Side", Description: "Which foot.", Shape: game.TextChoice("left", "right"), Default: game.Text("left")}},
		},
		{Action: game.ActionOf("cashOut"), Chance: big.NewRat(1, 1), Prize: now},
	}}
}

// climbed sums up the variance of the rungs: each is worth twice as much or nothing.
func (s *ladderSteps) climbed(_ []game.Value, shown game.Value) game.Theory {
	variance := new(big.Rat)
	rungs, _ := shown.Get("rungs").Int()
	for rung := range int(rungs) {
		square, _ := rationalOf(worth(rung))
		variance.Add(variance, square.Mul(square, square))
	}
	return game.TheoryOf(big.NewRat(31, 32), variance, money.Ratio{Num: 1, Den: 1})
}

func rungsShown(climbed int, held bool) game.Value {
	return game.Object(game.Member{Name: "rungs", Value: game.Int(int64(climbed))}, game.Member{Name: "held", Value: game.Bool(held)})
}

// states changes the states of a ladder's rounds.
func states(bend func(s *ladderSteps, draws game.Draws, actions []game.Value, state game.State) game.State) func(*ladderSteps, money.Amount) {
	return func(s *ladderSteps, _ money.Amount) {
		sound := s.at
		s.at = func(draws game.Draws, actions []game.Value) game.State {
			return bend(s, draws, actions, sound(draws, actions))
		}
	}
}

// offers changes the choices of a ladder's states; climbing is the first.
func offers(bend func(state *game.State)) func(*ladderSteps, money.Amount) {
	return states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, state game.State) game.State {
		if !state.Ended {
			bend(&state)
		}
		return state
	})
}

// doubled is a ladder on which players may stake a second wager at the first rung, for a second
// round's worth.
func doubled(s *ladderSteps, _ money.Amount) {
	sound := s.at
	s.stake, s.most = money.Ratio{Num: 2, Den: 1}, money.Ratio{Num: 2 * s.most.Num, Den: s.most.Den}
	s.upTo = func(money.Ratio) (game.Steps, bool) { return nil, false }
	s.at = func(draws game.Draws, actions []game.Value) game.State {
		double := len(actions) > 0 && actions[0].Get(game.ActionType).Text() == "double"
		if double {
			actions = actions[1:]
		}
		state := sound(draws, actions)
		if double {
			state.Stake = money.Ratio{Num: 2, Den: 1}
			state.Multiplier.Num *= 2
			for i := range state.Choices {
				state.Choices[i].Prize.Mul(state.Choices[i].Prize, big.NewRat(2, 1))
			}
		} else if len(actions) == 0 {
			state.Choices = append(state.Choices, game.Offer{Action: game.ActionOf("double"), Stake: money.Ratio{Num: 1, Den: 1}})
		}
		return state
	}
	sure := s.theory
	s.theory = func(actions []game.Value, shown game.Value) game.Theory {
		if len(actions) > 0 && actions[0].Get(game.ActionType).Text() == "double" {
			return game.TheoryOf(big.NewRat(31, 32), big.NewRat(5, 1), money.Ratio{Num: 2, Den: 1})
		}
		return sure(actions, shown)
	}
	// A second stake returns as much as the first, which is less than itself.
	s.returns = game.StepReturn{Best: big.NewRat(31, 32)}
}

func ladderOf4(refusal error) func(game.Value) error {
	return func(config game.Value) error {
		if rungs, _ := config.Get("rungs").Int(); rungs == ladderMost {
			return refusal
		}
		return nil
	}
}

var errRungs = fault.Field("config.rungs", "are too many")
