package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/test/fakes"
)

const asStrings = "application/json; amounts=string"

// raw sends a request without checking the published schemas, in which amounts are
// integers.
func (h *house) raw(q question) string {
	h.Helper()
	answer := httptest.NewRecorder()
	h.api.ServeHTTP(answer, h.request(q))
	if !strings.Contains(strings.Join(answer.Header().Values("Vary"), ","), "Accept") {
		h.Errorf("%s %s: Vary is %q", q.method, q.path, answer.Header().Values("Vary"))
	}
	return fmt.Sprintf("%d %s", answer.Code, answer.Body.String())
}

// TestAmountsAsStrings: on request a client gets amounts and their sums as strings and may
// send them so; other numbers stay numbers. A key's stored answer has the form that the
// repeated request asks for.
func TestAmountsAsStrings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 1_000_000)
	texts := map[string]string{"Accept": asStrings}
	keyed := map[string]string{"Accept": asStrings, "Idempotency-Key": "k"}
	bet := fmt.Sprintf(`{"gameType":"dice","wager":"10000","token":%q}`, sol)
	h.post("alice", "/play", bet).is(http.StatusBadRequest, "INVALID_PARAMETER").names("wager")
	played := h.raw(question{method: http.MethodPost, path: "/play", as: "alice", body: bet, header: keyed})
	for _, again := range []question{
		{body: bet, header: keyed},
		{body: strings.Replace(bet, `"10000"`, "10000", 1), header: keyed},
	} {
		again.method, again.path, again.as = http.MethodPost, "/play", "alice"
		if got := h.raw(again); got != played {
			t.Errorf("the repetition is %s, the first was %s", got, played)
		}
	}
	integers := h.ask(question{method: http.MethodPost, path: "/play", as: "alice", body: strings.Replace(bet, `"10000"`, "10000", 1), header: map[string]string{"Idempotency-Key": "k"}}).ok(http.StatusOK)
	if quoted := regexp.MustCompile(`"(wager|payout|balance)":(\d+)`).ReplaceAllString(string(integers.text), `"$1":"$2"`); "200 "+quoted != played {
		t.Errorf("as integers %s, as strings %s", integers.text, played)
	}
	for path, want := range map[string][]string{
		"/balance":                          {`"balance":"`},
		"/history":                          {`"wager":"10000"`, `"nonce":0`, `"total":1`},
		"/public/games":                     {`"minWager":"`, `"maxPayout":"`},
		"/public/tokens":                    {`"minDeposit":"`, `"decimals":9`},
		"/admin/overview":                   {`"wagered":"10000"`, `"players":`},
		"/recent-bets":                      {`"wager":"10000"`},
		"/account/transactions":             {`"amount":"1000000"`, `"createdAt":1`},
		"/admin/events?types=round.settled": {`"wager":"10000"`, `"nonce":0`},
	} {
		got := h.raw(question{method: http.MethodGet, path: path, as: "boss", header: texts})
		if path == "/history" || path == "/balance" || path == "/account/transactions" {
			got = h.raw(question{method: http.MethodGet, path: path, as: "alice", header: texts})
		}
		for _, part := range want {
			if !strings.HasPrefix(got, "200 ") || !strings.Contains(got, part) {
				t.Errorf("%s lacks %s: %s", path, part, got)
			}
		}
		if wrong := regexp.MustCompile(`"(wager|payout|balance|amount|minWager|ggr)":-?\d`).FindString(got); wrong != "" {
			t.Errorf("%s has %s: %s", path, wrong, got)
		}
	}
	for _, wrong := range []string{`"1.0"`, `"1e3"`, `" 1"`, `"01"`, `"-0"`, `"+1"`, `""`, `"9223372036854775808"`, `1.5`, `true`} {
		body := fmt.Sprintf(`{"gameType":"dice","wager":%s,"token":%q}`, wrong, sol)
		if got := h.raw(question{method: http.MethodPost, path: "/play", as: "alice", body: body, header: texts}); !strings.Contains(got, `"field":"wager"`) {
			t.Errorf("a wager of %s: %s", wrong, got)
		}
	}
	limits := fmt.Sprintf(`{"limits":[{"kind":"loss","period":"day","token":%q,"amount":"77"}]}`, sol)
	if got := h.raw(question{method: http.MethodPut, path: "/account/limits", as: "alice", body: limits, header: texts}); !strings.Contains(got, `"amount":"77"`) {
		t.Errorf("limits: %s", got)
	}
}

// TestAmountsAreTagged: every amount, balance or sum in the published schemas has a tag, so
// that it can be sent as a string.
func TestAmountsAreTagged(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	amounts := map[string]bool{}
	for _, found := range regexp.MustCompile(`(\w+): \{(?:allOf: \[\{)?\$ref: "#/components/schemas/(?:Amount|Balance|Total)"`).FindAllSubmatch(spec, -1) {
		amounts[string(found[1])] = true
	}
	files, err := filepath.Glob("api/*.go")
	if err != nil || len(amounts) < 15 {
		t.Fatalf("%d amounts, %v", len(amounts), err)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range regexp.MustCompile("(\\w+) +\\*?(?:int64|Number) +`json:\"(\\w+)[^`]*`").FindAllSubmatch(text, -1) {
			if tagged := strings.Contains(string(field[0]), `units:"base"`); amounts[string(field[2])] && !tagged {
				t.Errorf("%s: %s is not tagged as an amount", file, field[0])
			} else if tagged {
				seen++
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d fields are tagged", seen)
	}
}

// TestNullCountsAsAbsent: a member that is null is as one that was left out, also for a key's
// fingerprint; where no body is needed, none, {} and null are the same.
func TestNullCountsAsAbsent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 1_000_000)
	bet := fmt.Sprintf(`{"gameType":"dice","wager":10000,"token":%q}`, sol)
	keyed := map[string]string{"Idempotency-Key": "k"}
	first := h.ask(question{method: http.MethodPost, path: "/play", as: "alice", body: strings.Replace(bet, "{", `{"config":null,`, 1), header: keyed}).ok(http.StatusOK)
	if again := h.ask(question{method: http.MethodPost, path: "/play", as: "alice", body: bet, header: keyed}).ok(http.StatusOK); string(again.text) != string(first.text) {
		t.Errorf("without the null: %s, with it: %s", again.text, first.text)
	}
	h.post("alice", "/play", `{"gameType":null,"wager":10000}`).is(http.StatusBadRequest, "INVALID_PARAMETER").names("gameType")
	h.post("alice", "/play", `{"unknown":null}`).is(http.StatusBadRequest, "INVALID_PARAMETER").names("unknown")
	h.ask(question{method: http.MethodPatch, path: "/admin/whitelabel", as: "boss", body: `{"title":null}`}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
	for _, body := range []any{nil, "{}", "null", " null\n", `{"clientSeed":null}`} {
		h.post("alice", "/seed/rotate", body).ok(http.StatusOK)
	}
	h.post("alice", "/play", "null").is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
	for _, line := range httpapi.Routes() {
		if line.Method == http.MethodGet || len(line.Names) > 0 || isCallback(line.Path) || line.Path == "/auth/logout" || strings.HasPrefix(line.Path, "/demo") || strings.HasPrefix(line.Path, "/dev") {
			continue
		}
		path := strings.NewReplacer("{id}", "none", "{webhookId}", "none", "{deadLetterId}", "none", "{wallet}", string(fakes.Wallet("alice"))).Replace(line.Path)
		none := h.ask(question{method: line.Method, path: path, as: "boss"})
		for _, body := range []string{"{}", "null"} {
			if got := h.ask(question{method: line.Method, path: path, as: "boss", body: body}); got.status != none.status || got.code() != none.code() {
				t.Errorf("%s %s with %s: %d %s, without a body: %d %s", line.Method, path, body, got.status, got.code(), none.status, none.code())
			}
		}
	}
	h.post("alice", "/auth/logout", "null").is(http.StatusNoContent, "")
}

// TestBidirectionalControls: characters that change the direction of a text are refused in
// every text that a person reads.
func TestBidirectionalControls(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.clock.Advance(48 * time.Hour)
	alice := string(fakes.Wallet("alice"))
	controls := "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
	for _, c := range []struct{ method, path, body, field string }{
		{http.MethodPatch, "/admin/whitelabel", `{"title":%q}`, "title"},
		{http.MethodPost, "/admin/legacy/agents", `{"agentCode":"acme","agentName":%q}`, "agentName"},
		{http.MethodPatch, "/admin/legacy/agents/house", `{"memo":%q}`, "memo"},
		{http.MethodPatch, "/admin/balances/" + alice, `{"token":"` + sol + `","amount":1,"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/legacy/agents/house/funds", `{"token":"` + sol + `","amount":1,"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/players/" + alice + "/freeze", `{"frozen":true,"reason":%q}`, "reason"},
		{http.MethodPut, "/admin/players/" + alice + "/agent", `{"agentCode":"house","reason":%q}`, "reason"},
		{http.MethodPost, "/admin/players/" + alice + "/exclusion", `{"permanent":true,"reason":%q}`, "reason"},
		{http.MethodPut, "/admin/players/" + alice + "/limits", `{"limits":[],"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/withdraw/approve", `{"id":"none","note":%q}`, "note"},
		{http.MethodPost, "/admin/withdraw/reject", `{"id":"none","reason":%q}`, "reason"},
		{http.MethodPost, "/admin/alarms/none/acknowledge", `{"note":%q}`, "note"},
		{http.MethodPost, "/admin/provider-reviews/none", `{"pay":false,"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/provider-routes/none", `{"action":"close","reason":%q}`, "reason"},
		{http.MethodPost, "/admin/deposits/resolve", `{"signature":"` + strings.Repeat("1", 64) + `","token":"` + sol + `","reason":%q}`, "reason"},
		{http.MethodPatch, "/admin/provider-games/x", `{"enabled":true,"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/play/pause", `{"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/play/resume", `{"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/payouts/pause", `{"reason":%q}`, "reason"},
		{http.MethodPost, "/admin/payouts/resume", `{"reason":%q}`, "reason"},
	} {
		for _, control := range controls {
			body := strings.Replace(c.body, "%q", `"late `+string(control)+`again"`, 1)
			if h.ask(question{method: c.method, path: c.path, as: "boss", body: body}).is(http.StatusBadRequest, "INVALID_PARAMETER").names(c.field); t.Failed() {
				t.Fatalf("%s %s with U+%04X", c.method, c.path, control)
			}
		}
	}
}
