package httpapi_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// business is a casino in which alice, of the house agent, and bob, of acme, have played.
func business(t *testing.T) *house {
	t.Helper()
	h := staff(t, map[string]string{"boss": rbac.Superadmin, "finn": "finance"})
	h.post("boss", "/admin/legacy/agents", object{"agentCode": "acme", "agentName": "Acme"}).ok(http.StatusCreated)
	h.role("op", "operator", "acme")
	h.role("rival", "operator", "rival")
	h.funded("alice", sol, 1_000_000)
	h.signUp("bob", "acme")
	h.funded("bob", sol, 500_000)
	h.funded("bob", usd, 700_000)
	for _, round := range []struct {
		as, token string
		wager     int64
	}{{"alice", sol, 10_000}, {"bob", sol, 20_000}, {"bob", usd, 30_000}, {"bob", usd, 40_000}} {
		h.post(round.as, "/play", object{"gameType": "dice", "wager": round.wager, "token": round.token}).ok(http.StatusOK)
	}
	h.post("bob", "/withdraw", object{"amount": 1000, "token": sol, "destination": address("bob")}).ok(http.StatusCreated)
	return h
}

// signUp makes a player of an agent.
func (h *house) signUp(name, agent string) {
	h.Helper()
	login := h.login(name)
	login.AgentCode = agent
	h.ask(question{method: http.MethodPost, path: "/auth/login", from: "198.51.99.1:1", body: login}).ok(http.StatusOK)
	h.clock.Advance(time.Second)
}

func TestTheOverviewCountsTheBusiness(t *testing.T) {
	t.Parallel()
	h := business(t)
	for _, token := range got[api.Overview](h)(h.as("boss").Overview(t.Context(), api.OverviewParams{})).Tokens {
		if token.Treasury != nil || token.Solvent != nil || token.Difference != nil {
			t.Errorf("the treasury is known before it was read: %+v", token)
		}
	}
	_, err := h.casino.Treasury.Treasury().Step(t.Context())
	h.must(err)
	whole := got[api.Overview](h)(h.as("boss").Overview(t.Context(), api.OverviewParams{}))
	if whole.Rounds != 4 || whole.Withdrawals.Pending != 1 || len(whole.Tokens) != 2 {
		t.Errorf("overview: %+v", whole)
	}
	for _, token := range whole.Tokens {
		wagered := map[string]string{sol: "30000", usd: "70000"}[token.Token]
		if token.Wagered.String() != wagered || token.Treasury == nil || token.Solvent == nil || token.Difference == nil {
			t.Errorf("overview: %+v", token)
		}
	}
	own := got[api.Overview](h)(h.as("op").Overview(t.Context(), api.OverviewParams{}))
	if own.Players != 1 || own.Agents != 1 || own.Rounds != 3 || own.Withdrawals.Pending != 1 {
		t.Errorf("acme's overview: %+v", own)
	}
	for _, token := range own.Tokens {
		owed := h.balance("bob", token.Token)
		held := "0"
		if token.Token == sol {
			owed, held = owed+1000, "1000"
		}
		if token.Liabilities.String() != fmt.Sprint(owed) || token.Held.String() != held || token.Treasury != nil || token.Solvent != nil || token.Difference != nil {
			t.Errorf("acme's overview: %+v, bob is owed %d", token, owed)
		}
	}
	if nothing := got[api.Overview](h)(h.as("rival").Overview(t.Context(), api.OverviewParams{})); nothing.Players != 0 || nothing.Rounds != 0 {
		t.Errorf("the rival's overview: %+v", nothing)
	}
}

func TestGGRHasARowForEveryDayAndToken(t *testing.T) {
	t.Parallel()
	h := business(t)
	h.clock.Advance(48 * time.Hour)
	h.forget()
	h.post("alice", "/play", object{"gameType": "dice", "wager": 50_000, "token": sol}).ok(http.StatusOK)
	today := h.clock.Now().UTC()
	rows := got[api.DailyGGRResponse](h)(h.as("boss").GGRDaily(t.Context(), api.GGRDailyParams{Days: 4})).Metrics
	if len(rows) != 8 || rows[0].Date != today.AddDate(0, 0, -3).Format(time.DateOnly) || rows[7].Date != today.Format(time.DateOnly) {
		t.Fatalf("rows: %+v", rows)
	}
	wagered := map[string]string{}
	for _, row := range rows {
		wagered[row.Date[8:]+row.Token] = row.Wagered.String()
		w, _ := row.Wagered.Int64()
		p, _ := row.Paid.Int64()
		if g, _ := row.GGR.Int64(); g != w-p {
			t.Errorf("%+v", row)
		}
	}
	day := func(back int) string { return today.AddDate(0, 0, -back).Format("02") }
	if wagered[day(2)+sol] != "30000" || wagered[day(2)+usd] != "70000" || wagered[day(1)+sol] != "0" || wagered[day(0)+sol] != "50000" {
		t.Errorf("wagered: %v", wagered)
	}
	if one := got[api.DailyGGRResponse](h)(h.as("boss").GGRDaily(t.Context(), api.GGRDailyParams{Days: 366, Token: sol})).Metrics; len(one) != 366 {
		t.Errorf("%d days", len(one))
	}
	if own := got[api.DailyGGRResponse](h)(h.as("op").GGRDaily(t.Context(), api.GGRDailyParams{Days: 3, Token: sol})).Metrics; own[0].Wagered.String() != "20000" || own[2].Rounds != 0 {
		t.Errorf("acme's: %+v", own)
	}
	if thirty := h.get("boss", "/admin/metrics/ggr-daily?token="+sol).ok(http.StatusOK); thirty.integer("days") != 30 {
		t.Errorf("without days: %s", thirty.text)
	}
	for _, query := range []string{"days=0", "days=367", "days=-1", "days=1.5", "days=abc", "days=1&days=2"} {
		for _, path := range []string{"/admin/metrics/ggr-daily?", "/admin/metrics/rtp?"} {
			h.get("boss", path+query).is(http.StatusBadRequest, "INVALID_PARAMETER").names("days")
		}
	}
}

func TestReturnsAreShares(t *testing.T) {
	t.Parallel()
	h := business(t)
	rows := got[api.GameReturnsResponse](h)(h.as("boss").Returns(t.Context(), api.ReturnsParams{Days: 7, Token: usd})).Games
	if len(rows) != 1 || rows[0].Provider != "casino" || rows[0].GameType != "dice" || rows[0].Rounds != 2 || rows[0].Status != "few" {
		t.Fatalf("returns: %+v", rows)
	}
	paid, _ := rows[0].Paid.Int64()
	if want := fmt.Sprintf("%d.%06d", paid/70_000, paid*1_000_000/70_000%1_000_000); rows[0].RTP != want || rows[0].TheoreticalRTP == nil || !strings.HasPrefix(*rows[0].TheoreticalRTP, "0.98") {
		t.Errorf("returns: %+v, want %s", rows[0], want)
	}
	if own := got[api.GameReturnsResponse](h)(h.as("rival").Returns(t.Context(), api.ReturnsParams{Days: 7})).Games; len(own) != 0 {
		t.Errorf("the rival's: %+v", own)
	}
}

func TestListsKeepToTheScope(t *testing.T) {
	t.Parallel()
	h := business(t)
	for _, c := range []struct {
		as, query    string
		rounds, rows int
	}{
		{"boss", "", 4, 4}, {"boss", "agentCode=acme", 3, 3}, {"boss", "agentCode=rival", 0, 0}, {"boss", "wallet=" + address("alice"), 1, 1},
		{"op", "", 3, 3}, {"op", "agentCode=acme", 3, 3}, {"op", "agentCode=house", 0, 0}, {"op", "wallet=" + address("alice"), 0, 0},
		{"op", "wallet=" + address("bob") + "&token=" + usd, 2, 1}, {"rival", "", 0, 0}, {"rival", "agentCode=acme", 0, 0},
	} {
		if total := h.get(c.as, "/admin/games?"+c.query).ok(http.StatusOK).integer("total"); total != int64(c.rounds) {
			t.Errorf("%s sees %d rounds with %q", c.as, total, c.query)
		}
		if total := h.get(c.as, "/admin/transactions?"+c.query).ok(http.StatusOK).integer("total"); total != int64(c.rows) {
			t.Errorf("%s sees %d transactions with %q", c.as, total, c.query)
		}
	}
	for _, path := range []string{"/admin/players/", "/admin/balances/"} {
		h.get("boss", path+address("alice")).ok(http.StatusOK)
		h.get("op", path+address("bob")).ok(http.StatusOK)
		h.get("op", path+address("alice")).is(http.StatusNotFound, "NOT_FOUND")
		h.get("rival", path+address("bob")).is(http.StatusNotFound, "NOT_FOUND")
		h.get("boss", path+"nobody").is(http.StatusNotFound, "NOT_FOUND")
		h.get("boss", path+address("nobody")).is(http.StatusNotFound, "NOT_FOUND")
	}
	if list := got[api.PlayerPage](h)(h.as("op").ListPlayers(t.Context(), api.ListPlayersParams{})); list.Total != 1 || list.Players[0].AgentCode != "acme" {
		t.Errorf("acme's players: %+v", list)
	}
	bob := got[api.PlayerDetails](h)(h.as("boss").AdminPlayer(t.Context(), address("bob"), api.AdminPlayerParams{}))
	if len(bob.Balances) != 2 || len(bob.OpenWithdrawals) != 1 || bob.Status != "active" {
		t.Errorf("bob: %+v", bob)
	}
	games := got[api.AdminRoundPage](h)(h.as("boss").AdminGames(t.Context(), api.AdminGamesParams{Token: usd, AgentCode: "acme", GameType: "dice"}))
	if games.Total != 2 || games.Rounds[0].Wallet != address("bob") || games.Rounds[0].AgentCode != "acme" || games.Rounds[0].ServerSeed != nil {
		t.Errorf("games: %+v", games)
	}
}

func TestTheAuditLogShowsWhoChangedWhat(t *testing.T) {
	t.Parallel()
	h := business(t)
	h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + address("alice"), as: "finn", header: map[string]string{"X-Request-Id": "req-7"},
		body: object{"token": sol, "amount": 5, "reason": "=cmd"}}).ok(http.StatusOK)
	found := got[api.AuditPage](h)(h.as("finn").AuditLog(t.Context(), api.AuditLogParams{By: address("finn"), Target: address("alice")}))
	if found.Total != 1 || found.Records[0].Action != audit.BalanceAdjusted || *found.Records[0].RequestID != "req-7" {
		t.Errorf("records: %+v", found)
	}
	h.get("op", "/admin/audit").is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	h.auditParts()
	h.get("boss", "/admin/audit?by=x").is(http.StatusBadRequest, "INVALID_PARAMETER").names("by")
	if none := h.get("boss", "/admin/audit?action=%27OR1=1").ok(http.StatusOK); none.integer("total") != 0 {
		t.Errorf("an action that isn't: %s", none.text)
	}
}

// sheetOf requests CSV and returns its rows without the header.
func (h *house) sheetOf(as, path string) [][]string {
	h.Helper()
	answer := h.ask(question{method: http.MethodGet, path: path, as: as, header: map[string]string{"Accept": "text/csv"}}).ok(http.StatusOK)
	if kind := answer.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv; charset=utf-8") {
		h.Errorf("%s: it is %s", path, kind)
	}
	rows, err := csv.NewReader(strings.NewReader(string(answer.text))).ReadAll()
	h.must(err)
	return rows[1:]
}

func TestSheetsAreWholeListsWithoutFormulas(t *testing.T) {
	t.Parallel()
	h := business(t)
	for range 130 {
		h.post("alice", "/play", object{"gameType": "coinflip", "wager": minimum, "token": sol}).ok(http.StatusOK)
	}
	h.post("alice", "/seed/rotate", object{"clientSeed": "=HYPERLINK(1)"}).ok(http.StatusOK)
	h.post("alice", "/play", object{"gameType": "coinflip", "wager": minimum, "token": sol}).ok(http.StatusOK)
	for _, reason := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "say \"x\", y"} {
		h.ask(question{method: http.MethodPatch, path: "/admin/balances/" + address("alice"), as: "finn",
			body: object{"token": sol, "amount": -5, "reason": reason}}).ok(http.StatusOK)
	}
	rounds := h.sheetOf("boss", "/admin/games?gameType=coinflip")
	if len(rounds) != 131 || rounds[0][14] != "'=HYPERLINK(1)" || rounds[0][2] != address("alice") {
		t.Errorf("%d rounds, the newest %v", len(rounds), rounds[0])
	}
	if own := h.sheetOf("op", "/admin/games"); len(own) != 3 {
		t.Errorf("acme's sheet has %d rounds", len(own))
	}
	adjustments := h.sheetOf("boss", "/admin/transactions?type=adjustment")
	var reasons []string
	for _, row := range adjustments {
		reasons = append(reasons, row[11])
	}
	if want := `["say \"x\", y" "'\tx" "'@SUM(A1)" "'-1" "'+1" "'=1+1"]`; fmt.Sprintf("%q", reasons) != want {
		t.Errorf("reasons: %q", reasons)
	}
	if days := h.sheetOf("boss", "/admin/metrics/ggr-daily?days=5&token="+sol); len(days) != 5 {
		t.Errorf("%d days", len(days))
	}
	if records := h.sheetOf("boss", "/admin/audit?action=balance.adjusted"); len(records) != 6 || records[0][3] != address("finn") {
		t.Errorf("records: %v", records)
	}
	for _, page := range []string{"page=1", "limit=5", "cursor=x"} {
		name, _, _ := strings.Cut(page, "=")
		for _, path := range []string{"/admin/games?", "/admin/transactions?", "/admin/audit?", "/admin/players?", "/admin/provider-games?"} {
			h.ask(question{method: http.MethodGet, path: path + page, as: "boss", header: map[string]string{"Accept": "text/csv"}}).
				is(http.StatusBadRequest, "INVALID_PARAMETER").names(name)
		}
	}
}

// TestEveryListOfAdminsIsASheet checks that each list of admins has a sheet with as many rows,
// of at least as many members.
func TestEveryListOfAdminsIsASheet(t *testing.T) {
	t.Parallel()
	h := business(t)
	lists := 0
	for path, item := range published(t).doc.Paths.Map() {
		if !strings.HasPrefix(path, "/admin/") || item.Get == nil || strings.Contains(path, "{") {
			continue
		}
		content := item.Get.Responses.Value("200").Value.Content
		paged := item.Get.Parameters.GetByInAndName("query", "page") != nil
		if content["text/csv"] == nil {
			if paged {
				t.Errorf("%s is a list and has no sheet", path)
			}
			continue
		}
		var found map[string]json.RawMessage
		h.must(json.Unmarshal(h.get("boss", path).ok(http.StatusOK).text, &found))
		var rows []map[string]json.RawMessage
		for _, text := range found {
			if text[0] == '[' {
				h.must(json.Unmarshal(text, &rows))
			}
		}
		sheet := h.sheetOf("boss", path)
		if len(sheet) < len(rows) || !paged && len(sheet) > len(rows) || len(rows) > 0 && len(sheet[0]) < len(rows[0])-1 { // rounds' outcomes are left out
			t.Errorf("%s has %d rows, its sheet %d: %q", path, len(rows), len(sheet), sheet)
		}
		if len(rows) > 0 {
			lists++
		}
	}
	if lists < 9 {
		t.Errorf("only %d lists had rows", lists)
	}
	if roles := h.sheetOf("boss", "/admin/roles"); !slices.ContainsFunc(roles, func(row []string) bool { return slices.Contains(row, "operator") && slices.Contains(row, "true") }) {
		t.Errorf("roles: %q", roles)
	}
}

func TestAcceptChoosesTheFormat(t *testing.T) {
	t.Parallel()
	h := business(t)
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/json": "application/json", "text/csv": "text/csv",
		"text/csv, application/json": "text/csv", "application/json, text/csv": "application/json", "text/csv;q=0.5, application/json": "application/json",
		"text/csv, application/json;q=0.9": "text/csv", "text/csv, */*": "text/csv", "text/csv;q=0": "application/json", "text/csv;q=x": "application/json",
		"TEXT/CSV": "text/csv", ";;": "application/json",
	} {
		got := h.ask(question{method: http.MethodGet, path: "/admin/transactions", as: "boss", header: map[string]string{"Accept": accept}}).ok(http.StatusOK)
		if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, want) {
			t.Errorf("Accept %q gives %s", accept, kind)
		}
	}
}

func TestTheBrandingIsChanged(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"boss": rbac.Superadmin, "finn": "finance"})
	title, color := "Zum Goldenen Löwen", "#00FF00"
	changed := got[api.Branding](h)(h.as("boss").ChangeWhitelabel(t.Context(), api.BrandingRequest{Title: &title}))
	if changed.Title != title || changed.AccentColor != "#7c3aed" {
		t.Errorf("changed to %+v", changed)
	}
	got[api.Branding](h)(h.as("boss").ChangeWhitelabel(t.Context(), api.BrandingRequest{AccentColor: &color}))
	if public := got[api.Branding](h)(h.client().Whitelabel(t.Context())); public.Title != title || public.AccentColor != color {
		t.Errorf("the public sees %+v", public)
	}
	h.code("ADMIN_FORBIDDEN", refusal(h.as("finn").ChangeWhitelabel(t.Context(), api.BrandingRequest{Title: &title})))
	for _, c := range []struct {
		field string
		value any
	}{
		{"title", ""}, {"title", strings.Repeat("x", 81)}, {"title", "a\u202eb"}, {"title", 5},
		{"logoUrl", "http://example.com/x"}, {"logoUrl", "javascript:alert(1)"}, {"logoUrl", "data:image/png;base64,x"},
		{"logoUrl", "file:///etc/passwd"}, {"logoUrl", "https://127.0.0.1/x"}, {"logoUrl", "https://2130706433/x"},
		{"logoUrl", "https://[::1]/x"}, {"logoUrl", "https://169.254.169.254/"}, {"logoUrl", "https://user@example.com/x"},
		{"accentColor", "#fff"}, {"accentColor", "red;}"}, {"accentColor", "#gggggg"}, {"level", 1},
	} {
		h.ask(question{method: http.MethodPatch, path: "/admin/whitelabel", as: "boss", body: object{c.field: c.value}}).
			is(http.StatusBadRequest, "INVALID_PARAMETER").names(c.field)
	}
	h.ask(question{method: http.MethodPatch, path: "/admin/whitelabel", as: "boss", body: object{}}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
	records, err := h.store.Records(t.Context(), ports.AuditFilter{Action: audit.BrandingChanged}, ports.Page{Number: 1, Limit: 10})
	h.must(err)
	if records.Total != 2 || records.Records[0].By != fakes.Wallet("boss") {
		t.Errorf("records: %+v", records)
	}
}
