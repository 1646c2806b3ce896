package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func TestDepositsAsTheyBecomeFinal(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.chain.Fund(fakes.Wallet("alice"), "So11111111111111111111111111111111111111112", 500)
	signature := h.chain.Deposit(fakes.Wallet("alice"), "So11111111111111111111111111111111111111112", 500)
	body := object{"signature": signature, "token": sol}
	waiting := h.post("alice", "/deposit", body).ok(http.StatusAccepted)
	if waiting.text_("transaction", "status") != "pending" || waiting.at("transaction", "amount") != nil || waiting.at("balance") != nil {
		t.Errorf("before it is final: %s", waiting.text)
	}
	h.post("bob", "/deposit", body).ok(http.StatusAccepted) // a claim reserves nothing
	h.chain.Finalize()
	first := h.post("alice", "/deposit", body).ok(http.StatusOK)
	again := h.post("alice", "/deposit", body).ok(http.StatusOK)
	if first.integer("balance") != 500 || again.integer("balance") != 500 || first.text_("transaction", "id") != again.text_("transaction", "id") {
		t.Errorf("credited %s, asked again %s", first.text, again.text)
	}
	h.post("bob", "/deposit", body).is(http.StatusBadRequest, "DEPOSIT_REJECTED")
	h.post("carol", "/deposit", body).is(http.StatusBadRequest, "DEPOSIT_REJECTED")
}

func TestAnUnreachableChainIsAnExternalError(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	signature := h.paid("alice", sol, 500)
	h.token("alice")
	h.chain.SetUnreachable(true)
	h.post("alice", "/deposit", object{"signature": signature, "token": sol}).is(http.StatusBadGateway, "EXTERNAL_ERROR")
	h.chain.SetUnreachable(false)
	h.post("alice", "/deposit", object{"signature": signature, "token": sol}).ok(http.StatusOK)
}

// TestListsRunNewestFirstWithoutGaps walks one list by pages and by cursors.
func TestListsRunNewestFirstWithoutGaps(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1_000_000)
	var want []string
	for range 7 {
		played := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
		want = append([]string{played.text_("round", "id")}, want...)
	}
	ids := func(r reply) (found []string) {
		rounds, _ := r.at("rounds").([]any)
		for _, round := range rounds {
			members, _ := round.(object)
			found = append(found, fmt.Sprint(members["id"]))
		}
		return found
	}
	var byPage, byCursor []string
	for page := range 4 {
		got := h.get("alice", fmt.Sprintf("/history?page=%d&limit=3", page+1)).ok(http.StatusOK)
		if got.integer("page") != int64(page+1) || got.integer("limit") != 3 || got.integer("total") != 7 {
			t.Errorf("page %d: %s", page+1, got.text)
		}
		byPage = append(byPage, ids(got)...)
	}
	path := "/history?limit=3"
	for path != "" {
		got := h.get("alice", path).ok(http.StatusOK)
		byCursor = append(byCursor, ids(got)...)
		path = ""
		if next := got.text_("nextCursor"); next != "" {
			path = "/history?limit=3&cursor=" + next
		}
		if len(byCursor) > 3 && got.at("page") != nil {
			t.Errorf("a page by cursor has a number: %s", got.text)
		}
	}
	if fmt.Sprint(byPage) != fmt.Sprint(want) || fmt.Sprint(byCursor) != fmt.Sprint(want) {
		t.Errorf("by page %v\nby cursor %v\nwant %v", byPage, byCursor, want)
	}
	if got := h.get("alice", "/history?gameType=crash").ok(http.StatusOK); len(ids(got)) != 0 {
		t.Errorf("crash was never played: %s", got.text)
	}
	now := h.clock.Now().UnixMilli()
	if got := h.get("alice", fmt.Sprintf("/history?from=%d&to=%d", now, now+1)).ok(http.StatusOK); len(ids(got)) != 7 {
		t.Errorf("from is inclusive: %s", got.text)
	}
	if got := h.get("alice", fmt.Sprintf("/history?to=%d", now)).ok(http.StatusOK); len(ids(got)) != 0 {
		t.Errorf("to is exclusive: %s", got.text)
	}
}

func TestBalancesAreSortedAndKeepZeros(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", usd, 5_000)
	h.funded("alice", sol, 5_000)
	h.post("alice", "/withdraw", object{"amount": 5_000, "token": usd, "destination": fakes.Wallet("alice")}).ok(http.StatusCreated)
	got := string(h.get("alice", "/balance").ok(http.StatusOK).text)
	want := fmt.Sprintf(`{"balances":[{"token":%q,"balance":5000},{"token":%q,"balance":0}]}`, sol, usd)
	if usd < sol {
		want = fmt.Sprintf(`{"balances":[{"token":%q,"balance":0},{"token":%q,"balance":5000}]}`, usd, sol)
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestLongListsContinueByCursor lists more than a total counts.
func TestLongListsContinueByCursor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	for i := range ports.TotalMax + 50 {
		record := audit.Record{ID: h.entropy.ID(), Action: audit.AgentCreated, By: fakes.Wallet("boss"), Target: fmt.Sprint(i), At: h.clock.Now()}
		h.must(h.store.ChangeBranding(t.Context(), record.By, func(rbac.Assignment, *branding.Branding) (branding.Branding, audit.Record, error) {
			return branding.Default(), record, nil
		}))
	}
	list := func(query string) reply { return h.get("boss", "/admin/audit?action=agent.created&"+query) }
	for _, page := range []string{"page=1&limit=100", "page=10&limit=100", "page=34&limit=30"} {
		if got := list(page).ok(http.StatusOK); got.integer("total") != 1000 || got.at("totalCapped") != true || got.at("nextCursor") == nil {
			t.Errorf("%s: %s", page, got.text)
		}
	}
	for _, page := range []string{"page=11&limit=100", "page=1001&limit=1", "page=35&limit=30", "page=9223372036854775807"} {
		got := list(page).is(http.StatusBadRequest, "INVALID_PARAMETER")
		if got.names("page"); !strings.Contains(got.text_("message"), "nextCursor") {
			t.Errorf("%s: %s", page, got.text)
		}
	}
	tenth := list("page=10&limit=100").ok(http.StatusOK)
	rest := list("limit=100&cursor=" + tenth.text_("nextCursor")).ok(http.StatusOK)
	if found, _ := rest.at("records").([]any); len(found) != 50 || rest.at("nextCursor") != nil || rest.at("totalCapped") != true {
		t.Errorf("beyond the first 1,000: %s", rest.text)
	}
}
