package capture_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/cmd/internal/capture"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
)

// cheat is a manipulation by a house or by the author of a capture.
type cheat struct {
	house func() house
	// edit changes the lines of an honest capture, which gets a new digest.
	edit func([]capture.Line) []capture.Line
	// found is the check that finds it, says a part of its text.
	found, says string
	// games are the played games, by default dice, mines and roulette.
	games []string
}

// other is a commitment without a seed.
var other = strings.Repeat("0123456789abcdef", 4)

// every reports true on every nth call.
func every(n int) func() bool {
	at := 0
	return func() bool { at++; return at%n == 0 }
}

// rulesCheats break the rules of games.
var rulesCheats = map[string]cheat{
	"a draw is skipped": {found: "outcome", says: "outcome: ", house: func() house {
		return house{games: playing("dice", func(p game.Plan, wager money.Amount, draws game.Draws) game.Result {
			if wager > 0 {
				draws.Next()
			}
			return p.Play(draws)
		})}
	}},
	"the edge grows with the stake": {found: "outcome", says: "multiplier: ", house: func() house {
		return house{games: playing("mines", func(p game.Plan, wager money.Amount, draws game.Draws) game.Result {
			result := p.Play(draws)
			if wager >= 100_000 {
				result.Multiplier.Num, result.Multiplier.Den = 99*result.Multiplier.Num, 100*result.Multiplier.Den
			}
			return result
		})}
	}},
	"multipliers are rounded down": {found: "outcome", house: func() house {
		return house{games: playing("mines", func(p game.Plan, _ money.Amount, draws game.Draws) game.Result {
			result := p.Play(draws)
			result.Multiplier = money.Ratio{Num: result.Multiplier.Num * 10 / result.Multiplier.Den, Den: 10}
			return result
		})}
	}},
	"the greatest win is never paid": {found: "outcome", house: func() house {
		return house{games: playing("roulette", func(p game.Plan, wager money.Amount, draws game.Draws) game.Result {
			result := p.Play(draws)
			if wager > 0 && result.Multiplier.Cmp(p.MaxMultiplier()) == 0 {
				result.Multiplier = money.Ratio{Den: 1}
			}
			return result
		})}
	}},
	"a config is played that wasn't asked for": {found: "asked", house: func() house {
		return house{games: func(g game.Game) game.Game {
			if g.Type() != "dice" {
				return g
			}
			return replanned(g, func(honest game.Plan, wager money.Amount) game.Plan {
				target, _ := honest.Config().Get("target").Units(2)
				if wager == 0 || target != 5000 {
					return honest
				}
				harder, err := g.Plan(game.Object(game.Member{Name: "target", Value: game.Dec(5100, 2)}, game.Member{Name: "direction", Value: game.Text("over")}), wager)
				if err != nil {
					panic(err)
				}
				return harder
			})
		}}
	}},
	"wins are made void": {found: "void", house: func() house {
		return house{games: playing("dice", func(p game.Plan, wager money.Amount, draws game.Draws) game.Result {
			result := p.Play(draws)
			if wager > 0 && result.Multiplier.Num > result.Multiplier.Den {
				panic("a win")
			}
			return result
		})}
	}},
}

// seedCheats change committed values.
var seedCheats = map[string]cheat{
	"another seed is revealed": {found: "commitment", says: "the revealed seed has the hash", house: swapped},
	"the commitment changes after play": {found: "commitment", says: "before its rounds and is", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /seed" && e.body.number("nonce") > 0 {
				e.body.set("serverSeedHash", other)
			}
		})}
	}},
	"the seed is drawn after the client seed is known": {found: "commitment", says: "before its client seed was chosen", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /seed" { // it shows a seed that won't be used
				e.body.set("nextServerSeedHash", other)
			}
		})}
	}},
	"the house chooses the client seed": {found: "client seed", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /seed/rotate" {
				e.body.within("seed", func(s object) { s.set("clientSeed", "lucky") })
			}
		})}
	}},
	"a seed is used again": {found: "commitment", says: "an earlier pair had the commitment", house: func() house {
		return house{between: func(honest http.Handler) http.Handler {
			return answering(func(e exchange) {
				if e.call == "POST /seed/rotate" {
					e.body.within("seed", func(s object) { s.set("serverSeedHash", other) })
				}
			})(expectingNothing(honest))
		}}
	}},
	"the next seed is the present one": {found: "commitment", says: "its reveal would show it", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /seed/rotate" {
				e.body.within("seed", func(s object) { s["nextServerSeedHash"] = s["serverSeedHash"] })
			}
		})}
	}},
	"the seed is shown before the reveal": {found: "hidden", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" {
				e.body.within("round", func(r object) { r.set("serverSeed", other) })
			}
		})}
	}},
	"a round is bound to another pair": {found: "bound", house: func() house {
		now := every(10)
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" && now() {
				e.body.within("round", func(r object) { r.set("serverSeedHash", other) })
			}
		})}
	}},
	"a nonce is skipped": {found: "nonce", house: func() house {
		return house{between: rounds(func(r object) {
			if n := r.number("nonce"); n >= 3 {
				r.set("nonce", n+1)
			}
		})}
	}},
	"a nonce is used twice": {found: "nonce", house: func() house {
		return house{between: rounds(func(r object) {
			if n := r.number("nonce"); n == 5 {
				r.set("nonce", 4)
			}
		})}
	}},
}

// expectingNothing takes from bets which pair and nonce they are for.
func expectingNothing(honest http.Handler) http.Handler {
	expected := regexp.MustCompile(`,"expected\w+":("[^"]*"|\d+)`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		body = expected.ReplaceAll(body, nil)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		honest.ServeHTTP(w, r)
	})
}

// swapped reveals another seed.
func swapped() house {
	seed := strings.Repeat("ab", 32)
	return house{between: answering(func(e exchange) {
		switch {
		case e.call == "POST /seed/rotate":
			e.body.within("revealed", func(r object) { r.set("serverSeed", seed) })
		case strings.HasPrefix(e.call, "GET /history/"):
			e.body.within("round", func(r object) { r.set("serverSeed", seed) })
		}
	})}
}

// bookCheats change answers or payouts.
var bookCheats = map[string]cheat{
	"rounds are backdated": {found: "time", says: "the response came at", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" || e.call == "POST /rounds" {
				e.body.within("round", func(r object) { r.set("createdAt", r.number("createdAt")-5*60_000) })
			}
		})}
	}},
	"the history has another outcome": {found: "history", says: "outcome: ", house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasPrefix(e.call, "GET /history/") {
				e.body.within("round", func(r object) {
					if r.text("gameType") == "roulette" {
						r["outcome"] = []byte(`{"number":17}`)
					}
				})
			}
		})}
	}},
	"payouts are a unit short": {found: "outcome", says: "payout: ", house: func() house { return house{between: short()} }},
	"a balance jumps": {found: "balance", says: "the balance after the round", house: func() house {
		now := every(20)
		return house{between: answering(func(e exchange) {
			if e.call == "POST /play" && now() {
				e.body.set("balance", e.body.number("balance")-1)
			}
		})}
	}},
	"a fee is taken between rounds": {found: "balance", says: "after the last round it was", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /balance" {
				e.body["balances"] = []byte(`[{"token":"So11111111111111111111111111111111111111112","balance":1000}]`)
			}
		})}
	}},
	"more is wagered than was asked": {found: "asked", house: func() house {
		return house{between: rounds(func(r object) { r.set("wager", r.number("wager")+1) })}
	}},
	"a round is answered twice": {found: "nonce", says: "two rounds have the id", house: func() house {
		var first object
		return house{between: answering(func(e exchange) {
			switch {
			case e.call != "POST /play":
			case first == nil:
				first = e.body
			default:
				e.body.within("round", func(r object) { first.within("round", func(old object) { r["id"] = old["id"] }) })
			}
		})}
	}},
	"the rules change while rounds are played": {found: "rules", says: "changed while", house: func() house {
		later := every(2)
		return house{between: answering(func(e exchange) {
			if e.call == "GET /public/games" && later() {
				e.body["games"] = []byte(strings.Replace(string(e.body["games"]), "36 times its amount", "35 times its amount", 1))
			}
		})}
	}},
	"rounds are played by other rules": {found: "rules", says: "the round was played by", house: func() house {
		return house{between: rounds(func(r object) { r.set("rules", r.text("gameType")+"/2") })}
	}},
	"a return is published that isn't true": {found: "rules", says: "the published return", house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /public/games" {
				e.body["games"] = []byte(strings.Replace(string(e.body["games"]), `"ratio":"`, `"ratio":"1`, 1))
			}
		})}
	}},
	"another table is published": {found: "rules", says: "the published table", games: []string{"wheel"}, house: func() house {
		return house{between: answering(func(e exchange) {
			if e.call == "GET /public/games" {
				e.body["games"] = []byte(strings.Replace(string(e.body["games"]), `"pays":[1.5,1.2,1.2,1.2,0.0,`, `"pays":[1.5,1.2,1.2,1.2,1.2,`, 1))
			}
		})}
	}},
	"a config's return isn't true": {found: "return", house: func() house {
		return house{between: answering(func(e exchange) {
			if strings.HasSuffix(e.call, "/dice/return") {
				e.body.within("rtp", func(r object) { r.set("ratio", "199/200") })
			}
		})}
	}},
}

// fileCheats are by the author of a capture.
var fileCheats = map[string]cheat{
	"a round is left out": {found: "nonce", edit: func(lines []capture.Line) []capture.Line {
		at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == "round" })
		return slices.Delete(lines, at, at+1)
	}},
	"a pair is left out": {found: "balance", edit: func(lines []capture.Line) []capture.Line {
		var begins []int
		for i, l := range lines {
			if l.Line == "balance" && l.Player == 1 {
				begins = append(begins, i)
			}
		}
		return slices.Delete(lines, begins[1], begins[2])
	}},
	"a round is moved to another pair": {found: "bound", edit: func(lines []capture.Line) []capture.Line {
		first := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == "round" })
		moved := lines[first]
		lines = slices.Delete(lines, first, first+1)
		next := slices.IndexFunc(lines[first:], func(l capture.Line) bool { return l.Line == "rotation" && l.Player == moved.Player })
		return slices.Insert(lines, first+next+1, moved)
	}},
	"a losing round was never read again": {found: "history", says: "was not read", edit: func(lines []capture.Line) []capture.Line {
		at := slices.IndexFunc(lines, func(l capture.Line) bool { return l.Line == "kept" })
		return slices.Delete(lines, at, at+1)
	}},
	"the last pair is not revealed": {found: "commitment", says: "was not revealed", edit: func(lines []capture.Line) []capture.Line {
		at := 0
		for i, l := range lines {
			if l.Line == "rotation" {
				at = i
			}
		}
		return lines[:at]
	}},
}

// TestAFileThatIsNotWhatWasWrittenIsFound: truncated lines, and changed bytes.
func TestAFileThatIsNotWhatWasWrittenIsFound(t *testing.T) {
	t.Parallel()
	whole := honest(t)
	for name, file := range map[string][]byte{
		"cut off":      whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1],
		"a byte":       bytes.Replace(whole, []byte(`"takenBy":"test"`), []byte(`"takenBy":"rest"`), 1),
		"another form": bytes.Replace(whole, []byte(`"form":1`), []byte(`"form":2`), 1),
		"no JSON":      append(bytes.Clone(whole), "{\n"...),
		"more lines":   append(bytes.Clone(whole), whole[:bytes.IndexByte(whole, '\n')+1]...),
		"empty":        nil,
	} {
		report := checked(t, file)
		if report.Clean || !slices.ContainsFunc(report.Findings, func(f capture.Finding) bool { return f.Check == "form" }) {
			t.Errorf("%s: %+v", name, report.Findings)
		}
	}
}

// TestCheatsAreFoundByRecomputing: each cheat is found in a capture of 180 rounds, from the
// first affected round on.
func TestCheatsAreFoundByRecomputing(t *testing.T) {
	t.Parallel()
	if report := checked(t, honest(t)); !report.Clean {
		t.Fatalf("%+v", report.Findings)
	}
	for _, kind := range []map[string]cheat{rulesCheats, seedCheats, stepCheats, bookCheats, receiptCheats, fileCheats} {
		for name, c := range kind {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var file []byte
				if c.edit != nil {
					file = edited(t, honest(t), c.edit)
				} else {
					file, _ = c.house().taken(t, 1, func(p *capture.Plan) {
						few(p)
						if c.games != nil {
							p.Games = c.games
						}
					})
				}
				report := checked(t, file)
				at := slices.IndexFunc(report.Findings, func(f capture.Finding) bool { return f.Check == c.found && strings.Contains(f.Text, c.says) })
				if at < 0 || report.Clean || report.Findings[at].By != capture.ByRecomputing {
					t.Fatalf("not found by %q: %+v", c.found, report.Findings)
				}
				t.Logf("%d findings, %s: %s", report.Found, c.found, report.Findings[at].Text)
			})
		}
	}
}

// few sets 60 rounds of three games.
func few(p *capture.Plan) {
	p.Games, p.Rounds = []string{"dice", "mines", "roulette"}, 60
}

func edited(t *testing.T, file []byte, edit func([]capture.Line) []capture.Line) []byte {
	t.Helper()
	lines, err := capture.LinesOf(file)
	if err != nil {
		t.Fatal(err)
	}
	file, err = capture.FileOf(edit(lines))
	if err != nil {
		t.Fatal(err)
	}
	return file
}
