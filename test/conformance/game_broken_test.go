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

// TestSoundGamesConform checks games of each way of counting, and all that a game may do.
func TestSoundGamesConform(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		how    string
		change func(*wheel)
	}{
		"of one pick":     {"counted over the 1024 ways", func(*wheel) {}},
		"without fields":  {"counted over the 1024 ways", func(w *wheel) { w.fields, w.rtp = nil, onlyDefault }},
		"steps that fall": {"by bisection", func(w *wheel) { w.bend = oneDraw(pays) }},
		"steps that rise": {"by bisection", func(w *wheel) {
			w.bend = oneDraw(func(k uint32, p *wheelPlan) bool { return pays(^k, p) })
		}},
		"the odd draws": {"sampled in 32768 rounds", func(w *wheel) {
			w.bend = oneDraw(func(k uint32, p *wheelPlan) bool { return pays(k>>1|k<<31, p) })
		}},
		"too many ways": {"sampled in 32768 rounds", func(w *wheel) { w.bend = uncounted(nil) }},
		"refuses a config by its field": {"counted over the 1024 ways", func(w *wheel) {
			w.refuse = nines(fault.Field("config.prize", "is too much"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWheel()
			row.change(&w)
			Game(t, w)
			if how := surveyGame(w, true).configs[0].how; !strings.Contains(how, row.how) {
				t.Errorf("%s, want %s", how, row.how)
			}
		})
	}
}

// brokenGames are wheels with one defect each, by the sentence that it breaks.
var brokenGames = map[string]map[string]func(*wheel){
	"the game and its fields are named and described": {
		"no title":              func(w *wheel) { w.title = " " },
		"a field has no title":  func(w *wheel) { w.fields[1].Title = "" },
		"a field means nothing": func(w *wheel) { w.fields[0].Description = "" },
		"a field twice":         func(w *wheel) { w.fields[1].Name = "prize" },
		"a number from 9 to 2":  func(w *wheel) { w.fields[1] = field("n", game.Number{Min: 9, Max: 2}) },
		"a choice of nothing":   func(w *wheel) { w.fields[1] = field("n", game.Choice{}) },
		"a list of nothing":     func(w *wheel) { w.fields[1] = field("n", game.ListOf{Item: game.Flag{}, MinItems: 2, MaxItems: 1}) },
		"within a record": func(w *wheel) {
			w.fields[1] = field("n", game.Record{Fields: []game.Field{{Name: "m", Shape: game.Flag{}}}})
		},
		"no table": func(w *wheel) { w.table = &game.Value{} },
	},
	"a registry takes the game": {
		"a default of no shape's": func(w *wheel) { w.fields[0].Default = game.Int(1) },
	},
	"the return to player is stated, in order and at most 1": {
		"none":         func(w *wheel) { w.rtp = func(game.RTP) game.RTP { return game.RTP{} } },
		"no greatest":  func(w *wheel) { w.rtp = func(r game.RTP) game.RTP { r.Max = nil; return r } },
		"out of order": func(w *wheel) { w.rtp = func(r game.RTP) game.RTP { r.Min, r.Max = r.Max, r.Min; return r } },
		"198 %":        func(w *wheel) { w.rtp = func(r game.RTP) game.RTP { r.Max = big.NewRat(198, 100); return r } },
		"below 0":      func(w *wheel) { w.rtp = func(r game.RTP) game.RTP { r.Min = big.NewRat(-1, 100); return r } },
		"panics":       func(w *wheel) { w.rtp = func(game.RTP) game.RTP { panic("no table") } },
	},
	"the empty config returns the stated default, and every config is in the stated range": {
		"the default a billionth off": func(w *wheel) {
			w.rtp = func(r game.RTP) game.RTP { r.Default.Sub(r.Default, big.NewRat(1, 1_000_000_000)); return r }
		},
		"one config below": func(w *wheel) { w.rtp = func(r game.RTP) game.RTP { r.Min = wheelOdds(9).Moments().Mean; return r } },
		"one config above": func(w *wheel) {
			w.bend = func(p *wheelPlan, wager money.Amount) {
				if p.Prize.Num == 9 {
					promising(big.NewRat(1, 1))(p, wager)
				}
			}
		},
	},
	"the moments are finite, fit each other, and are kept rounded": {
		"none":           func(w *wheel) { w.bend = moments(func(game.Moments) game.Moments { return game.Moments{} }) },
		"no mean square": func(w *wheel) { w.bend = moments(func(m game.Moments) game.Moments { m.MeanSquare = nil; return m }) },
		"a variance below 0": func(w *wheel) {
			w.bend = moments(func(m game.Moments) game.Moments { m.MeanSquare.SetInt64(0); return m })
		},
		"a mean above the most": func(w *wheel) { w.bend = promising(big.NewRat(10, 1)) },
		"a mean below 0":        func(w *wheel) { w.bend = promising(big.NewRat(-1, 2)) },
		"a square of rarer ones": func(w *wheel) {
			w.bend = moments(func(m game.Moments) game.Moments { m.MeanSquare.SetInt64(99); return m })
		},
		"kept a part off": func(w *wheel) { w.bend = func(p *wheelPlan, _ money.Amount) { p.rtp++ } },
		"no greatest":     func(w *wheel) { w.bend = func(p *wheelPlan, _ money.Amount) { p.Prize.Den = 0 } },
		"panic":           func(w *wheel) { w.bend = moments(func(game.Moments) game.Moments { panic("no table") }) },
	},
	"an approximate value is within a millionth": {
		"a hundred-thousandth": func(w *wheel) { w.bend = nearly(big.NewRat(1, 100_000), new(big.Rat)) },
		"below 0":              func(w *wheel) { w.bend = nearly(big.NewRat(-1, 1_000_000), new(big.Rat)) },
	},
	"the return is what the draws pay": {
		"further off than nearly": func(w *wheel) { w.bend = nearly(big.NewRat(1, 10_000_000), big.NewRat(1, 9_000_000)) },
		"198 %": func(w *wheel) {
			w.bend = func(p *wheelPlan, _ money.Amount) {
				p.play = func(draws game.Draws) game.Result { return p.result(draws.Pick(wheelFields), true) }
			}
		},
		"one field more": func(w *wheel) {
			w.bend = played(func(p *wheelPlan, r game.Result) game.Result {
				if at, _ := r.Outcome.Get("field").Int(); at == 1023 {
					r.Multiplier = p.Prize
				}
				return r
			})
		},
		"one draw fewer":      func(w *wheel) { w.bend = oneDraw(func(k uint32, p *wheelPlan) bool { return uint64(k)+1 < p.Wins }) },
		"sampled, 20 % less":  func(w *wheel) { w.bend = uncounted(fieldsLess(100)) },
		"sampled, 10 % more":  func(w *wheel) { w.bend = uncounted(fieldsMore(50)) },
		"every round panics":  func(w *wheel) { w.bend = func(p *wheelPlan, _ money.Amount) { p.play = nil } },
		"moments are missing": func(w *wheel) { w.bend = moments(func(game.Moments) game.Moments { return game.Moments{} }) },
	},
	"the variance is what the draws pay": {
		"a hundredth more": func(w *wheel) { w.bend = varying(big.NewRat(1, 100)) },
		"by steps": func(w *wheel) {
			w.bend = func(p *wheelPlan, wager money.Amount) {
				oneDraw(pays)(p, wager)
				varying(big.NewRat(-1, 100))(p, wager)
			}
		},
		"sampled, a half less": func(w *wheel) { w.bend = uncounted(varying(big.NewRat(-1, 1))) },
		"moments are missing":  func(w *wheel) { w.bend = moments(func(game.Moments) game.Moments { return game.Moments{} }) },
	},
	"the greatest multiplier is reached": {
		"a unit above": func(w *wheel) { w.bend = func(p *wheelPlan, _ money.Amount) { bound(p, 10) } },
		"sampled":      func(w *wheel) { w.bend = uncounted(func(p *wheelPlan, _ money.Amount) { bound(p, 10) }) },
	},
	"the chance of the greatest multiplier, where it is stated, is what the draws give": {
		"one field more": func(w *wheel) { w.bend = reaching(big.NewRat(501, 1024)) },
		"none":           func(w *wheel) { w.bend = reaching(new(big.Rat)) },
		"above 1":        func(w *wheel) { w.bend = reaching(big.NewRat(3, 2)) },
		"below 0":        func(w *wheel) { w.bend = reaching(big.NewRat(-1, 2)) },
		"sampled, above the mean": func(w *wheel) {
			w.bend = uncounted(reaching(big.NewRat(501, 1024)))
		},
	},
	"no draws pay more than the greatest multiplier": {
		"one field of 1,024": func(w *wheel) { w.bend = prizeAt(77, 3) },
		"an end":             func(w *wheel) { w.bend = uncounted(prizeAt(1023, 3)) },
		"sampled":            func(w *wheel) { w.bend = uncounted(prizeAt(77, 3)) },
	},
	"a multiplier is a number": {
		"1/0": func(w *wheel) {
			w.bend = played(func(_ *wheelPlan, r game.Result) game.Result { r.Multiplier.Den = 0; return r })
		},
	},
	"every round has an outcome": {
		"a loss is the zero Result": func(w *wheel) {
			w.bend = played(func(_ *wheelPlan, r game.Result) game.Result {
				if r.Multiplier.Num == 0 {
					return game.Result{}
				}
				return r
			})
		},
	},
	"a round ends without a panic for all draws": {
		"the last draw":  func(w *wheel) { w.bend = panicking(func(k uint32) bool { return k == drawValues-1 }) },
		"the first draw": func(w *wheel) { w.bend = panicking(func(k uint32) bool { return k == 0 }) },
		"in the middle":  func(w *wheel) { w.bend = panicking(func(k uint32) bool { return k>>24 == 77 }) },
		"one way to fall": func(w *wheel) {
			w.bend = played(func(_ *wheelPlan, r game.Result) game.Result {
				if at, _ := r.Outcome.Get("field").Int(); at == 77 {
					panic("field 77 is lost")
				}
				return r
			})
		},
		"draws until two differ": func(w *wheel) {
			w.bend = func(p *wheelPlan, _ money.Amount) {
				p.play = func(draws game.Draws) game.Result {
					first := draws.Pick(wheelFields)
					for draws.Pick(wheelFields) == first {
						continue
					}
					return p.result(first, false)
				}
			}
		},
	},
	"the same draws decide the same": {
		"every 1,000th round wins": func(w *wheel) {
			var rounds atomic.Int64
			w.bend = played(func(p *wheelPlan, r game.Result) game.Result {
				if rounds.Add(1)%1000 == 0 {
					r.Multiplier = p.Prize
				}
				return r
			})
		},
	},
	"a round is verified without its stake": {
		"large stakes lose": func(w *wheel) {
			w.bend = func(p *wheelPlan, wager money.Amount) {
				if wager >= 1_000_000 {
					fieldsLess(1000)(p, wager)
				}
			}
		},
	},
	"a config that took effect is planned again to the same effect": {
		"a field is forgotten": func(w *wheel) {
			w.bend = func(p *wheelPlan, _ money.Amount) {
				p.shown = game.Object(game.Member{Name: "last", Value: p.shown.Get("last")})
			}
		},
		"shows where, not whether": func(w *wheel) {
			w.bend = func(p *wheelPlan, _ money.Amount) {
				p.shown = game.Object(game.Member{Name: "prize", Value: p.shown.Get("prize")})
			}
		},
		"a field of its own": func(w *wheel) {
			w.bend = func(p *wheelPlan, _ money.Amount) {
				p.shown = game.Object(game.Member{Name: "fields", Value: game.Int(wheelFields)})
			}
		},
	},
	"a declared config is planned, or refused by its field": {
		"by no fault":      func(w *wheel) { w.refuse = nines(errors.New("too much")) },
		"by another kind":  func(w *wheel) { w.refuse = nines(fault.New(fault.Internal, "too much").With("field", "config.prize")) },
		"by another field": func(w *wheel) { w.refuse = nines(fault.Field("config.target", "too much")) },
		"by a panic": func(w *wheel) {
			w.refuse = func(config game.Value) error {
				if prize, _ := config.Get("prize").Int(); prize == 9 {
					panic("too much")
				}
				return nil
			}
		},
	},
	"what isn't declared is refused by its field": {
		"a record's field has no shape": func(w *wheel) {
			w.fields[1] = field("n", game.Record{Fields: []game.Field{{Name: "m", Optional: true}}})
		},
	},
}

// TestBrokenGamesAreFound checks that every law finds the games that break it.
func TestBrokenGamesAreFound(t *testing.T) {
	t.Parallel()
	if len(brokenGames) != len(gameLaws) {
		t.Errorf("games break %d laws, there are %d", len(brokenGames), len(gameLaws))
	}
	for _, l := range gameLaws {
		if len(brokenGames[l.sentence]) == 0 {
			t.Errorf("no game breaks %q", l.sentence)
		}
		for name, change := range brokenGames[l.sentence] {
			t.Run(l.sentence+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newWheel()
				change(&w)
				var g game.Game = w
				if w.table != nil {
					g = tabledWheel{w}
				}
				err := l.holds(surveyGame(g, true))
				if err == nil {
					t.Fatal("passes")
				}
				first, _, _ := strings.Cut(err.Error(), "\n")
				t.Log(first)
			})
		}
	}
}
