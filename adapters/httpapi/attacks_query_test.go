package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestInvalidQueries: each invalid, repeated or unknown parameter is rejected by name on
// every list.
func TestInvalidQueries(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	hook := h.created("boss", "house", api.CreateWebhookRequest{URL: acmesHook}).Webhook.ID
	lists := 0
	for _, line := range httpapi.Routes() {
		if line.Method != http.MethodGet || line.Permission == "" && !line.SignedIn {
			continue
		}
		path := strings.NewReplacer("{id}", "house", "{user}", "x", "{wallet}", "x", "{webhookId}", hook).Replace(line.Path)
		for _, unknown := range []string{"zz", "Page", "limit[]", "page;limit", "__proto__"} {
			if h.get("boss", path+"?"+url.QueryEscape(unknown)+"=1").is(http.StatusBadRequest, "INVALID_PARAMETER").names(unknown); t.Failed() {
				t.Fatalf("%s?%s", path, unknown)
			}
		}
		if !slices.Contains(line.Names, "page") {
			continue
		}
		lists++
		for _, bad := range []struct{ query, field string }{
			{"page=0", "page"}, {"page=-1", "page"}, {"page=1.5", "page"}, {"page=abc", "page"}, {"page=", "page"},
			{"page=9223372036854775808", "page"}, {"page=+1", "page"}, {"page=0x1", "page"}, {"page=%D9%A1", "page"},
			{"limit=0", "limit"}, {"limit=101", "limit"}, {"limit=1e3", "limit"}, {"limit=-5", "limit"},
			{"page=1&page=2", "page"}, {"limit=5&limit=5", "limit"},
			{"cursor=%00", "cursor"}, {"cursor=..%2f", "cursor"}, {"cursor=" + strings.Repeat("a", 10_000), "cursor"},
		} {
			if h.get("boss", path+"?"+bad.query).is(http.StatusBadRequest, "INVALID_PARAMETER").names(bad.field); t.Failed() {
				t.Fatalf("%s?%.80s", path, bad.query)
			}
		}
		if got := h.get("boss", path+"?page=1000000000&limit=100").ok(http.StatusOK); got.at("nextCursor") != nil {
			t.Errorf("%s: far beyond the end: %s", path, got.text)
		}
	}
	if lists < 4 {
		t.Errorf("%d lists were tried", lists)
	}
}

// TestForeignCursors: every list rejects invalid cursors and those of other lists.
func TestForeignCursors(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.role("clerk", "support", "")
	hook := h.created("boss", "house", api.CreateWebhookRequest{URL: acmesHook}).Webhook.ID
	theirs := h.get("boss", "/admin/audit?limit=1").ok(http.StatusOK).at("nextCursor").(string)
	h.get("boss", "/admin/audit?limit=1&cursor="+theirs).ok(http.StatusOK)
	lists := 0
	for _, line := range httpapi.Routes() {
		if line.Method != http.MethodGet || !slices.Contains(line.Names, "cursor") {
			continue
		}
		lists++
		path := strings.NewReplacer("{id}", "house", "{webhookId}", hook).Replace(line.Path)
		foreign := []string{"null", "undefined", "abc", "0", "-1", "1", ".", "x.", ".x", "NaN", "019cf0d1-f14d-7b8a-8a82-7ffc620eeb0d", theirs[:len(theirs)-1], theirs + "0"}
		if line.Path != "/admin/audit" {
			foreign = append(foreign, theirs)
		}
		for _, cursor := range foreign {
			if h.get("boss", path+"?cursor="+cursor).is(http.StatusBadRequest, "INVALID_PARAMETER").names("cursor"); t.Failed() {
				t.Fatalf("%s?cursor=%s", path, cursor)
			}
		}
	}
	if lists < 14 {
		t.Errorf("%d lists were tried", lists)
	}
}

// TestFiltersStayLiteral: SQL in a filter is rejected or finds nothing.
func TestFiltersStayLiteral(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 1_000_000)
	h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	for _, injection := range []string{
		"' OR '1'='1", `" OR ""="`, "1; DROP TABLE rounds; --", "dice' UNION SELECT sealed FROM seed_pairs --", "%", "_", "?", "?0", "\\", "*",
	} {
		for _, filter := range []string{"gameType", "token", "from", "to"} {
			h.literal("alice", "/history", filter, injection)
		}
		for _, filter := range []string{"type", "status", "wallet", "token", "agentCode", "from", "to"} {
			h.literal("boss", "/admin/transactions", filter, injection)
		}
	}
	if total := h.get("alice", "/history").ok(http.StatusOK).integer("total"); total != 1 {
		t.Errorf("%d rounds afterwards", total)
	}
}

func (h *house) literal(as, path, filter, value string) {
	h.Helper()
	got := h.get(as, path+"?"+filter+"="+url.QueryEscape(value))
	switch got.status {
	case http.StatusBadRequest:
		got.is(http.StatusBadRequest, "INVALID_PARAMETER").names(filter)
	case http.StatusOK:
		if got.integer("total") != 0 {
			h.Errorf("%s %s=%q finds something: %s", path, filter, value, got.text)
		}
	default:
		h.Errorf("%s %s=%q: %d %s", path, filter, value, got.status, got.text)
	}
}

// TestPathVariables: an invalid id is not found or rejected, and never redirected.
func TestPathVariables(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.role("boss", "superadmin", "")
	h.funded("alice", sol, 1_000_000)
	own := h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK).text_("round", "id")
	h.get("alice", "/history/"+own).ok(http.StatusOK)
	h.get("boss", "/history/"+own).is(http.StatusNotFound, "NOT_FOUND") // another player's
	for _, id := range []string{"..%2f", "..%2f..%2fbalance", "%00", "%ff", "%2e%2e", own + "%00", own + "%20", strings.ToUpper(own) + "x", strings.Repeat("a", 10_000), "%27%20OR%201=1"} {
		for _, q := range []question{
			{method: http.MethodGet, path: "/history/" + id, as: "alice"},
			{method: http.MethodPost, path: "/withdraw/" + id + "/cancel", as: "alice"},
			{method: http.MethodPatch, path: "/admin/balances/" + id, as: "boss", body: object{"token": sol, "amount": 1, "reason": "x"}},
		} {
			got := h.ask(q)
			if got.status != http.StatusNotFound && got.status != http.StatusBadRequest {
				t.Errorf("%s %.60s: %d %s", q.method, q.path, got.status, got.text)
			}
		}
	}
}

// TestPathsAreNeverRewritten: no path is cleaned or redirected.
func TestPathsAreNeverRewritten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.token("alice")
	for _, path := range []string{"//balance", "/./balance", "/../casino/balance", "/balance/", "/balance//", "/BALANCE", "/balance%2f", "/%62alance/x", "//", "/."} {
		h.get("alice", path).is(http.StatusNotFound, "NOT_FOUND")
	}
	for i, path := range []string{"/balance", "/casinobalance", "/casino/../casino/balance", "/metrics", "/debug/pprof/"} {
		r := h.request(question{method: http.MethodGet, path: "/balance", as: "alice"})
		r.URL.Path = path
		if got := h.serve(r); got.status != http.StatusNotFound {
			t.Errorf("%d. %s", i, fmt.Sprint(path, ": ", got.status))
		}
	}
}
