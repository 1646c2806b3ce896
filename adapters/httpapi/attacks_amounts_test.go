package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

var noAmounts = []string{
	"0", "-1", "-0", "1.5", "1.0", "10000.0", "1e3", "1E3", "1e400", "-1e400", "9223372036854775808", "18446744073709551616",
	"100000000000000000000000000000000000000000", `"1"`, `"10000"`, "true", "false", "null", "[10000]", `{"amount":10000}`,
}

func TestInvalidAmounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.funded("alice", sol, 1_000_000)
	alice := string(fakes.Wallet("alice"))
	for _, amount := range noAmounts {
		h.post("alice", "/withdraw", h.withdrawBody(amount)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("amount")
		h.post("alice", "/play", fmt.Sprintf(`{"gameType":"dice","wager":%s,"token":%q}`, amount, sol)).
			is(http.StatusBadRequest, "INVALID_PARAMETER").names("wager")
		if amount == "-1" {
			continue // an adjustment may be negative
		}
		h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + alice, as: "finance",
			body: fmt.Sprintf(`{"token":%q,"amount":%s,"reason":"r"}`, sol, amount)}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("amount")
		if t.Failed() {
			t.Fatal(amount)
		}
	}
	h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + alice, as: "finance",
		body: fmt.Sprintf(`{"token":%q,"amount":-9223372036854775808,"reason":"r"}`, sol)}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("amount")
	h.post("alice", "/withdraw", object{"token": sol, "destination": alice}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("amount")
	h.post("alice", "/play", object{"gameType": "dice", "token": sol}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("wager")
	if got := h.balance("alice", sol); got != 1_000_000 {
		t.Errorf("the balance is %d after nothing but refusals", got)
	}
}

func TestAmountsAtTheEdges(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{capital: money.Max, deps: tokensWithoutLimits()})
	h.role("finance", "finance", "")
	h.funded("alice", sol, 100_000)
	alice := string(fakes.Wallet("alice"))
	adjust := func(amount string) reply {
		return h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + alice, as: "finance",
			body: fmt.Sprintf(`{"token":%q,"amount":%s,"reason":"r"}`, sol, amount)})
	}
	h.post("alice", "/withdraw", h.withdrawBody("9223372036854775807")).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	h.post("alice", "/withdraw", h.withdrawBody("100001")).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	h.post("alice", "/play", fmt.Sprintf(`{"gameType":"dice","wager":100001,"token":%q}`, sol)).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	// The largest possible payout, not the wager, must fit; it is refused before the draw.
	h.post("alice", "/play", fmt.Sprintf(`{"gameType":"dice","wager":9223372036854775807,"token":%q}`, sol)).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE").names("wager")
	adjust("9223372036854775807").is(http.StatusBadRequest, "AMOUNT_OUT_OF_RANGE")
	adjust("-9223372036854775807").is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	adjust("-100001").is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	if got := h.balance("alice", sol); got != 100_000 {
		t.Fatalf("the balance is %d after nothing but refusals", got)
	}
	adjust("9223372036854675807").ok(http.StatusOK)
	if got := string(h.get("alice", "/balance").text); got != fmt.Sprintf(`{"balances":[{"token":%q,"balance":9223372036854775807}]}`, sol) {
		t.Errorf("the largest balance shows as %s", got)
	}
	h.post("alice", "/play", fmt.Sprintf(`{"gameType":"dice","wager":10000,"token":%q}`, sol)).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
	h.post("alice", "/withdraw", h.withdrawBody("9223372036854775807")).ok(http.StatusCreated)
}
