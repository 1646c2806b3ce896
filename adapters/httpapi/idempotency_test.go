package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/fakes"
)

// TestARepeatedKeyGetsTheFirstAnswer repeats each write that takes a key, in
// another spelling of the same body, and after the balance is gone.
func TestARepeatedKeyGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 100_000)
	alice := string(fakes.Wallet("alice"))
	pending := func() string {
		body := object{"amount": 1_000, "token": sol, "destination": alice}
		return h.post("alice", "/withdraw", body).ok(http.StatusCreated).text_("withdrawal", "id")
	}
	yes, no := pending(), pending()
	for _, row := range []struct {
		method, path, as, body, respelled string
		status                            int
	}{
		{http.MethodPost, "/play", "alice", `{"gameType":"dice","wager":10000,"token":"` + sol + `","config":{"target":50.00,"direction":"over"}}`,
			` { "config" : {"direction":"over", "target":50.00}, "token":"` + sol + `", "wager":10000, "gameType":"d\u0069ce" } `, http.StatusOK},
		{http.MethodPost, "/withdraw", "alice", `{"amount":20000,"token":"` + sol + `","destination":"` + alice + `"}`,
			`{"destination":"` + alice + `","amount":20000,"token":"` + sol + `"}`, http.StatusCreated},
		{http.MethodPost, "/seed/rotate", "alice", `{"clientSeed":"mine"}`, `{ "clientSeed":"mine" }`, http.StatusOK},
		{http.MethodPost, "/seed/rotate", "alice", "", "{}", http.StatusOK},
		{http.MethodPatch, "/admin/balances/" + alice, "finance", `{"token":"` + sol + `","amount":-50000,"reason":"x"}`,
			`{"reason":"x","amount":-50000,"token":"` + sol + `"}`, http.StatusOK},
		{http.MethodPost, "/admin/withdraw/approve", "finance", `{"id":"` + yes + `"}`, `{"id": "` + yes + `"}`, http.StatusOK},
		{http.MethodPost, "/admin/withdraw/reject", "finance", `{"id":"` + no + `","reason":"r"}`, `{"reason":"r","id":"` + no + `"}`, http.StatusOK},
	} {
		key := map[string]string{"Idempotency-Key": "key of " + row.path + row.body}
		if len(key["Idempotency-Key"]) > 255 {
			key["Idempotency-Key"] = key["Idempotency-Key"][:255]
		}
		first := h.ask(question{method: row.method, path: row.path, as: row.as, body: row.body, header: key}).ok(row.status)
		before := h.balance("alice", sol)
		again := h.ask(question{method: row.method, path: row.path, as: row.as, body: row.respelled, header: key}).ok(row.status)
		if first.header.Get("Idempotent-Replayed") != "" || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: replayed %q, then %q", row.path, first.header.Get("Idempotent-Replayed"), again.header.Get("Idempotent-Replayed"))
		}
		if string(first.text) != string(again.text) || h.balance("alice", sol) != before {
			t.Errorf("%s: first %s, again %s", row.path, first.text, again.text)
		}
	}
}

func TestAKeyOfAnotherRequestIsAConflict(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 100_000)
	h.funded("bob", sol, 100_000)
	key := map[string]string{"Idempotency-Key": "k"}
	ask := func(as, path string, body any) reply {
		return h.ask(question{method: http.MethodPost, path: path, as: as, body: body, header: key})
	}
	bet := func(wager any) string {
		return fmt.Sprintf(`{"gameType":"dice","wager":%v,"token":%q}`, wager, sol)
	}
	ask("alice", "/play", bet(minimum)).ok(http.StatusOK)
	// Integers beyond 2^53 that are one float must stay two requests.
	ask("alice", "/play", bet(int64(9007199254740992))).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	ask("alice", "/play", bet(minimum+1)).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	ask("alice", "/seed/rotate", "{}").is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	ask("alice", "/play", `{"gameType":"dice","wager":0}`).is(http.StatusBadRequest, "INVALID_PARAMETER") // fields are checked first
	if got := ask("bob", "/play", bet(minimum)).ok(http.StatusOK); got.header.Get("Idempotent-Replayed") != "" {
		t.Error("bob got alice's answer")
	}
	// A refusal stores nothing.
	key["Idempotency-Key"] = "later"
	ask("carol", "/play", bet(minimum)).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	h.funded("carol", sol, 100_000)
	ask("carol", "/play", bet(minimum)).ok(http.StatusOK)
}

func TestNeighboursBeyondFloatsDiffer(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{capital: 1 << 61, deps: tokensWithoutLimits()})
	h.role("finance", "finance", "")
	h.token("alice")
	key := map[string]string{"Idempotency-Key": "k"}
	adjust := func(amount int64) reply {
		return h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + string(fakes.Wallet("alice")), as: "finance", header: key,
			body: fmt.Sprintf(`{"token":%q,"amount":%d,"reason":"r"}`, sol, amount)})
	}
	if got := adjust(1<<53 + 1).ok(http.StatusOK); got.integer("balance") != 1<<53+1 || got.integer("transaction", "amount") != 1<<53+1 {
		t.Errorf("2^53+1 came back as %s", got.text)
	}
	adjust(1<<53).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	adjust(1<<53+2).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
}

func TestKeysThatAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 100_000)
	for name, key := range map[string]string{
		"empty": "", "256 characters": strings.Repeat("k", 256), "non-ASCII": "schlüssel", "a tab": "a\tb",
	} {
		r := h.request(question{method: http.MethodPost, path: "/play", as: "alice", body: object{"gameType": "dice", "wager": minimum, "token": sol}})
		r.Header["Idempotency-Key"] = []string{key}
		if got := h.serve(r).is(http.StatusBadRequest, "INVALID_PARAMETER").names("Idempotency-Key"); t.Failed() {
			t.Fatalf("%s: %s", name, got.text)
		}
	}
	r := h.request(question{method: http.MethodPost, path: "/play", as: "alice", body: object{"gameType": "dice", "wager": minimum, "token": sol}})
	r.Header["Idempotency-Key"] = []string{"a", "b"}
	h.serve(r).is(http.StatusBadRequest, "INVALID_PARAMETER").names("Idempotency-Key")
	h.ask(question{method: http.MethodPost, path: "/play", as: "alice", header: map[string]string{"Idempotency-Key": strings.Repeat("k", 255)},
		body: object{"gameType": "dice", "wager": minimum, "token": sol}}).ok(http.StatusOK)
}
