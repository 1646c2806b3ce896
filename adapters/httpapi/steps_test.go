package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/test/fakes"
)

// steppedHouse offers a ladder beside the house's games.
func steppedHouse(t *testing.T) *house {
	t.Helper()
	h := openHouse(t, setup{deps: func(d *app.Deps) {
		games, err := fakes.LadderGames()
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	}})
	h.funded("alice", sol, 1_000_000)
	return h
}

func ladder(wager int) object {
	return object{"gameType": "ladder", "wager": wager, "token": sol, "config": object{"rungs": 3, "doubles": true}}
}

func action(step int, name string) object {
	return object{"step": step, "action": object{"type": name}}
}

func TestARoundIsPlayedStepByStep(t *testing.T) {
	t.Parallel()
	h := steppedHouse(t)
	opened := h.post("alice", "/rounds", ladder(10_000)).ok(http.StatusCreated)
	id := opened.text_("round", "id")
	if opened.text_("round", "status") != "open" || opened.integer("balance") != 990_000 || opened.integer("round", "step") != 0 ||
		opened.integer("round", "maxMultiplier") != 16 || len(opened.at("round", "choices").([]any)) != 3 {
		t.Errorf("opened: %s", opened.text)
	}
	listed := h.get("alice", "/rounds").ok(http.StatusOK)
	if rounds := listed.at("rounds").([]any); len(rounds) != 1 || rounds[0].(map[string]any)["id"] != id {
		t.Errorf("listed: %s", listed.text)
	}
	steps := "/rounds/" + id + "/steps"
	doubled := h.post("alice", steps, action(0, "double")).ok(http.StatusOK)
	if doubled.integer("round", "stake") != 20_000 || doubled.integer("balance") != 980_000 || doubled.integer("round", "step") != 1 {
		t.Errorf("doubled: %s", doubled.text)
	}
	again := h.post("alice", steps, action(0, "double")).ok(http.StatusOK)
	if string(again.text) != string(doubled.text) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %s, %v", again.text, again.header)
	}
	h.post("alice", steps, action(0, "climb")).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	h.post("alice", steps, action(9, "climb")).is(http.StatusConflict, "INVALID_STATE")
	h.post("alice", steps, action(1, "jump")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("action.type")
	h.post("alice", steps, action(1, "double")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("action.type")
	h.post("alice", steps, object{"step": 1, "action": object{"type": "climb", "rung": 1}}).is(http.StatusBadRequest, "INVALID_PARAMETER")
	h.post("bob", steps, action(1, "climb")).is(http.StatusNotFound, "NOT_FOUND")
	h.post("alice", "/rounds/none/steps", action(1, "climb")).is(http.StatusNotFound, "NOT_FOUND")
	waits := h.post("alice", "/seed/rotate", nil).is(http.StatusConflict, "INVALID_STATE")
	if got := waits.at("details", "rounds").([]any); len(got) != 1 || got[0] != id {
		t.Errorf("a rotation waits for %v", got)
	}
	ended := h.post("alice", steps, action(1, "cashOut")).ok(http.StatusOK)
	if ended.integer("round", "payout") != 20_000 || ended.integer("round", "wager") != 20_000 || ended.integer("balance") != 1_000_000 ||
		len(ended.at("round", "actions").([]any)) != 2 {
		t.Errorf("ended: %s", ended.text)
	}
	if again := h.post("alice", steps, action(1, "cashOut")).ok(http.StatusOK); string(again.text) != string(ended.text) {
		t.Errorf("again: %s", again.text)
	}
	if again := h.post("alice", steps, action(0, "double")).ok(http.StatusOK); string(again.text) != string(doubled.text) {
		t.Errorf("an earlier step of an ended round: %s", again.text)
	}
	h.post("alice", steps, action(2, "climb")).is(http.StatusConflict, "INVALID_STATE")
	if left := h.get("alice", "/rounds").ok(http.StatusOK); len(left.at("rounds").([]any)) != 0 {
		t.Errorf("left: %s", left.text)
	}
	h.post("alice", "/seed/rotate", nil).ok(http.StatusOK)
	settled := h.get("alice", "/history/"+id).ok(http.StatusOK)
	if settled.integer("round", "balanceBefore") != 980_000 || settled.integer("round", "balanceAfter") != 1_000_000 || settled.at("round", "serverSeed") == nil {
		t.Errorf("settled: %s", settled.text)
	}
	if one := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK); strings.Contains(string(one.text), "actions") {
		t.Errorf("a round in one call: %s", one.text)
	}
}

func TestAnOpeningIsSentAgain(t *testing.T) {
	t.Parallel()
	h := steppedHouse(t)
	open := question{method: http.MethodPost, path: "/rounds", as: "alice", header: map[string]string{"Idempotency-Key": "one"}, body: ladder(10_000)}
	first := h.ask(open).ok(http.StatusCreated)
	if again := h.ask(open).ok(http.StatusCreated); string(again.text) != string(first.text) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %s", again.text)
	}
	open.body = ladder(20_000)
	h.ask(open).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	for range 3 {
		h.post("alice", "/rounds", ladder(10_000)).ok(http.StatusCreated)
	}
	h.post("alice", "/rounds", ladder(10_000)).is(http.StatusConflict, "TOO_MANY_OPEN")
}

func TestWhatIsNotOpened(t *testing.T) {
	t.Parallel()
	h := steppedHouse(t)
	with := func(name string, value any) object {
		order := ladder(10_000)
		order[name] = value
		return order
	}
	for field, body := range map[string]object{
		"wager":        with("wager", 1),
		"config.rungs": with("config", object{"rungs": 99}),
		"gameType":     with("gameType", "dice"),
		"x":            with("x", 1),
	} {
		if field == "wager" {
			h.post("alice", "/rounds", body).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
			continue
		}
		delete(body, map[string]string{"gameType": "config"}[field])
		h.post("alice", "/rounds", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
	}
	h.post("alice", "/rounds", with("gameType", "nothing")).is(http.StatusBadRequest, "INVALID_GAME")
	h.post("alice", "/play", ladder(10_000)).is(http.StatusBadRequest, "INVALID_PARAMETER")
	id := h.post("alice", "/rounds", ladder(10_000)).ok(http.StatusCreated).text_("round", "id")
	for _, body := range []string{`{}`, `{"step":0}`, `{"step":-1,"action":{"type":"climb"}}`, `{"step":0,"action":null}`, `{"step":0,"action":"climb"}`,
		`{"step":0,"action":{}}`, `{"step":0.5,"action":{"type":"climb"}}`, `{"step":0,"action":{"type":"climb"},"x":1}`, `{"step":300,"action":{"type":"climb"}}`} {
		h.post("alice", "/rounds/"+id+"/steps", body).is(http.StatusBadRequest, "INVALID_PARAMETER")
	}
}

// TestMinesAreOpenedOneByOne plays a game of the house itself, to a mine or to its end.
func TestMinesAreOpenedOneByOne(t *testing.T) {
	t.Parallel()
	h := steppedHouse(t)
	opened := h.post("alice", "/rounds", object{"gameType": "mines", "wager": 10_000, "token": sol, "config": object{"mines": 3}}).ok(http.StatusCreated)
	steps := "/rounds/" + opened.text_("round", "id") + "/steps"
	for tile := range 25 {
		got := h.post("alice", steps, object{"step": tile, "action": object{"type": "open", "tile": tile}}).ok(http.StatusOK)
		if got.at("round", "status") == nil {
			if got.integer("round", "payout") != 0 && tile < 21 {
				t.Errorf("ended: %s", got.text)
			}
			return
		}
	}
	t.Error("25 tiles were opened")
}

// TestBetsExpectTheirPairOverHTTP: another pair or nonce is refused and names its field; what is
// expected is no part of what an idempotency key repeats.
func TestBetsExpectTheirPairOverHTTP(t *testing.T) {
	t.Parallel()
	h := steppedHouse(t)
	hash := h.get("alice", "/seed").ok(http.StatusOK).text_("serverSeedHash")
	flip := func(hash any, nonce any) object {
		return object{"gameType": "coinflip", "wager": 10_000, "token": sol, "expectedServerSeedHash": hash, "expectedNonce": nonce}
	}
	opening := func(hash any, nonce any) object {
		o := ladder(10_000)
		o["expectedServerSeedHash"], o["expectedNonce"] = hash, nonce
		return o
	}
	other := strings.Repeat("0", 64)
	for path, of := range map[string]func(any, any) object{"/play": flip, "/rounds": opening} {
		for _, row := range []struct {
			hash, nonce any
			field       string
		}{{other, 0, "expectedServerSeedHash"}, {other, nil, "expectedServerSeedHash"}, {hash, 1, "expectedNonce"}, {nil, 7, "expectedNonce"}} {
			h.post("alice", path, of(row.hash, row.nonce)).is(http.StatusConflict, "INVALID_STATE").names(row.field)
		}
		h.post("alice", path, of("", 0)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expectedServerSeedHash")
		h.post("alice", path, of(hash, -1)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expectedNonce")
		h.post("alice", path, of(hash, "0")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("expectedNonce")
	}
	if got := h.balance("alice", sol); got != 1_000_000 {
		t.Errorf("after refusals the balance is %d", got)
	}
	keyed := func(body object, key string) reply {
		return h.ask(question{method: http.MethodPost, path: "/play", as: "alice", body: body, header: map[string]string{"Idempotency-Key": key}})
	}
	first := keyed(flip(hash, 0), "k").ok(http.StatusOK)
	for _, body := range []object{flip(hash, 0), flip(hash, 1), flip(other, nil)} {
		if again := keyed(body, "k").ok(http.StatusOK); string(again.text) != string(first.text) || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("again: %s", again.text)
		}
	}
	opened := h.post("alice", "/rounds", opening(hash, 1)).ok(http.StatusCreated)
	if opened.integer("round", "maxPayout") == 0 || opened.integer("round", "asked", "rungs") != 3 {
		t.Errorf("opened: %s", opened.text)
	}
}

// TestVerifyingSaysWhatIsNotProved: seeds of the house, void rounds, and a bound that isn't the
// published one.
func TestVerifyingSaysWhatIsNotProved(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	seeds := func(members object) object {
		body := object{"serverSeed": "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901", "clientSeed": "my seed", "nonce": 3, "gameType": "dice"}
		for name, value := range members {
			body[name] = value
		}
		return body
	}
	mines := func(config, asked object, maxPayout int) object {
		return seeds(object{
			"gameType": "mines", "nonce": 1, "config": config, "actions": []object{{"type": "open", "tile": 3}, {"type": "open", "tile": 10}, {"type": "cashOut"}},
			"opened": object{"asked": asked, "wager": 10_000, "maxPayout": maxPayout},
		})
	}
	for name, row := range map[string]struct {
		body    object
		notes   []string
		matches any
	}{
		"the player's":  {seeds(object{"clientSeedSource": "player"}), nil, nil},
		"the server's":  {seeds(object{"clientSeedSource": "server"}), []string{"The house chose both seeds"}, nil},
		"repeated":      {seeds(object{"clientSeedSource": "repeated"}), []string{"The house knew the client seed"}, nil},
		"void":          {seeds(object{"expected": object{"outcome": nil, "multiplier": 1, "wager": 10_000, "payout": 10_000}}), []string{"1.98, which would have paid 19800"}, true},
		"void, kept":    {seeds(object{"expected": object{"outcome": nil, "multiplier": 1, "wager": 10_000, "payout": 9_999}}), []string{"19800"}, false},
		"its bound":     {mines(object{"mines": 5, "maxMultiplier": 50}, object{"mines": 5}, 1<<40), nil, true},
		"another bound": {mines(object{"mines": 5, "maxMultiplier": 2}, object{"mines": 5}, 1<<40), []string{"not the published one"}, false},
		"as asked":      {mines(object{"mines": 5, "maxMultiplier": 2}, object{"mines": 5, "maxMultiplier": 2}, 1<<40), nil, true},
	} {
		answered := h.post("", "/public/verify", row.body).ok(http.StatusOK)
		notes := answered.at("notes").([]any)
		if len(notes) != len(row.notes) {
			t.Errorf("%s: %s", name, answered.text)
			continue
		}
		for i, note := range notes {
			if !strings.Contains(note.(string), row.notes[i]) {
				t.Errorf("%s: %q", name, note)
			}
		}
		if row.matches != nil && answered.at("matches") != row.matches {
			t.Errorf("%s: %s", name, answered.text)
		}
	}
	for _, seed := range []string{strings.Repeat("a", 32), strings.Repeat("A", 64)} {
		h.post("", "/public/verify", seeds(object{"serverSeed": seed})).is(http.StatusBadRequest, "INVALID_PARAMETER").names("serverSeed")
	}
	h.post("", "/public/verify", seeds(object{"clientSeedSource": "mine"})).is(http.StatusBadRequest, "INVALID_PARAMETER").names("clientSeedSource")
	h.post("", "/public/verify", seeds(object{"opened": object{"wager": 1, "maxPayout": 1}})).is(http.StatusBadRequest, "INVALID_PARAMETER").names("opened")
}

// TestConfigsComeBackAsTheyWereSent: numbers of roulette in their order; and what a stepped
// config returns is told without saying that it is one.
func TestConfigsComeBackAsTheyWereSent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	played := h.post("alice", "/play", object{"gameType": "roulette", "wager": 20_000, "token": sol, "config": object{"bets": []object{
		{"type": "corner", "numbers": []int{5, 1, 4, 2}, "amount": 10_000}, {"type": "split", "numbers": []int{3, 0}, "amount": 10_000},
	}}}).ok(http.StatusOK)
	if !strings.Contains(string(played.text), `"numbers":[5,1,4,2]`) || !strings.Contains(string(played.text), `"numbers":[3,0]`) {
		t.Errorf("%s", played.text)
	}
	returns := h.post("", "/public/games/hilo/return", object{"config": object{"maxMultiplier": 20}}).ok(http.StatusOK)
	if returns.at("least") == nil || returns.integer("maxMultiplier") != 20 {
		t.Errorf("%s", returns.text)
	}
	h.post("", "/public/games/hilo/return", object{"config": object{"maxMultiplier": 0.5}}).is(http.StatusBadRequest, "INVALID_PARAMETER")
}
