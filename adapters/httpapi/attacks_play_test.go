package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func TestBetsThatAreNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	million := "[" + strings.Repeat("1,", 30_000) + "1]"
	for name, row := range map[string]struct{ gameType, config, code, field string }{
		"an unknown game":            {`"poker"`, `{}`, "INVALID_GAME", "gameType"},
		"a game in another case":     {`"Dice"`, `{}`, "INVALID_GAME", "gameType"},
		"an empty game":              {`""`, `{}`, "INVALID_PARAMETER", "gameType"},
		"a game that is a number":    {`7`, `{}`, "INVALID_PARAMETER", "gameType"},
		"a path for a game":          {`"../dice"`, `{}`, "INVALID_GAME", "gameType"},
		"config a list":              {`"dice"`, `[]`, "INVALID_PARAMETER", "config"},
		"config a text":              {`"dice"`, `"{}"`, "INVALID_PARAMETER", "config"},
		"an unknown key":             {`"dice"`, `{"edge":0}`, "INVALID_PARAMETER", "config.edge"},
		"a prototype key":            {`"dice"`, `{"__proto__":{"target":1}}`, "INVALID_PARAMETER", "config.__proto__"},
		"a key twice":                {`"dice"`, `{"target":50,"target":60}`, "INVALID_PARAMETER", "config.target"},
		"null inside":                {`"dice"`, `{"target":null}`, "INVALID_PARAMETER", "config"},
		"out of range":               {`"dice"`, `{"target":100}`, "INVALID_PARAMETER", "config.target"},
		"too many decimals":          {`"dice"`, `{"target":50.000}`, "INVALID_PARAMETER", "config.target"},
		"an exponent":                {`"dice"`, `{"target":5e1}`, "INVALID_PARAMETER", "config.target"},
		"a decimal as text":          {`"dice"`, `{"target":"50.00"}`, "INVALID_PARAMETER", "config.target"},
		"a choice that isn't one":    {`"dice"`, `{"direction":"sideways"}`, "INVALID_PARAMETER", "config.direction"},
		"pays too little":            {`"dice"`, `{"target":0.01,"direction":"over"}`, "INVALID_PARAMETER", "config.target"},
		"a million elements":         {`"dice"`, `{"target":` + million + `}`, "INVALID_PARAMETER", "config.target"},
		"slots with a config":        {`"slots"`, `{"lines":20}`, "INVALID_PARAMETER", "config.lines"},
		"a huge number":              {`"limbo"`, `{"target":` + strings.Repeat("9", 400) + `}`, "INVALID_PARAMETER", "config.target"},
		"nested 40 deep":             {`"dice"`, strings.Repeat(`{"target":`, 40) + "1" + strings.Repeat("}", 40), "INVALID_PARAMETER", "body"},
		"more flips than there are":  {`"coinflip"`, `{"flips":21}`, "INVALID_PARAMETER", "config.flips"},
		"a fraction where none fits": {`"coinflip"`, `{"flips":1.0}`, "INVALID_PARAMETER", "config.flips"},
	} {
		body := fmt.Sprintf(`{"gameType":%s,"wager":10000,"token":%q,"config":%s}`, row.gameType, sol, row.config)
		if h.post("alice", "/play", body).is(http.StatusBadRequest, row.code).names(row.field); t.Failed() {
			t.Fatalf("%s: %.200s", name, body)
		}
	}
	bet := func(wager int64, token string) string {
		return fmt.Sprintf(`{"gameType":"dice","wager":%d,"token":%q}`, wager, token)
	}
	h.post("alice", "/play", bet(minimum-1, sol)).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE").names("wager")
	h.post("alice", "/play", bet(1<<41, sol)).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE").names("wager")
	h.post("alice", "/play", bet(minimum, usd)).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS") // a token not held
	h.post("alice", "/play", bet(minimum, string(fakes.Mint("x")))).is(http.StatusBadRequest, "TOKEN_NOT_ACCEPTED")
	h.post("alice", "/play", bet(minimum, "sol")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("token")
	// The order of fields decides which of several errors is reported.
	h.post("alice", "/play", `{"gameType":1,"wager":0,"token":2,"config":3}`).names("gameType")
	h.post("alice", "/play", `{"config":3,"token":2,"wager":0,"gameType":"dice"}`).names("wager")
	h.post("alice", "/play", fmt.Sprintf(`{"config":3,"token":%q,"wager":1,"gameType":"none"}`, sol)).names("config")
	if got := h.get("alice", "/seed"); got.integer("nonce") != 0 || h.balance("alice", sol) != 1_000_000 {
		t.Errorf("refusals drew something: %s, balance %d", got.text, h.balance("alice", sol))
	}
}

func TestWithoutBankrollNothingIsDrawn(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{capital: 20_000})
	h.funded("alice", sol, 1_000_000)
	h.post("alice", "/play", object{"gameType": "dice", "wager": 20_000, "token": sol}).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
	h.post("alice", "/play", object{"gameType": "dice", "wager": 10_000, "token": sol}).ok(http.StatusOK)
}

// TestAThousandBetsAtOnce: nonces have no gaps, and each round is entirely before or after
// a rotation.
func TestAThousandBetsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000_000)
	var mu sync.Mutex
	nonces := map[string]map[int64]bool{} // by hash of the server seed
	rotations := map[string]int64{}
	counts := h.race(1000, func(i int) reply {
		if i%100 == 50 {
			got := h.post("alice", "/seed/rotate", object{"clientSeed": fmt.Sprint("seed ", i)})
			if got.status == http.StatusOK {
				mu.Lock()
				defer mu.Unlock()
				rotations[got.text_("revealed", "serverSeedHash")] = got.integer("revealed", "rounds")
			}
			return got
		}
		got := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol})
		if got.status == http.StatusOK {
			mu.Lock()
			defer mu.Unlock()
			hash := got.text_("round", "serverSeedHash")
			if nonces[hash] == nil {
				nonces[hash] = map[int64]bool{}
			}
			if nonces[hash][got.integer("round", "nonce")] {
				t.Errorf("nonce %d of %s came twice", got.integer("round", "nonce"), hash)
			}
			nonces[hash][got.integer("round", "nonce")] = true
		}
		return got
	})
	if counts["ok"] != 1000 || len(rotations) != 10 {
		t.Fatalf("%v, %d rotations", counts, len(rotations))
	}
	for hash, drawn := range nonces {
		for n := range int64(len(drawn)) {
			if !drawn[n] {
				t.Errorf("pair %s drew %d rounds and none has nonce %d", hash, len(drawn), n)
			}
		}
		if told, rotated := rotations[hash]; rotated && told != int64(len(drawn)) {
			t.Errorf("pair %s was revealed with %d rounds, %d were answered", hash, told, len(drawn))
		}
	}
}

// fullWriter already has sixteen open requests of every player.
type fullWriter struct {
	ports.Writer
	full bool
}

func (f *fullWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if !f.full {
		return f.Writer.Commit(ctx, item)
	}
	return player.Receipt{}, fault.New(fault.RateLimited, "16 requests of this player are at work already").With("retryAfterMs", int64(1_001))
}

// TestOnePlayerCantFillTheQueue: the store's refusal of a seventeenth concurrent request is
// answered with its wait rounded up.
func TestOnePlayerCantFillTheQueue(t *testing.T) {
	t.Parallel()
	full := &fullWriter{}
	h := openHouse(t, setup{deps: func(d *app.Deps) { full.Writer, d.Store.Writer = d.Store.Writer, full }})
	h.funded("alice", sol, 1_000_000)
	full.full = true
	got := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).is(http.StatusTooManyRequests, "RATE_LIMITED")
	if got.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
	}
}

// brokenGame fails in every draw with a stake. Without a stake, which is how a registry
// tests games, it works.
type brokenGame struct{ game.Game }

func (brokenGame) Type() string  { return "broken" }
func (brokenGame) Rules() string { return "broken/1" }

func (g brokenGame) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := g.Game.Plan(config, wager)
	if wager == 0 {
		return plan, err
	}
	return brokenPlan{plan}, err
}

type brokenPlan struct{ game.Plan }

func (brokenPlan) Play(game.Draws) game.Result { panic("table lost") }

func TestABrokenDrawReturnsTheStake(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) {
		games, err := game.NewRegistry(append(game.Standard(), brokenGame{game.Coinflip()})...)
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	}})
	h.funded("alice", sol, 50_000)
	hash := h.get("alice", "/seed").text_("serverSeedHash")
	got := h.post("alice", "/play", object{"gameType": "broken", "wager": minimum, "token": sol}).ok(http.StatusOK)
	if got.at("round", "outcome") != nil || got.integer("round", "payout") != minimum || got.integer("balance") != 50_000 {
		t.Errorf("void round: %s", got.text)
	}
	if now := h.get("alice", "/seed"); now.text_("serverSeedHash") == hash || now.integer("nonce") != 0 {
		t.Errorf("the pair wasn't retired: %s", now.text)
	}
	if bets, _ := h.get("", "/recent-bets").at("bets").([]any); len(bets) != 0 {
		t.Errorf("a void round is in the feed: %v", bets)
	}
	if !strings.Contains(h.log.String(), "level=ERROR") {
		t.Error("nothing was logged")
	}
}

func TestRotationsThatAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	active := h.get("alice", "/seed").text_("serverSeedHash")
	for name, body := range map[string]string{
		"empty": `{"clientSeed":""}`, "65 characters": `{"clientSeed":"` + strings.Repeat("x", 65) + `"}`,
		"not ASCII": `{"clientSeed":"é"}`, "a line end": `{"clientSeed":"a\nb"}`, "a number": `{"clientSeed":7}`,
	} {
		if h.post("alice", "/seed/rotate", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("clientSeed"); t.Failed() {
			t.Fatal(name)
		}
	}
	h.post("alice", "/seed/rotate", object{"expectedServerSeedHash": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expectedServerSeedHash")
	h.post("alice", "/seed/rotate", object{"expectedServerSeedHash": strings.Repeat("0", 64)}).is(http.StatusConflict, "INVALID_STATE")
	h.post("alice", "/seed/rotate", object{"expectedServerSeedHash": "x"}).is(http.StatusConflict, "INVALID_STATE")
	if now := h.get("alice", "/seed").text_("serverSeedHash"); now != active {
		t.Error("a refused rotation rotated")
	}
	h.post("alice", "/seed/rotate", object{"expectedServerSeedHash": active}).ok(http.StatusOK)
}

func TestAStoppedStoreIsUnavailable(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	h.store.Stop()
	got := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).is(http.StatusServiceUnavailable, "UNAVAILABLE")
	if got.text_("details", "outcome") != "none" || got.header.Get("Retry-After") == "" {
		t.Errorf("Retry-After %q: %s", got.header.Get("Retry-After"), got.text)
	}
	h.get("alice", "/balance").ok(http.StatusOK)
}

func TestVerifyNeedsItsFields(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	whole := func() object {
		return object{"gameType": "dice", "rules": "dice/1", "config": object{}, "serverSeed": strings.Repeat("ab", 32), "clientSeed": "x", "nonce": 0}
	}
	h.post("", "/public/verify", whole()).ok(http.StatusOK)
	for name, wrong := range map[string]any{
		"gameType": nil, "serverSeed": nil, "clientSeed": nil, "nonce": -1, "rules": "dice/0", "config": object{"target": 1000},
	} {
		body := whole()
		if wrong == nil {
			delete(body, name)
		} else {
			body[name] = wrong
		}
		if name == "config" {
			name = "config.target"
		}
		h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(name)
	}
	body := whole()
	body["gameType"] = "poker"
	h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_GAME")
	body = whole()
	body["serverSeed"] = strings.Repeat("x", 129)
	h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("serverSeed")
	body = whole()
	body["expected"] = "all"
	h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expected")
	for name, wrong := range map[string]any{
		"serverSeedHash": strings.Repeat("AB", 32), "outcome": "lost", "multiplier": "1.98", "wager": 0, "payout": -1, "rolled": 1,
	} {
		body["expected"] = object{name: wrong}
		h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expected." + name)
	}
	huge := `{"gameType":"dice","serverSeed":"` + strings.Repeat("ab", 32) + `","clientSeed":"c","nonce":0,"expected":{"multiplier":1e999999999}}`
	h.ask(question{method: http.MethodPost, path: "/public/verify", body: huge}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expected.multiplier")
	body["expected"] = object{"payout": 1}
	h.post("", "/public/verify", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expected.wager")
}

// TestVerifyTakesActions of a round played step by step, and names wrong ones. Expected
// values are compared in any notation and at bounded cost.
func TestVerifyTakesActions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	round := func(gameType string, actions any) object {
		return object{"gameType": gameType, "config": object{}, "serverSeed": strings.Repeat("ab", 32), "clientSeed": "x", "nonce": 0, "actions": actions}
	}
	out := object{"type": "cashOut"}
	body := round("mines", []object{out})
	body["expected"] = object{"multiplier": 0.99, "wager": 200, "payout": 198}
	if got := h.post("", "/public/verify", body).ok(http.StatusOK); !strings.Contains(string(got.text), `"matches":true`) {
		t.Errorf("%s", got.text)
	}
	for _, row := range []struct {
		body  object
		field string
	}{
		{round("mines", []object{}), "actions"},
		{round("mines", []object{out, out}), "actions"},
		{round("mines", "cashOut"), "actions"},
		{round("mines", []any{1}), "actions[0]"},
		{round("mines", []object{{"type": "dig"}}), "actions[0].type"},
		{round("mines", []object{{"type": "open", "tile": 1.5}}), "actions[0].tile"},
		{round("mines", slices.Repeat([]object{out}, 300)), "actions"},
		{round("dice", []object{out}), "gameType"},
	} {
		h.post("", "/public/verify", row.body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(row.field)
	}
	h.post("", "/public/verify", round("dice", nil)).ok(http.StatusOK)
}

func TestVerifyComparesWithWhatIsExpected(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const round = `{"gameType":"dice","serverSeed":"4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901","clientSeed":"my seed","nonce":3,"expected":`
	for expected, answer := range map[string]string{
		`{}`: `true []`,
		`{"outcome":{"roll":54.780},"multiplier":1.980,"wager":10001,"payout":19801,"serverSeedHash":"43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e"}`: `true []`,
		`{"outcome":{"roll":54.79}}`:                           `false ["outcome"]`,
		`{"multiplier":1.99}`:                                  `false ["multiplier"]`,
		`{"wager":10001,"payout":19802}`:                       `false ["payout"]`,
		`{"serverSeedHash":"` + strings.Repeat("0", 64) + `"}`: `false ["serverSeedHash"]`,
	} {
		got := h.ask(question{method: http.MethodPost, path: "/public/verify", body: round + expected + "}"}).ok(http.StatusOK)
		var body struct {
			Matches     bool            `json:"matches"`
			Differences json.RawMessage `json:"differences"`
		}
		h.must(json.Unmarshal(got.text, &body))
		if said := fmt.Sprint(body.Matches, " ", string(body.Differences)); said != answer {
			t.Errorf("%s: %s, want %s", expected, said, answer)
		}
	}
}
