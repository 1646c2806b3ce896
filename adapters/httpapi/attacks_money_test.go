package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/test/fakes"
)

// race sends n concurrent requests and counts the responses by code, 201 and 200 as "ok".
// Requests rejected because the player has too many open ones are sent again, as many at a
// time as may be open.
func (h *house) race(n int, ask func(i int) reply) map[string]int {
	var mu sync.Mutex
	counts := map[string]int{}
	turns := make(chan struct{}, 16)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			got := ask(i)
			if got.code() == "RATE_LIMITED" {
				turns <- struct{}{}
				defer func() { <-turns }()
			}
			for got.code() == "RATE_LIMITED" {
				got = ask(i)
			}
			mu.Lock()
			defer mu.Unlock()
			if got.code() == "" {
				counts["ok"]++
				return
			}
			counts[got.code()]++
		})
	}
	group.Wait()
	return counts
}

func TestAHundredWithdrawalsOfTheWholeBalance(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 50_000)
	counts := h.race(100, func(int) reply { return h.post("alice", "/withdraw", h.withdrawBody("50000")) })
	if counts["ok"] != 1 || counts["INSUFFICIENT_USER_FUNDS"] != 99 || h.balance("alice", sol) != 0 {
		t.Errorf("%v, balance %d", counts, h.balance("alice", sol))
	}
}

func TestWithdrawalsAndPlaysRacing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 40_000)
	lost := `{"gameType":"limbo","wager":10000,"token":"` + sol + `","config":{"target":10000}}`
	counts := h.race(60, func(i int) reply {
		if i%2 == 0 {
			return h.post("alice", "/withdraw", h.withdrawBody("10000"))
		}
		return h.post("alice", "/play", lost)
	})
	if counts["ok"] != 4 || counts["ok"]+counts["INSUFFICIENT_USER_FUNDS"]+counts["TOO_MANY_OPEN"] != 60 || h.balance("alice", sol) != 0 {
		t.Errorf("%v, balance %d", counts, h.balance("alice", sol))
	}
}

func TestOneKeyInParallelPaysOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 50_000)
	counts := h.race(30, func(int) reply {
		return h.ask(question{method: http.MethodPost, path: "/withdraw", as: "alice", body: h.withdrawBody("1000"), header: map[string]string{"Idempotency-Key": "one"}})
	})
	if counts["ok"] != 30 || h.balance("alice", sol) != 49_000 {
		t.Errorf("%v, balance %d", counts, h.balance("alice", sol))
	}
}

func TestOneDepositInParallelIsCreditedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.token("alice")
	signature := h.paid("alice", sol, 700)
	counts := h.race(30, func(int) reply { return h.post("alice", "/deposit", object{"signature": signature, "token": sol}) })
	if counts["ok"]+counts["INVALID_STATE"] != 30 || counts["ok"] == 0 || h.balance("alice", sol) != 700 {
		t.Errorf("%v, balance %d", counts, h.balance("alice", sol))
	}
}

func TestInvalidDeposits(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	raw, err := base58.Decode(fakes.Signature("x"))
	h.must(err)
	for name, row := range map[string]struct{ body, code, field string }{
		"63 bytes":     {fmt.Sprintf(`{"signature":%q,"token":%q}`, base58.Encode(raw[:63]), sol), "INVALID_PARAMETER", "signature"},
		"65 bytes":     {fmt.Sprintf(`{"signature":%q,"token":%q}`, base58.Encode(append(slices.Clone(raw), 1)), sol), "INVALID_PARAMETER", "signature"},
		"base64":       {fmt.Sprintf(`{"signature":%q,"token":%q}`, sign("alice", "x"), sol), "INVALID_PARAMETER", "signature"},
		"blank":        {fmt.Sprintf(`{"signature":" ","token":%q}`, sol), "INVALID_PARAMETER", "signature"},
		"no signature": {fmt.Sprintf(`{"token":%q}`, sol), "INVALID_PARAMETER", "signature"},
		"no token":     {fmt.Sprintf(`{"signature":%q}`, fakes.Signature("x")), "INVALID_PARAMETER", "token"},
		"a look-alike": {fmt.Sprintf(`{"signature":%q,"token":%q}`, fakes.Signature("x"), fakes.Mint("another usd")), "TOKEN_NOT_ACCEPTED", ""},
		"no mint":      {fmt.Sprintf(`{"signature":%q,"token":"SOL"}`, fakes.Signature("x")), "INVALID_PARAMETER", "token"},
	} {
		got := h.post("alice", "/deposit", row.body).is(http.StatusBadRequest, row.code)
		if row.field != "" {
			got.names(row.field)
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
	failed := h.chain.FailedDeposit(fakes.Wallet("alice"), money.SOL)
	other := h.paid("alice", usd, 500) // pays usd, is claimed as SOL
	h.chain.Finalize()
	for signature, reason := range map[string]string{failed: "failed", other: "no_credit"} {
		got := h.post("alice", "/deposit", object{"signature": signature, "token": sol}).is(http.StatusBadRequest, "DEPOSIT_REJECTED")
		if got.text_("details", "reason") != reason {
			t.Errorf("rejected as %v, want %s", got.at("details"), reason)
		}
	}
	got := h.post("bob", "/deposit", object{"signature": other, "token": usd}).is(http.StatusBadRequest, "DEPOSIT_REJECTED")
	if got.text_("details", "reason") != "not_sender" {
		t.Errorf("somebody else's is rejected as %s", got.text)
	}
	h.post("alice", "/deposit", object{"signature": fakes.Signature("unknown"), "token": sol}).ok(http.StatusAccepted)
}

func TestAFloodOfRequestsThatWait(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 100_000)
	for range 5 {
		h.post("alice", "/withdraw", h.withdrawBody("1000")).ok(http.StatusCreated)
	}
	h.post("alice", "/withdraw", h.withdrawBody("1000")).is(http.StatusConflict, "TOO_MANY_OPEN")
	for i := range 20 {
		h.post("alice", "/deposit", object{"signature": fakes.Signature(fmt.Sprint("unknown ", i)), "token": sol}).ok(http.StatusAccepted)
	}
	h.post("alice", "/deposit", object{"signature": fakes.Signature("unknown 20"), "token": sol}).is(http.StatusConflict, "TOO_MANY_OPEN")
}

func TestDestinationsThatCantBePaid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 100_000)
	for name, destination := range map[string]string{
		"the treasury": h.chain.TreasuryAddress(), "the system program": "11111111111111111111111111111111", "off the curve": offCurve(t),
		"a mint": usd, "wrapped SOL": sol, "31 bytes": base58.Encode(fakes.Wallet("x").PublicKey()[:31]), "no base58": "0OIl",
		"blanks": string(fakes.Wallet("alice")) + " ",
	} {
		body := object{"amount": 1_000, "token": sol, "destination": destination}
		if h.post("alice", "/withdraw", body).is(http.StatusBadRequest, "INVALID_DESTINATION"); t.Failed() {
			t.Fatal(name)
		}
	}
	h.post("alice", "/withdraw", object{"amount": 1_000, "token": sol, "destination": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("destination")
	h.post("alice", "/withdraw", object{"amount": 999, "token": sol, "destination": fakes.Wallet("alice")}).is(http.StatusBadRequest, "AMOUNT_OUT_OF_RANGE")
}

func TestDecisionsRacing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.token("finance")
	h.funded("alice", sol, 100_000)
	for range 5 {
		id := h.post("alice", "/withdraw", h.withdrawBody("10000")).ok(http.StatusCreated).text_("withdrawal", "id")
		counts := h.race(9, func(i int) reply {
			switch i % 3 {
			case 0:
				return h.post("finance", "/admin/withdraw/approve", object{"id": id})
			case 1:
				return h.post("finance", "/admin/withdraw/reject", object{"id": id, "reason": "r"})
			}
			return h.post("alice", "/withdraw/"+id+"/cancel", nil)
		})
		// An approved withdrawal may still be rejected, so both may succeed.
		if counts["ok"] < 1 || counts["ok"] > 2 || counts["ok"]+counts["INVALID_STATE"] != 9 {
			t.Errorf("%v", counts)
		}
		h.post("finance", "/admin/withdraw/reject", object{"id": id, "reason": "r"})
	}
	if h.balance("alice", sol) != 100_000 {
		t.Errorf("balance %d after every withdrawal ended: a refund is missing or came twice", h.balance("alice", sol))
	}
}

func TestForbiddenDecisions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("alice", "finance", "")
	h.role("finance", "finance", "")
	h.funded("alice", sol, 100_000)
	id := h.post("alice", "/withdraw", h.withdrawBody("10000")).ok(http.StatusCreated).text_("withdrawal", "id")
	h.post("alice", "/admin/withdraw/approve", object{"id": id}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("alice", "/admin/withdraw/reject", object{"id": id, "reason": "r"}).is(http.StatusForbidden, "FORBIDDEN")
	h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + string(fakes.Wallet("alice")), as: "alice",
		body: object{"token": sol, "amount": 1, "reason": "r"}}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("finance", "/admin/withdraw/approve", object{"id": "unknown"}).is(http.StatusNotFound, "NOT_FOUND")
	h.post("finance", "/admin/withdraw/reject", object{"id": "unknown", "reason": "r"}).is(http.StatusNotFound, "NOT_FOUND")
	h.post("finance", "/admin/withdraw/reject", object{"id": id}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	h.post("finance", "/admin/withdraw/reject", object{"id": id, "reason": ""}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	h.post("finance", "/admin/withdraw/approve", object{"note": "x"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("id")
	for _, user := range []string{string(fakes.Wallet("stranger")), "no-wallet", "11111111111111111111111111111111"} {
		h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + user, as: "finance",
			body: object{"token": sol, "amount": 1, "reason": "r"}}).is(http.StatusNotFound, "NOT_FOUND")
	}
	h.post("bob", "/withdraw/"+id+"/cancel", nil).is(http.StatusNotFound, "NOT_FOUND")
	h.post("alice", "/withdraw/"+id+"/cancel", object{"amount": 1}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("amount")
	h.post("alice", "/withdraw/"+id+"/cancel", object{}).ok(http.StatusOK)
	got := h.post("alice", "/withdraw/"+id+"/cancel", nil).is(http.StatusConflict, "INVALID_STATE")
	if got.text_("details", "status") != "cancelled" {
		t.Errorf("the state is missing: %s", got.text)
	}
}

func TestTwoPersonsApproveWhatIsLarge(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("finance", "finance", "")
	h.role("second", "finance", "")
	h.clock.Advance(rbac.MinAge)
	h.funded("alice", sol, 5_000_000_000)
	id := h.post("alice", "/withdraw", h.withdrawBody("2000000000")).ok(http.StatusCreated).text_("withdrawal", "id")
	first := h.post("finance", "/admin/withdraw/approve", object{"id": id, "note": ""}).ok(http.StatusOK)
	if first.text_("withdrawal", "status") != "pending" || first.integer("withdrawal", "approvals") != 1 {
		t.Errorf("after the first: %s", first.text)
	}
	h.post("finance", "/admin/withdraw/approve", object{"id": id}).is(http.StatusForbidden, "FORBIDDEN")
	second := h.post("second", "/admin/withdraw/approve", object{"id": id}).ok(http.StatusOK)
	if second.text_("withdrawal", "status") != "approved" || second.integer("withdrawal", "approvals") != 2 {
		t.Errorf("after the second: %s", second.text)
	}
}
