package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/rbac"
)

func ptr[T any](v T) *T { return &v }

func TestAgentsOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin, "olga": "ops"})
	root, olga := h.as("root"), h.as("olga")
	made := got[api.AgentCredentials](h)(olga.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{
		AgentName: ptr("Acme"), Percent: ptr(api.Number("12.5")), RTP: ptr(api.Number("96")),
	}}))
	if a := made.Agent; a.Percent != "12.50" || a.RTP != "96.00" || a.Status != "active" || a.SiteEndpoint != nil || len(a.IPAllowlist) != 0 ||
		!strings.HasPrefix(made.Token, "agt_") || !strings.HasPrefix(made.Secret, "ags_") {
		t.Errorf("made %+v", made)
	}
	h.secrets[made.Token], h.secrets[made.Secret] = "an agent's token", "an agent's secret"
	h.code("DUPLICATED_AGENT", refusal(olga.CreateAgent(t.Context(), api.CreateAgentRequest{AgentCode: "acme", AgentRequest: api.AgentRequest{AgentName: ptr("B")}})))
	h.code("ADMIN_FORBIDDEN", refusal(olga.ChangeAgent(t.Context(), made.Agent.ID, api.AgentRequest{SiteEndpoint: ptr("https://acme.example.com/")})))
	changed := got[api.Agent](h)(root.ChangeAgent(t.Context(), made.Agent.ID, api.AgentRequest{
		SiteEndpoint: ptr("https://acme.example.com/"), IPAllowlist: []string{"192.0.2.7", "198.51.100.9/24", "2001:db8::/32"}, Memo: ptr("m"),
	}))
	if strings.Join(changed.IPAllowlist, " ") != "192.0.2.7 198.51.100.0/24 2001:db8::/32" || *changed.SiteEndpoint != "https://acme.example.com/" {
		t.Errorf("changed to %+v", changed)
	}
	h.ask(question{method: http.MethodPatch, path: "/admin/legacy/agents/" + made.Agent.ID, as: "root",
		body: object{"siteEndpoint": nil, "ipAllowlist": []string{}, "memo": nil}}).ok(http.StatusOK)
	rotated := got[api.AgentCredentials](h)(root.RotateCredentials(t.Context(), made.Agent.ID))
	if rotated.Token == made.Token || rotated.Secret == made.Secret || rotated.Agent.SiteEndpoint != nil {
		t.Errorf("rotated to %+v", rotated)
	}
	h.role("op", "operator", "acme")
	if all := got[[]api.Agent](h)(h.as("op").ListAgents(t.Context())); len(all) != 1 || all[0].AgentCode != "acme" {
		t.Errorf("acme sees %+v", all)
	}
	if all := got[[]api.Agent](h)(olga.ListAgents(t.Context())); len(all) != 2 || all[1].AgentCode != "house" {
		t.Errorf("the agents are %+v", all)
	}
	h.code("INVALID_AGENT", refusal(root.GrantRole(t.Context(), address("x"), api.GrantRequest{Role: "operator", AgentCode: "nobody"})))
	h.code("FORBIDDEN", olga.DeleteAgent(t.Context(), "house"))
	h.must(olga.DeleteAgent(t.Context(), made.Agent.ID))
	h.code("NOT_FOUND", olga.DeleteAgent(t.Context(), made.Agent.ID))
	newcomer := h.login("newcomer")
	newcomer.AgentCode = "acme"
	h.ask(question{method: http.MethodPost, path: "/auth/login", body: newcomer}).is(http.StatusForbidden, "BLOCKED_AGENT")
	newcomer.AgentCode = "nobody"
	h.ask(question{method: http.MethodPost, path: "/auth/login", body: newcomer}).is(http.StatusBadRequest, "INVALID_AGENT")
}

func TestInvalidAgents(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"root": rbac.Superadmin})
	for _, c := range []struct{ field, value string }{
		{"agentCode", `"a/b"`}, {"agentCode", `""`}, {"agentCode", `5`}, {"agentName", `""`}, {"agentName", `null`},
		{"status", `"closed"`}, {"status", `true`}, {"rtp", `100.01`}, {"rtp", `-1`}, {"rtp", `1e1`}, {"rtp", `1.234`}, {"rtp", `"95"`}, {"rtp", `101`},
		{"percent", `00.1`}, {"percent", `-0`}, {"percent", `1.0.0`},
		{"siteEndpoint", `"http://acme.example.com"`}, {"siteEndpoint", `"file:///etc/passwd"`}, {"siteEndpoint", `"javascript:x"`},
		{"siteEndpoint", `"data:text/html,x"`}, {"siteEndpoint", `"https://127.0.0.1/"`}, {"siteEndpoint", `"https://169.254.169.254/"`},
		{"siteEndpoint", `"https://[::1]/"`}, {"siteEndpoint", `"https://2130706433/"`}, {"siteEndpoint", `"https://user@acme.example.com/"`},
		{"siteEndpoint", `"https://acme.example.com/\r\nX: y"`},
		{"ipAllowlist", `"192.0.2.7"`}, {"ipAllowlist", `["0.0.0.0/0"]`}, {"ipAllowlist", `["::/0"]`}, {"ipAllowlist", `[5]`}, {"ipAllowlist", `["x"]`},
		{"ipAllowlist", `{}`}, {"ipAllowlist", "[" + strings.Repeat(`"192.0.2.7",`, 64) + `"192.0.2.8"]`},
		{"memo", `5`}, {"memo", `"` + strings.Repeat("x", 501) + `"`},
		{"id", `"x"`}, {"token", `"x"`}, {"secret", `"x"`}, {"deleted", `false`}, {"createdAt", `1`}, {"balance", `1`}, {"__proto__", `{}`},
	} {
		body := map[string]json.RawMessage{"agentCode": json.RawMessage(`"acme"`), "agentName": json.RawMessage(`"Acme"`)}
		body[c.field] = json.RawMessage(c.value)
		if strings.Contains(c.value, `1.0.0`) || c.value == "00.1" { // not even JSON
			h.post("root", "/admin/legacy/agents", `{"agentCode":"acme","agentName":"A","`+c.field+`":`+c.value+`}`).is(http.StatusBadRequest, "INVALID_PARAMETER")
			continue
		}
		h.post("root", "/admin/legacy/agents", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(c.field)
	}
	for _, missing := range []string{"agentCode", "agentName"} {
		body := object{"agentCode": "acme", "agentName": "Acme"}
		delete(body, missing)
		h.post("root", "/admin/legacy/agents", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(missing)
	}
	patch := func(body any) reply {
		return h.ask(question{method: http.MethodPatch, path: "/admin/legacy/agents/house", as: "root", body: body})
	}
	patch(object{}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("body")
	patch(object{"agentCode": "other"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("agentCode")
	patch(object{"status": "blocked"}).is(http.StatusForbidden, "FORBIDDEN")
}

func TestTheCatalogueOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"olga": "ops", "reader": "readonly"})
	h.funded("alice", sol, 1_000_000)
	olga := h.as("olga")
	own := got[api.ProviderGamePage](h)(olga.ProviderGames(t.Context(), api.ProviderGamesParams{Provider: "casino", Enabled: new(true)}))
	if own.Total == 0 || own.Games[0].Provider != "casino" || !own.Games[0].Enabled {
		t.Errorf("own games: %+v", own)
	}
	off := got[api.ProviderGame](h)(olga.SwitchGame(t.Context(), "dice", api.SwitchGameRequest{Enabled: false, Reason: "for a test"}))
	if off.Enabled || off.GameCode != "dice" {
		t.Errorf("switched to %+v", off)
	}
	h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).is(http.StatusBadRequest, "GAME_DISABLED")
	if list := got[api.ProviderGamePage](h)(olga.ProviderGames(t.Context(), api.ProviderGamesParams{Enabled: new(false)})); list.Total != 1 {
		t.Errorf("switched off: %+v", list)
	}
	if list := got[api.ProviderGamePage](h)(olga.ProviderGames(t.Context(), api.ProviderGamesParams{Q: "DIC"})); list.Total != 1 {
		t.Errorf("found: %+v", list)
	}
	h.get("olga", "/admin/provider-games?enabled=yes").is(http.StatusBadRequest, "INVALID_PARAMETER").names("enabled")
	h.code("ADMIN_FORBIDDEN", refusal(h.as("reader").SwitchGame(t.Context(), "dice", api.SwitchGameRequest{Enabled: true, Reason: "for a test"})))
	h.code("NOT_FOUND", refusal(olga.SwitchGame(t.Context(), "poker", api.SwitchGameRequest{Enabled: true, Reason: "for a test"})))
	got[api.ProviderGame](h)(olga.SwitchGame(t.Context(), "dice", api.SwitchGameRequest{Enabled: true, Reason: "for a test"}))
	h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
}

func TestProtectionOverHTTP(t *testing.T) {
	t.Parallel()
	h := staff(t, map[string]string{"olga": "ops", "finn": "finance"})
	h.funded("alice", sol, 1_000_000)
	alice, olga := h.as("alice"), h.as("olga")
	play := func() reply {
		return h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol})
	}
	set := got[[]api.Limit](h)(alice.SetLimits(t.Context(), api.LimitsRequest{Limits: []api.LimitRequest{{Kind: "wager", Period: "day", Token: sol, Amount: minimum}}}))
	if len(set) != 1 || *set[0].Amount != minimum || set[0].EffectiveAt != h.clock.Now().UnixMilli() {
		t.Errorf("limits: %+v", set)
	}
	play().ok(http.StatusOK)
	if got := play().is(http.StatusBadRequest, "LIMIT_EXCEEDED"); got.text_("details", "limit") != "wager.day" {
		t.Errorf("refused: %s", got.text)
	}
	raised := got[[]api.Limit](h)(alice.SetLimits(t.Context(), api.LimitsRequest{Limits: []api.LimitRequest{}}))
	if len(raised) != 2 || raised[1].Amount != nil || !raised[1].Pending || raised[0].Pending || raised[1].EffectiveAt != h.clock.Now().Add(24*time.Hour).UnixMilli() {
		t.Errorf("lifted: %+v", raised)
	}
	if same := got[[]api.Limit](h)(olga.AdminLimits(t.Context(), address("alice"))); len(same) != 2 {
		t.Errorf("an admin sees %+v", same)
	}
	h.clock.Advance(25 * time.Hour)
	h.forget()
	alice, olga = h.as("alice"), h.as("olga")
	play().ok(http.StatusOK) // of another day
	play().is(http.StatusBadRequest, "LIMIT_EXCEEDED")
	if left := got[[]api.Limit](h)(alice.ConfirmLimits(t.Context())); len(left) != 0 {
		t.Errorf("confirmed: %+v", left)
	}
	h.code("INVALID_STATE", refusal(alice.ConfirmLimits(t.Context())))
	play().ok(http.StatusOK)
	lower := got[[]api.Limit](h)(olga.AdminSetLimits(t.Context(), address("alice"), api.AdminLimitsRequest{
		LimitsRequest: api.LimitsRequest{Limits: []api.LimitRequest{{Kind: "loss", Period: "month", Token: sol, Amount: 0}}}, Reason: "the player asked",
	}))
	if len(lower) != 1 || *lower[0].Amount != 0 || lower[0].By != "operator" {
		t.Errorf("set by an admin: %+v", lower)
	}
	// The player can't undo the operator's limit, neither at once nor a day later.
	own := got[[]api.Limit](h)(alice.SetLimits(t.Context(), api.LimitsRequest{Limits: []api.LimitRequest{{Kind: "loss", Period: "month", Token: sol, Amount: 1 << 40}}}))
	if len(own) != 2 || own[0].By != "player" || own[1].By != "operator" || *own[1].Amount != 0 {
		t.Errorf("beside the operator's: %+v", own)
	}
	play().is(http.StatusBadRequest, "LIMIT_EXCEEDED")
	until := h.clock.Now().Add(time.Hour)
	if out := got[api.Exclusion](h)(alice.Exclude(t.Context(), api.ExclusionRequest{Until: until.UnixMilli()})); out.Status != "excluded" || *out.Until != until.UnixMilli() || out.Permanent {
		t.Errorf("excluded: %+v", out)
	}
	if got := play().is(http.StatusForbidden, "PLAYER_EXCLUDED"); got.integer("details", "until") != until.UnixMilli() {
		t.Errorf("refused: %s", got.text)
	}
	h.code("INVALID_STATE", refusal(alice.Exclude(t.Context(), api.ExclusionRequest{Until: until.Add(-time.Minute).UnixMilli()})))
	if out := got[api.Exclusion](h)(olga.AdminExclude(t.Context(), address("alice"), api.AdminExclusionRequest{
		ExclusionRequest: api.ExclusionRequest{Permanent: true}, Reason: "the player asked",
	})); !out.Permanent || out.Until != nil {
		t.Errorf("excluded for ever: %+v", out)
	}
	if frozen := got[api.Exclusion](h)(olga.Freeze(t.Context(), address("alice"), api.FreezeRequest{Frozen: true, Reason: "under review"})); frozen.Status != "frozen" {
		t.Errorf("frozen: %+v", frozen)
	}
	play().is(http.StatusForbidden, "PLAYER_FROZEN")
	id := h.post("alice", "/withdraw", h.withdrawBody("10000")).ok(http.StatusCreated).text_("withdrawal", "id")
	h.post("finn", "/admin/withdraw/approve", object{"id": id}).is(http.StatusForbidden, "PLAYER_FROZEN")
	details := got[api.PlayerDetails](h)(olga.AdminPlayer(t.Context(), address("alice"), api.AdminPlayerParams{}))
	if details.Status != "frozen" {
		t.Errorf("details: %+v", details)
	}
	for _, c := range []struct {
		body  string
		field string
	}{
		{`{}`, "limits"}, {`{"limits":{}}`, "limits"}, {`{"limits":[5]}`, "limits"}, {`{"limits":[{}]}`, "limits.kind"},
		{`{"limits":[{"kind":"wager","period":"day","token":"` + sol + `","amount":1,"used":0}]}`, "limits.used"},
		{`{"limits":[{"kind":"wager","period":"day","token":"` + sol + `","amount":-1}]}`, "limits.amount"},
		{`{"limits":[{"kind":"wager","period":"day","token":"` + sol + `","amount":1.5}]}`, "limits.amount"},
		{`{"limits":[{"kind":"luck","period":"day","token":"` + sol + `","amount":1}]}`, "limits"},
		{`{"limits":[{"kind":"wager","period":"year","token":"` + sol + `","amount":1}]}`, "limits"},
		{`{"limits":[],"reason":"x"}`, "reason"},
	} {
		h.ask(question{method: http.MethodPut, path: "/account/limits", as: "alice", body: c.body}).is(http.StatusBadRequest, "INVALID_PARAMETER").names(c.field)
	}
	for body, field := range map[string]string{
		`{}`: "until", `{"until":1}`: "until", `{"until":"x"}`: "until", `{"permanent":false}`: "permanent", `{"permanent":true,"until":5}`: "until",
	} {
		h.post("alice", "/account/exclusion", body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
	}
	h.post("olga", "/admin/players/"+address("alice")+"/freeze", object{"frozen": true}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
}

// TestAPlayerIsBoundToAnotherAgent binds bob, who has rounds, a balance and an open
// withdrawal, from acme to rival.
func TestAPlayerIsBoundToAnotherAgent(t *testing.T) {
	t.Parallel()
	h := business(t)
	h.post("boss", "/admin/legacy/agents", object{"agentCode": "shut", "agentName": "Shut", "status": "blocked"}).ok(http.StatusCreated)
	path := "/admin/players/" + address("bob") + "/agent"
	body := object{"agentCode": "rival", "reason": "asked for it"}
	put := func(as, path string, body object) reply {
		t.Helper()
		return h.ask(question{method: http.MethodPut, path: path, as: as, body: body})
	}
	put("finn", path, body).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	put("op", path, body).is(http.StatusForbidden, "ADMIN_FORBIDDEN")
	put("boss", path, object{"agentCode": "rival"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("reason")
	put("boss", path, object{"reason": "x"}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("agentCode")
	put("boss", path, object{"agentCode": "nobody", "reason": "x"}).is(http.StatusBadRequest, "INVALID_AGENT").names("agentCode")
	put("boss", path, object{"agentCode": "shut", "reason": "x"}).is(http.StatusForbidden, "BLOCKED_AGENT")
	put("boss", "/admin/players/"+address("nobody")+"/agent", body).is(http.StatusNotFound, "NOT_FOUND")
	put("boss", "/admin/players/alice/agent", body).is(http.StatusNotFound, "NOT_FOUND")

	rounds := func(as string) int64 {
		t.Helper()
		return h.get(as, "/admin/games").ok(http.StatusOK).integer("total")
	}
	before := rounds("op")
	for range 2 { // the second time nothing changes
		if bound := got[api.Player](h)(h.as("boss").RebindPlayer(t.Context(), address("bob"), api.RebindRequest{AgentCode: "rival", Reason: "asked for it"})); bound.AgentCode != "rival" {
			t.Errorf("bound to %+v", bound)
		}
	}
	h.get("op", "/admin/players/"+address("bob")).is(http.StatusNotFound, "NOT_FOUND")
	h.get("rival", "/admin/players/"+address("bob")).ok(http.StatusOK)
	if seen := rounds("op"); seen != before || rounds("rival") != 0 {
		t.Errorf("acme sees %d rounds of %d, rival %d", seen, before, rounds("rival"))
	}
	h.post("bob", "/play", object{"gameType": "dice", "wager": 20_000, "token": sol}).ok(http.StatusOK)
	if seen := rounds("op"); seen != before || rounds("rival") != 1 {
		t.Errorf("after another round acme sees %d rounds of %d, rival %d", seen, before, rounds("rival"))
	}
	log := got[api.AuditPage](h)(h.as("boss").AuditLog(t.Context(), api.AuditLogParams{Action: "player.rebound"}))
	if len(log.Records) != 1 || *log.Records[0].Before != "acme" || *log.Records[0].After != `rival, reason "asked for it"` ||
		*log.Records[0].By != address("boss") || log.Records[0].Target != address("bob") {
		t.Errorf("the audit log says %+v", log.Records)
	}
}
