package capture_test

import (
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// object is a JSON object that keeps the text of its members.
type object map[string]jsontext.Value

func (o object) set(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	o[name] = text
}

func (o object) read(name string, to any) {
	if err := json.Unmarshal(o[name], to); err != nil {
		panic(err)
	}
}

func (o object) number(name string) (n int64) {
	o.read(name, &n)
	return n
}

func (o object) text(name string) (text string) {
	o.read(name, &text)
	return text
}

// within changes a nested object.
func (o object) within(name string, change func(object)) {
	inner := object{}
	if err := json.Unmarshal(o[name], &inner); err != nil {
		panic(err)
	}
	change(inner)
	o.set(name, inner)
}

// exchange is a request and its answer.
type exchange struct {
	call string // method and path after the base path
	body object // of the answer
}

// answering changes answers, one at a time.
func answering(change func(exchange)) func(http.Handler) http.Handler {
	return func(honest http.Handler) http.Handler {
		var one sync.Mutex
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			one.Lock()
			defer one.Unlock()
			kept := httptest.NewRecorder()
			honest.ServeHTTP(kept, r)
			body := object{}
			if kept.Code < http.StatusMultipleChoices && json.Unmarshal(kept.Body.Bytes(), &body) == nil {
				change(exchange{r.Method + " " + strings.TrimPrefix(r.URL.Path, "/casino"), body})
				kept.Body.Reset()
				text, err := json.Marshal(body)
				if err != nil {
					panic(err)
				}
				kept.Body.Write(text)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(kept.Code)
			_, _ = w.Write(kept.Body.Bytes()) // the player may be gone
		})
	}
}

// rounds changes each round, during play and in the history.
func rounds(change func(round object)) func(http.Handler) http.Handler {
	return answering(func(e exchange) {
		if e.call == "POST /play" || strings.HasPrefix(e.call, "GET /history/") {
			e.body.within("round", change)
		}
	})
}

// loaded is a game with changed plans.
type loaded struct {
	game.Game
	plan func(honest game.Plan, wager money.Amount) game.Plan
}

// Plan implements game.Game.
func (l loaded) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	honest, err := l.Game.Plan(config, wager)
	if err != nil {
		return nil, err
	}
	return l.plan(honest, wager), nil
}

// loadedSteps is a loaded game that can also be played in steps.
type loadedSteps struct {
	game.Stepped
	loaded
}

func (l loadedSteps) Type() string         { return l.Stepped.Type() }
func (l loadedSteps) Rules() string        { return l.Stepped.Rules() }
func (l loadedSteps) Title() string        { return l.Stepped.Title() }
func (l loadedSteps) Fields() []game.Field { return l.Stepped.Fields() }
func (l loadedSteps) RTP() game.RTP        { return l.Stepped.RTP() }

// Plan implements game.Game.
func (l loadedSteps) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	return l.loaded.Plan(config, wager)
}

// replanned returns a game with changed plans. It can be played in steps if the honest game
// can.
func replanned(g game.Game, plan func(honest game.Plan, wager money.Amount) game.Plan) game.Game {
	changed := loaded{g, plan}
	if steps, ok := g.(game.Stepped); ok {
		return loadedSteps{steps, changed}
	}
	return changed
}

// restepped is a game with changed steps.
type restepped struct {
	game.Stepped
	steps func(honest game.Steps) game.Steps
}

// Begin implements game.Stepped.
func (r restepped) Begin(config game.Value, wager money.Amount) (game.Steps, error) {
	honest, err := r.Stepped.Begin(config, wager)
	if err != nil || wager == 0 {
		return honest, err
	}
	return r.steps(honest), nil
}

// redealt are steps with other draws.
type redealt struct {
	game.Steps
	draws func(draws game.Draws, actions []game.Value) game.Draws
}

// At implements game.Steps.
func (r redealt) At(draws game.Draws, actions []game.Value) game.State {
	return r.Steps.At(r.draws(draws, actions), actions)
}

// dealt is a plan that is played differently.
type dealt struct {
	game.Plan
	play func(honest game.Plan, draws game.Draws) game.Result
}

// Play implements game.Plan.
func (d dealt) Play(draws game.Draws) game.Result { return d.play(d.Plan, draws) }

// playing changes how a house game is played.
func playing(gameType string, play func(honest game.Plan, wager money.Amount, draws game.Draws) game.Result) func(game.Game) game.Game {
	return func(g game.Game) game.Game {
		if g.Type() != gameType {
			return g
		}
		return replanned(g, func(honest game.Plan, wager money.Amount) game.Plan {
			return dealt{honest, func(honest game.Plan, draws game.Draws) game.Result { return play(honest, wager, draws) }}
		})
	}
}

// short withholds a unit of each payout, with matching balances.
func short() func(http.Handler) http.Handler {
	kept, of := int64(0), map[string][2]int64{} // in total, and before and after each round
	return answering(func(e exchange) {
		switch {
		case e.call == "POST /play":
			before := kept
			e.body.within("round", func(r object) {
				if payout := r.number("payout"); payout > 0 {
					kept++
					r.set("payout", payout-1)
				}
				of[r.text("id")] = [2]int64{before, kept}
			})
			e.body.set("balance", e.body.number("balance")-kept)
		case strings.HasPrefix(e.call, "GET /history/"):
			e.body.within("round", func(r object) {
				at := of[r.text("id")]
				r.set("payout", r.number("payout")-at[1]+at[0])
				r.set("balanceBefore", r.number("balanceBefore")-at[0])
				r.set("balanceAfter", r.number("balanceAfter")-at[1])
			})
		case e.call == "GET /balance":
			var all []object
			if err := json.Unmarshal(e.body["balances"], &all); err != nil {
				panic(err)
			}
			for _, one := range all {
				one.set("balance", one.number("balance")-kept)
			}
			e.body.set("balances", all)
		}
	})
}

// grinding chooses favorable server seeds with knowledge of the client seeds that they will
// be used with. All its rounds verify.
type grinding struct {
	*fakes.Entropy
	mu sync.Mutex
	// clientSeeds are the player's future choices; pair is the pair whose server seed is
	// drawn next, negative for none.
	clientSeeds []string
	pair        int
	tries       int
	// bad returns how unfavorable a seed is for the player.
	bad func(fairness.ServerSeed, string) float64
}

// newGrinding knows the client seeds that a player with this entropy will choose.
func newGrinding(player *fakes.Entropy, tries int, bad func(fairness.ServerSeed, string) float64) *grinding {
	g := &grinding{Entropy: fakes.NewEntropy(1), pair: -1, tries: tries, bad: bad}
	player.Seed() // the order of the rounds
	player.Seed() // the actions in stepped rounds
	for range 4000 {
		drawn := player.Seed()
		g.clientSeeds = append(g.clientSeeds, hex.EncodeToString(drawn[:16]))
	}
	return g
}

// Seed implements ports.Entropy.
func (g *grinding) Seed() [32]byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	best := g.Entropy.Seed()
	if g.pair < 0 || g.pair >= len(g.clientSeeds) {
		return best
	}
	how := func(seed [32]byte) float64 { return g.bad(fairness.NewServerSeed(seed), g.clientSeeds[g.pair]) }
	worst := how(best)
	for range g.tries - 1 {
		if other := g.Entropy.Seed(); how(other) > worst {
			best, worst = other, how(other)
		}
	}
	return best
}

// rotating records the pair of the server seed that a rotation draws: the one after the
// pair that it begins.
func (g *grinding) rotating(honest http.Handler) http.Handler {
	rotations := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/seed/rotate") {
			honest.ServeHTTP(w, r)
			return
		}
		g.mu.Lock()
		rotations++
		g.pair = rotations
		g.mu.Unlock()
		honest.ServeHTTP(w, r)
		g.mu.Lock()
		g.pair = -1
		g.mu.Unlock()
	})
}
