package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/casino-service/casino/test/fakes"
)

// TestAKeyOfAnotherPathIsAConflict sends the same body under the same key to another path:
// the path is part of the request.
func TestAKeyOfAnotherPathIsAConflict(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.token("alice")
	h.token("bob")
	key := map[string]string{"Idempotency-Key": "k"}
	adjust := func(of string) reply {
		return h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + string(fakes.Wallet(of)), as: "finance", header: key,
			body: fmt.Sprintf(`{"token":%q,"amount":5,"reason":"r"}`, sol)})
	}
	adjust("alice").ok(http.StatusOK)
	adjust("bob").is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	if again := adjust("alice").ok(http.StatusOK); again.header.Get("Idempotent-Replayed") == "" {
		t.Error("the repeated request isn't answered as the first time")
	}
	if a, b := h.balance("alice", sol), h.balance("bob", sol); a != 5 || b != 0 {
		t.Errorf("alice has %d, bob %d", a, b)
	}
}
