package conformance

import (
	"errors"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// TestSoundSteppedGamesConform checks all that a stepped game may do.
func TestSoundSteppedGamesConform(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*ladder){
		"as it is":                      func(*ladder) {},
		"stakes more":                   func(l *ladder) { l.bend = doubled },
		"refuses a config by its field": func(l *ladder) { l.refuse = ladderOf4(errRungs) },
		"states neither chance nor prize": func(l *ladder) {
			l.bend = offers(func(s *game.State) { s.Choices[0].Chance, s.Choices[0].Prize = nil, nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLadder()
			change(&l)
			Game(t, l)
		})
	}
}

// flipOf returns whether the next rung holds.
func flipOf(draws game.Draws) bool { return draws.Pick(2) == 1 }

// brokenLadders are ladders with one defect each, by the sentence that it breaks.
var brokenLadders = map[string]map[string]func(*ladder){
	"the config of its steps is named and described": {
		"no title": func(l *ladder) { l.fields[0].Title = "" },
	},
	"a config of its steps that took effect begins again to the same effect": {
		"a field is forgotten": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) { s.shown = game.Object() }
		},
		"a field of its own": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.shown = game.Object(game.Member{Name: "height", Value: game.Int(4)})
			}
		},
	},
	"what its steps declare begins, or is refused by its field": {
		"by no fault":      func(l *ladder) { l.refuse = ladderOf4(errors.New("too high")) },
		"by another field": func(l *ladder) { l.refuse = ladderOf4(fault.Field("config.height", "too high")) },
		"by a panic": func(l *ladder) {
			l.refuse = func(config game.Value) error {
				if ladderOf4(errRungs)(config) != nil {
					panic("too high")
				}
				return nil
			}
		},
	},
	"what its steps don't declare is refused by its field": {
		"a record's field has no shape": func(l *ladder) {
			l.fields = append(l.fields, field("n", game.Record{Fields: []game.Field{{Name: "m", Optional: true}}}))
		},
	},
	"a step ends without a panic for all draws": {
		"the third rung": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, _ game.Draws, actions []game.Value, state game.State) game.State {
				if len(actions) == 3 && state.Ended {
					panic("the third rung breaks")
				}
				return state
			})
		},
		"draws until it holds": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, draws game.Draws, _ []game.Value, state game.State) game.State {
				for draws.Pick(2) == 0 {
					continue
				}
				return state
			})
		},
	},
	"a state shows something, and offers what can be taken until it has ended": {
		"shows nothing": func(l *ladder) { l.bend = offers(func(s *game.State) { s.Shown = game.Value{} }) },
		"offers nothing": func(l *ladder) {
			l.bend = offers(func(s *game.State) { s.Choices = nil })
		},
		"offers after the end": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
				if s.Ended {
					s.Choices = []game.Offer{{Action: game.ActionOf("again")}}
				}
				return s
			})
		},
		"two of a type":    func(l *ladder) { l.bend = offers(func(s *game.State) { s.Choices[1].Action = s.Choices[0].Action }) },
		"no type":          func(l *ladder) { l.bend = offers(func(s *game.State) { s.Choices[0].Action = game.Text("climb") }) },
		"a choice of none": func(l *ladder) { l.bend = offers(func(s *game.State) { s.Choices[0].Fields[0].Shape = game.Choice{} }) },
		"a field twice":    func(l *ladder) { l.bend = offers(func(s *game.State) { s.Choices[0].Fields[0].Name = "type" }) },
	},
	"no state pays or stakes more than the steps promise": {
		"a prize above": func(l *ladder) {
			l.bend = states(func(steps *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
				if s.Multiplier == steps.most {
					s.Multiplier.Num++
				}
				return s
			})
		},
		"no number": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
				if s.Multiplier.Num > 0 {
					s.Multiplier.Den = 0
				}
				return s
			})
		},
		"a stake above": func(l *ladder) {
			l.bend = func(s *ladderSteps, wager money.Amount) {
				doubled(s, wager)
				s.stake = money.Ratio{Num: 3, Den: 2}
			}
		},
	},
	"the stake is the sum of the actions' stakes": {
		"begins with two": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
				s.Stake = money.Ratio{Num: 2, Den: 1}
				return s
			})
		},
		"a step that wasn't said to": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, _ game.Draws, actions []game.Value, s game.State) game.State {
				if len(actions) == 2 {
					s.Stake = money.Ratio{Num: 2, Den: 1}
				}
				return s
			})
		},
	},
	"a round ends within so many steps": {
		"waits forever": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				sound := s.at
				s.at = func(draws game.Draws, actions []game.Value) game.State {
					var taken []game.Value
					for _, a := range actions {
						if a.Get(game.ActionType).Text() != "wait" {
							taken = append(taken, a)
						}
					}
					state := sound(draws, taken)
					if !state.Ended {
						state.Choices = append([]game.Offer{{Action: game.ActionOf("wait")}}, state.Choices...)
					}
					return state
				}
				s.abandon = func(game.State) game.Value { return game.ActionOf("wait") }
			}
		},
	},
	"an abandoned round takes an offer that stakes nothing more": {
		"what isn't offered": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.abandon = func(game.State) game.Value { return game.ActionOf("leave") }
			}
		},
		"a stake": func(l *ladder) {
			l.bend = func(s *ladderSteps, wager money.Amount) {
				doubled(s, wager)
				s.abandon = func(state game.State) game.Value { return state.Choices[len(state.Choices)-1].Action }
			}
		},
		"panics": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) { s.abandon = nil }
		},
	},
	"a state's offers depend on what was shown, not on later draws": {
		"climbing only where it holds": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, draws game.Draws, _ []game.Value, s game.State) game.State {
				if !s.Ended && !flipOf(draws) {
					s.Choices = s.Choices[1:]
				}
				return s
			})
		},
		"its fields": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, draws game.Draws, _ []game.Value, s game.State) game.State {
				if !s.Ended && !flipOf(draws) {
					s.Choices[0].Fields[0].Shape = game.TextChoice("right", "left")
				}
				return s
			})
		},
		"a chance that knows": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, draws game.Draws, _ []game.Value, s game.State) game.State {
				if !s.Ended {
					s.Choices[0].Chance = big.NewRat(int64(draws.Pick(2)), 1)
				}
				return s
			})
		},
	},
	"the same draws and actions come to the same": {
		"every 100th fold": func(l *ladder) {
			var folds atomic.Int64
			l.bend = states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
				if s.Ended && folds.Add(1)%100 == 0 {
					s.Multiplier = money.Ratio{Den: 1}
				}
				return s
			})
		},
	},
	"a round is folded without its stake": {
		"large stakes lose": func(l *ladder) {
			l.bend = func(s *ladderSteps, wager money.Amount) {
				if wager > 0 {
					states(func(_ *ladderSteps, _ game.Draws, _ []game.Value, s game.State) game.State {
						s.Multiplier = money.Ratio{Den: 1}
						return s
					})(s, wager)
				}
			}
		},
		"large stakes are refused": func(l *ladder) {
			l.bend = func(_ *ladderSteps, wager money.Amount) {
				if wager > 0 {
					panic("too much")
				}
			}
		},
	},
	"the return of the steps is stated, within that of the game": {
		"none":    func(l *ladder) { l.bend = returning(game.StepReturn{}) },
		"above 1": func(l *ladder) { l.bend = returning(game.StepReturn{Best: big.NewRat(3, 2)}) },
		"above the game's": func(l *ladder) {
			l.bend = returning(game.StepReturn{Best: big.NewRat(99, 100)})
		},
		"out of order": func(l *ladder) {
			l.bend = returning(game.StepReturn{Best: big.NewRat(31, 32), Least: big.NewRat(32, 32)})
		},
		"another default": func(l *ladder) { l.rtp.Default, l.rtp.Min = big.NewRat(30, 32), big.NewRat(30, 32) },
	},
	"every way of playing is paid at most the best and at least the least": {
		"a rung too easy": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.at = func(draws game.Draws, actions []game.Value) game.State {
					return s.climb(easier{draws}, actions)
				}
			}
		},
		"shows the rung to come": func(l *ladder) { l.bend = foreseen },
		"one in four is lost": func(l *ladder) {
			l.bend = states(func(_ *ladderSteps, draws game.Draws, _ []game.Value, s game.State) game.State {
				if s.Ended && draws.Pick(4) == 0 {
					s.Multiplier = money.Ratio{Den: 1}
				}
				return s
			})
		},
	},
	"a round's kept figures depend on what it shows, and have the return of its stake": {
		"another return": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.theory = func([]game.Value, game.Value) game.Theory { return game.Theory{RTPPartsPerBillion: 999_000_000} }
			}
		},
		"that of the first wager alone": func(l *ladder) {
			l.bend = func(s *ladderSteps, wager money.Amount) {
				first := s.theory
				doubled(s, wager)
				s.theory = first
			}
		},
		"panics": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) { s.theory = nil }
		},
	},
	"a chance that is stated is what the draws give, and its prize is paid": {
		"two in three": func(l *ladder) {
			l.bend = offers(func(s *game.State) { s.Choices[0].Chance = big.NewRat(2, 3) })
		},
		"above 1": func(l *ladder) { l.bend = offers(func(s *game.State) { s.Choices[0].Chance = big.NewRat(3, 2) }) },
		"another prize": func(l *ladder) {
			l.bend = offers(func(s *game.State) { s.Choices[0].Prize.Add(s.Choices[0].Prize, big.NewRat(1, 1000)) })
		},
	},
	"a bound of what a round pays is kept, and keeps the return": {
		"isn't kept": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.upTo = func(money.Ratio) (game.Steps, bool) { return s, true }
			}
		},
		"is lost when folded again": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				s.upTo = func(most money.Ratio) (game.Steps, bool) {
					if s.rungs < 2 || worth(1).Cmp(most) > 0 {
						return nil, false
					}
					steps, _ := newLadder().Begin(game.Object(game.Member{Name: "rungs", Value: game.Int(1)}), 0)
					steps.(*ladderSteps).shown = s.shown
					return steps, true
				}
			}
		},
		"costs the player": func(l *ladder) {
			l.bend = func(s *ladderSteps, _ money.Amount) {
				lower := s.upTo
				s.upTo = func(most money.Ratio) (game.Steps, bool) {
					steps, ok := lower(most)
					if ok {
						steps.(*ladderSteps).returns.Least = big.NewRat(1, 2)
					}
					return steps, ok
				}
			}
		},
	},
}

func returning(r game.StepReturn) func(*ladderSteps, money.Amount) {
	return func(s *ladderSteps, _ money.Amount) { s.returns = r }
}

// easier holds in seven of eight cases.
type easier struct{ game.Draws }

func (e easier) Pick(n uint32) uint32 {
	if n != 2 {
		return e.Draws.Pick(n)
	}
	return min(1, e.Draws.Pick(8))
}

// foreseen shows whether the next rung holds, and offers to climb only then: a player who reads
// that never falls.
func foreseen(s *ladderSteps, _ money.Amount) {
	sound := s.at
	s.at = func(draws game.Draws, actions []game.Value) game.State {
		state := sound(draws, actions)
		if state.Ended {
			return state
		}
		holds := flipOf(draws)
		state.Shown = game.Object(game.Member{Name: "now", Value: state.Shown}, game.Member{Name: "holds", Value: game.Bool(holds)})
		if holds {
			state.Choices[0].Chance = nil
		} else {
			state.Choices = state.Choices[1:]
		}
		return state
	}
}

// TestBrokenSteppedGamesAreFound checks that every law of steps finds the games that break it.
func TestBrokenSteppedGamesAreFound(t *testing.T) {
	t.Parallel()
	if len(brokenLadders) != len(stepLaws) {
		t.Errorf("games break %d laws, there are %d", len(brokenLadders), len(stepLaws))
	}
	for _, law := range stepLaws {
		if len(brokenLadders[law.sentence]) == 0 {
			t.Errorf("no game breaks %q", law.sentence)
		}
		for name, change := range brokenLadders[law.sentence] {
			t.Run(law.sentence+"/"+name, func(t *testing.T) {
				t.Parallel()
				l := newLadder()
				change(&l)
				err := law.holds(surveySteps(l, 1<<12))
				if err == nil {
					t.Fatal("passes")
				}
				first, _, _ := strings.Cut(err.Error(), "\n")
				t.Log(first)
			})
		}
	}
}
