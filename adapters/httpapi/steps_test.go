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
