package capture_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// stepCheats are cheats in stepped rounds.
var stepCheats = map[string]cheat{
	"a step skips a draw": {found: "outcome", says: "was shown, the seeds decide", games: []string{"hilo"}, house: func() house {
		return house{games: stepping("hilo", func(draws game.Draws, actions []game.Value) game.Draws {
			return &spliced{Draws: draws, left: len(actions), then: func() game.Draws { draws.Next(); return draws }}
		})}
	}},
	"a step draws anew": {found: "outcome", says: "was shown, the seeds decide", games: []string{"blackjack"}, house: func() house {
		return house{games: stepping("blackjack", func(draws game.Draws, actions []game.Value) game.Draws {
			return &spliced{Draws: draws, left: 4, then: func() game.Draws {
				return fairness.NewStream(fairness.NewServerSeed([32]byte{1}), "anew", int64(len(actions)))
			}}
		})}
	}},
	"what a hand is dealt depends on what is held": {found: "outcome", games: []string{"videopoker"}, house: func() house {
		return house{games: stepping("videopoker", func(draws game.Draws, actions []game.Value) game.Draws {
			if len(actions) > 0 && actions[0].Get("hold").Len() > 2 {
				return &spliced{Draws: draws, left: 5, then: func() game.Draws { draws.Next(); return draws }}
			}
			return draws
		})}
	}},
	"another card is shown": {found: "outcome", says: "was shown, the seeds decide", games: []string{"blackjack"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /rounds" {
				e.body.within("round", func(r object) {
					if r["shown"] != nil {
						r["shown"] = []byte(`{"hands":[["Ad","10s"]],"dealer":["2h"],"hand":0}`)
					}
				})
			}
		})}
	}},
	"a bound that wasn't asked for": {found: "asked", says: "the bound is not the published one", games: []string{"hilo"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /rounds" {
				e.body.within("round", func(r object) { r["config"] = []byte(`{"maxMultiplier":12.5000}`) })
			}
		})}
	}},
	"a bound by a maxPayout that isn't published": {found: "asked", says: "which is not published", games: []string{"hilo"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /rounds" {
				e.body.within("round", func(r object) {
					limit := r.number("wager") * 2
					r.set("maxPayout", limit)
					r["config"] = []byte(`{"maxMultiplier":2.0000}`)
				})
			}
		})}
	}},
	"a bound by what somebody else asked for": {found: "asked", says: "the round says", games: []string{"hilo"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /rounds" {
				e.body.within("round", func(r object) {
					r["asked"], r["config"] = []byte(`{"maxMultiplier":2}`), []byte(`{"maxMultiplier":2.0000}`)
				})
			}
		})}
	}},
	"another action is taken": {found: "asked", says: "asked was", games: []string{"videopoker"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasSuffix(e.call, "/steps") {
				e.body.within("round", func(r object) {
					if r["actions"] != nil {
						r["actions"] = []byte(`[{"type":"draw","hold":[0,1,2,3,4,5]}]`)
					}
				})
			}
		})}
	}},
	"a choice isn't offered": {found: "outcome", says: "was offered, the rules offer", games: []string{"blackjack"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasPrefix(e.call, "POST /rounds") {
				e.body.within("round", func(r object) {
					if r["choices"] != nil {
						r["choices"] = []byte(`[{"action":{"type":"stand"}}]`)
					}
				})
			}
		})}
	}},
	"a choice is left out": {found: "outcome", says: "was offered, the rules offer", games: []string{"blackjack"}, house: func() house {
		return house{between: offering(func(choices string) string {
			return strings.Replace(choices, `,{"action":{"type":"double"},"stake":`, `,{"action":{"type":"hit"},"stake":`, 1)
		})}
	}},
	"a prize is offered that isn't paid": {found: "outcome", says: "was offered, the rules offer", games: []string{"mines"}, house: func() house {
		return house{between: offering(func(choices string) string { return strings.Replace(choices, `"prize":1`, `"prize":2`, 1) })}
	}},
	"a double isn't in the wager": {found: "outcome", says: "was staked, the rules say", games: []string{"blackjack"}, house: func() house {
		first := int64(0)
		return house{between: answering(func(e exchange) {
			switch {
			case e.call == "POST /rounds":
				e.body.within("round", func(r object) { first = r.number("wager") })
			case strings.HasSuffix(e.call, "/steps"):
				e.body.within("round", func(r object) {
					if r["outcome"] != nil {
						r.set("wager", first)
					}
				})
			}
		})}
	}},
	"a stake is taken that no action staked": {found: "outcome", says: "was staked, the rules say", games: []string{"hilo"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasSuffix(e.call, "/steps") {
				e.body.within("round", func(r object) {
					if r["outcome"] != nil {
						r.set("wager", 2*r.number("wager"))
					}
				})
			}
		})}
	}},
	"another seed is revealed": {found: "commitment", says: "the revealed seed has the hash", games: []string{"blackjack", "hilo"}, house: swapped},
	"a nonce is skipped": {found: "nonce", games: []string{"videopoker"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasPrefix(e.call, "POST /rounds") || strings.HasPrefix(e.call, "GET /history/") {
				e.body.within("round", func(r object) {
					if n := r.number("nonce"); n >= 3 {
						r.set("nonce", n+1)
					}
				})
			}
		})}
	}},
	"the return of the best play isn't true": {found: "rules", says: "blackjack: the published return", games: []string{"blackjack"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /public/games" {
				e.body["games"] = []byte(strings.ReplaceAll(string(e.body["games"]), "7016161098045143337706614398/", "7016161098045143337706614399/"))
			}
		})}
	}},
	"a table pays less than is published": {found: "outcome", says: "multiplier: ", games: []string{"videopoker"}, house: func() house {
		return house{games: func(g game.Game) game.Game {
			honest, ok := g.(game.Stepped)
			if g.Type() != "videopoker" || !ok {
				return g
			}
			return restepped{honest, func(honest game.Steps) game.Steps { return underpaid{honest} }}
		}}
	}},
	"more is staked than was said": {found: "outcome", says: "was staked, the rules say", games: []string{"mines"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasPrefix(e.call, "POST /rounds") {
				e.body.within("round", func(r object) {
					if r["stake"] != nil {
						r.set("stake", r.number("stake")+1)
					}
				})
			}
		})}
	}},
	"a round moves to another nonce": {found: "bound", says: "nonce was", games: []string{"hilo"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasSuffix(e.call, "/steps") {
				e.body.within("round", func(r object) { r.set("nonce", r.number("nonce")+1) })
			}
		})}
	}},
	"a stake is taken twice": {found: "balance", says: "less the stake of", games: []string{"dragontower"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /rounds" {
				e.body.set("balance", e.body.number("balance")-10_000)
			}
		})}
	}},
	"the seed is shown while a round is open": {found: "hidden", games: []string{"mines"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasSuffix(e.call, "/steps") {
				e.body.within("round", func(r object) { r.set("serverSeed", other) })
			}
		})}
	}},
	"a round is never ended": {found: "form", says: "isn't played to its end", games: []string{"mines"}, edit: func(lines []capture.Line) []capture.Line {
		at := 0
		for i, l := range lines {
			if l.Line == "step" && bytes.Contains(l.Answered, []byte(`"outcome"`)) {
				at = i
			}
		}
		return slices.Delete(lines, at, at+1)
	}},
}

// stepping changes the draws of a game's steps.
func stepping(gameType string, draws func(draws game.Draws, actions []game.Value) game.Draws) func(game.Game) game.Game {
	return func(g game.Game) game.Game {
		honest, ok := g.(game.Stepped)
		if g.Type() != gameType || !ok {
			return g
		}
		return restepped{honest, func(honest game.Steps) game.Steps { return redealt{honest, draws} }}
	}
}

// spliced are draws that continue with others after some.
type spliced struct {
	game.Draws
	left int
	then func() game.Draws
}

// Next implements game.Draws.
func (s *spliced) Next() uint32 { return s.now().Next() }

// Pick implements game.Draws.
func (s *spliced) Pick(n uint32) uint32 { return s.now().Pick(n) }

func (s *spliced) now() game.Draws {
	if s.left--; s.left == -1 {
		s.Draws = s.then()
	}
	return s.Draws
}

// underpaid are steps that pay less than the table for one hand.
type underpaid struct{ game.Steps }

// At implements game.Steps.
func (u underpaid) At(draws game.Draws, actions []game.Value) game.State {
	state := u.Steps.At(draws, actions)
	if state.Multiplier.Cmp(money.Ratio{Num: 2, Den: 1}) == 0 {
		state.Multiplier = money.Ratio{Num: 1, Den: 1}
	}
	return state
}

// offering changes the offered choices.
func offering(change func(choices string) string) func(http.Handler) http.Handler {
	return answering(func(e exchange) {
		if strings.HasPrefix(e.call, "POST /rounds") {
			e.body.within("round", func(r object) {
				if r["choices"] != nil {
					r["choices"] = []byte(change(string(r["choices"])))
				}
			})
		}
	})
}
