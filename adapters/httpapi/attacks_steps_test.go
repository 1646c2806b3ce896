package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// minesOf opens a round of mines for a player and returns the path of its steps.
func minesOf(h *house, name string) (steps string) {
	h.Helper()
	h.funded(name, sol, 1_000_000)
	opened := h.post(name, "/rounds", object{"gameType": "mines", "wager": 10_000, "token": sol}).ok(http.StatusCreated)
	return "/rounds/" + opened.text_("round", "id") + "/steps"
}

// TestOpeningsThatAreNone sends invalid openings, and checks that no round is open.
func TestOpeningsThatAreNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	for name, row := range map[string]struct{ gameType, wager, config, code, field string }{
		"an unknown game":         {`"poker"`, `10000`, `{}`, "INVALID_GAME", "gameType"},
		"a game in one call":      {`"dice"`, `10000`, `{}`, "INVALID_PARAMETER", "gameType"},
		"a game that is a list":   {`[]`, `10000`, `{}`, "INVALID_PARAMETER", "gameType"},
		"picks of one call":       {`"mines"`, `10000`, `{"picks":[1]}`, "INVALID_PARAMETER", "config.picks"},
		"a field twice":           {`"mines"`, `10000`, `{"mines":3,"mines":4}`, "INVALID_PARAMETER", "config.mines"},
		"a huge count":            {`"mines"`, `10000`, `{"mines":` + strings.Repeat("9", 400) + `}`, "INVALID_PARAMETER", "config.mines"},
		"a bound below all steps": {`"mines"`, `10000`, `{"maxMultiplier":1}`, "INVALID_PARAMETER", "config.maxMultiplier"},
		"a bound of too many":     {`"hilo"`, `10000`, `{"maxMultiplier":100000000001}`, "INVALID_PARAMETER", "config.maxMultiplier"},
		"a bound in fine parts":   {`"hilo"`, `10000`, `{"maxMultiplier":1.50001}`, "INVALID_PARAMETER", "config.maxMultiplier"},
		"a wager as text":         {`"mines"`, `"10000"`, `{}`, "INVALID_PARAMETER", "wager"},
		"a wager in parts":        {`"mines"`, `10000.5`, `{}`, "INVALID_PARAMETER", "wager"},
		"a wager beyond int64":    {`"mines"`, `9223372036854775808`, `{}`, "INVALID_PARAMETER", "wager"},
		"a wager below nothing":   {`"mines"`, `-1`, `{}`, "INVALID_PARAMETER", "wager"},
		"a huge wager":            {`"mines"`, `9223372036854775807`, `{}`, "WAGER_OUT_OF_RANGE", "wager"},
	} {
		body := fmt.Sprintf(`{"gameType":%s,"wager":%s,"token":%q,"config":%s}`, row.gameType, row.wager, sol, row.config)
		if h.post("alice", "/rounds", body).is(http.StatusBadRequest, row.code).names(row.field); t.Failed() {
			t.Fatalf("%s: %.200s", name, body)
		}
	}
	h.post("alice", "/rounds", `{"gameType":"mines","wager":1000001,"token":"`+sol+`"}`).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	if open := h.get("alice", "/rounds").ok(http.StatusOK); len(open.at("rounds").([]any)) != 0 || h.balance("alice", sol) != 1_000_000 {
		t.Errorf("open: %s", open.text)
	}
}

// TestStepsThatAreNone sends invalid actions and those of another player, and checks that
// the round is unchanged.
func TestStepsThatAreNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	steps := minesOf(h, "alice")
	before := h.get("alice", "/rounds").ok(http.StatusOK)
	deep := strings.Repeat(`{"type":`, 40) + `"open"` + strings.Repeat("}", 40)
	for body, field := range map[string]string{
		`{"action":{"type":"cashOut"}}`:                            "step",
		`{"step":null,"action":{"type":"cashOut"}}`:                "step",
		`{"step":"0","action":{"type":"cashOut"}}`:                 "step",
		`{"step":0.0,"action":{"type":"cashOut"}}`:                 "step",
		`{"step":-1,"action":{"type":"cashOut"}}`:                  "step",
		`{"step":256,"action":{"type":"cashOut"}}`:                 "step",
		`{"step":9223372036854775808,"action":{"type":"cashOut"}}`: "step",
		`{"step":0,"step":0,"action":{"type":"cashOut"}}`:          "step",
		`{"step":0}`: "action",
		`{"step":0,"action":[{"type":"cashOut"}]}`:                          "action",
		`{"step":0,"action":"cashOut"}`:                                     "action",
		`{"step":0,"action":{}}`:                                            "action.type",
		`{"step":0,"action":{"type":7}}`:                                    "action.type",
		`{"step":0,"action":{"type":"hit"}}`:                                "action.type",
		`{"step":0,"action":{"type":"CashOut"}}`:                            "action.type",
		`{"step":0,"action":{"type":"open","type":"cashOut"}}`:              "action.type",
		`{"step":0,"action":{"type":"cashOut","tile":1}}`:                   "action.tile",
		`{"step":0,"action":{"type":"open"}}`:                               "action.tile",
		`{"step":0,"action":{"type":"open","tile":25}}`:                     "action.tile",
		`{"step":0,"action":{"type":"open","tile":-1}}`:                     "action.tile",
		`{"step":0,"action":{"type":"open","tile":3.0}}`:                    "action.tile",
		`{"step":0,"action":{"type":"open","tile":"3"}}`:                    "action.tile",
		`{"step":0,"action":{"type":"open","tile":3,"tile":4}}`:             "action.tile",
		`{"step":0,"action":{"type":"open","tile":3,"stake":0}}`:            "action.stake",
		`{"step":0,"action":{"type":"cashOut"},"config":{"mines":1}}`:       "config",
		`{"step":0,"action":{"type":"open","tile":` + deep + `}}`:           "body",
		`{"step":0,"action":{"type":"` + strings.Repeat("x", 9_000) + `"}}`: "action.type",
	} {
		if h.post("alice", steps, body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field); t.Failed() {
			t.Fatalf("%.200s", body)
		}
	}
	cashOut := action(0, "cashOut")
	for _, path := range []string{
		"/rounds/none/steps", "/rounds/00000000-0000-0000-0000-000000000000/steps", strings.ToUpper(steps[:20]) + steps[20:], "/rounds/%2e%2e/steps",
		"/rounds/" + strings.Repeat("a", 5_000) + "/steps", "/rounds/%00/steps", "/rounds/%27%20OR%201=1/steps",
	} {
		h.post("alice", path, cashOut).is(http.StatusNotFound, "NOT_FOUND")
	}
	h.post("bob", steps, cashOut).is(http.StatusNotFound, "NOT_FOUND")
	h.post("", steps, cashOut).is(http.StatusUnauthorized, "MISSING_AUTH")
	h.post("alice", steps, `{"step":0,"action":{"type":"`+strings.Repeat("x", 10<<20)+`"}}`).is(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
	h.post("alice", steps, action(1, "cashOut")).is(http.StatusConflict, "INVALID_STATE")
	h.get("alice", "/rounds?limit=1").is(http.StatusBadRequest, "INVALID_PARAMETER").names("limit")
	if after := h.get("alice", "/rounds").ok(http.StatusOK); string(after.text) != string(before.text) || h.balance("alice", sol) != 990_000 {
		t.Errorf("the round is\n%s\nand was\n%s", after.text, before.text)
	}
	h.post("alice", steps, cashOut).ok(http.StatusOK)
}
