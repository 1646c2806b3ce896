package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/rbac"
)

// rolesOfTheContract lists the permissions of each role.
const rolesOfTheContract = `
superadmin admin:read admin:write audit:read balances:write roles:write withdraw:approve withdraw:reject whitelabel:write
admin      admin:read admin:write audit:read balances:write withdraw:approve withdraw:reject whitelabel:write
finance    admin:read audit:read balances:write withdraw:approve withdraw:reject
ops        admin:read admin:write
support    admin:read withdraw:reject
readonly   admin:read
operator   admin:read
`

// endpoints has one line for each endpoint: who may call it, a request that changes nothing
// (with its path's variables filled in, and its body after a "|"), and the response to
// allowed callers. {bob} and {carol} are players of the agents acme and rival. A response
// after a "/" is that to rival's operator role, if it differs.
const endpoints = `
anyone  GET /                                    | 200
anyone  GET /health                              | 200
anyone  GET /wallet-address                      | 200
anyone  GET /recent-bets                         | 200
anyone  GET /public/whitelabel                   | 200
anyone  GET /public/games                        | 200
anyone  POST /public/games/{gameType}=none/return {} | 400 INVALID_GAME
anyone  GET /public/provider-games               | 200
anyone  GET /public/tokens                       | 200
anyone  GET /public/limits                       | 200
anyone  GET /public/checkpoints                  | 200
anyone  GET /public/solvency                     | 200
anyone  GET /public/keys                         | 200
anyone  GET /public/log/{epoch}=1/checkpoint | 404 NOT_FOUND
anyone  GET /public/log/{epoch}=1/tile/{level}=0/{index}=000 | 404 NOT_FOUND
anyone  GET /public/feed                         | 200
anyone  GET /crash                               | 404 NOT_FOUND
anyone  GET /crash/stream                        | 404 NOT_FOUND
anyone  GET /crash/rounds                        | 200
anyone  GET /crash/rounds/{number}=1             | 404 NOT_FOUND
anyone  POST /public/verify                      {} | 400 INVALID_PARAMETER
anyone  GET /openapi.json                        | 200
anyone  GET /docs                                | 200
anyone  GET /docs/{asset}=nothing                | 404 NOT_FOUND
anyone  POST /auth/login                         {} | 400 INVALID_PARAMETER
anyone  POST /gold_api                           {} | 404 NOT_FOUND
anyone  POST /gold_api/{method}=user_balance     {} | 404 NOT_FOUND
anyone  POST /hub88/{subject}=user/{call}=info   {} | 404 NOT_FOUND
anyone  GET /dev/wallets                         | 200
anyone  POST /dev/wallets/{name}=nobody/sign     {"message":"x"} | 404 NOT_FOUND
anyone  POST /dev/wallets/{name}=nobody/send     {"transaction":"AAAA"} | 404 NOT_FOUND

player  POST /auth/logout                        {"x":1} | 400 INVALID_PARAMETER
player  GET /balance                             | 200
player  POST /deposit                            {} | 400 INVALID_PARAMETER
player  POST /deposit/transaction                {} | 400 INVALID_PARAMETER
player  POST /withdraw                           {} | 400 INVALID_PARAMETER
player  POST /withdraw/{id}=none/cancel          | 404 NOT_FOUND
player  GET /account/session                     | 200
player  GET /account/solvency                    | 404 NOT_FOUND
player  GET /account/limits                      | 200
player  PUT /account/limits                      {} | 400 INVALID_PARAMETER
player  POST /account/limits/confirm             | 409 INVALID_STATE
player  POST /account/exclusion                  {} | 400 INVALID_PARAMETER
player  POST /account/cool-off                   {} | 400 INVALID_PARAMETER
player  GET /account/chain-balance               | 400 INVALID_PARAMETER
player  GET /account/transactions                | 200
player  POST /play                               {} | 400 INVALID_PARAMETER
player  POST /rounds                             {} | 400 INVALID_PARAMETER
player  GET /rounds                              | 200
player  POST /rounds/{id}=none/steps             {} | 400 INVALID_PARAMETER
player  POST /crash/bets                         {} | 400 INVALID_PARAMETER
player  POST /crash/cashout                      {"bet":"none"} | 404 NOT_FOUND
player  GET /crash/bet                           | 200
player  POST /legacy/launch                      {} | 400 INVALID_PARAMETER
player  GET /events                              | 200
player  GET /history                             | 200
player  GET /history/{id}=none                   | 404 NOT_FOUND
player  GET /history/{id}=none/proof             | 404 NOT_FOUND
player  GET /seed                                | 200
player  POST /seed/rotate                        {"x":1} | 400 INVALID_PARAMETER
player  GET /seed/history                        | 200

admin:read       GET /admin/me                                       | 200
admin:read       GET /admin/overview                                 | 200
admin:read       GET /admin/metrics/ggr-daily                        | 200
admin:read       GET /admin/metrics/rtp                              | 200
admin:read       GET /admin/metrics/revenue-share                    | 200
admin:read       GET /admin/games                                    | 200
admin:read       GET /admin/transactions                             | 200
admin:read       GET /admin/players                                  | 200
admin:read       GET /admin/players/{wallet}={bob}                   | 200 / 404 NOT_FOUND
admin:read       GET /admin/players/{wallet}={bob}/limits            | 200 / 404 NOT_FOUND
admin:write      PUT /admin/players/{wallet}={bob}/limits            {} | 400 INVALID_PARAMETER
admin:write      POST /admin/players/{wallet}={bob}/exclusion        {} | 400 INVALID_PARAMETER
admin:write      POST /admin/players/{wallet}={bob}/freeze           {} | 400 INVALID_PARAMETER
roles:write      PUT /admin/players/{wallet}={bob}/agent             {} | 400 INVALID_PARAMETER
admin:read       GET /admin/balances/{user}={bob}                    | 200 / 404 NOT_FOUND
balances:write   PATCH /admin/balances/{user}={bob}                  {} | 400 INVALID_PARAMETER
admin:read       GET /admin/withdrawals/{id}=none                    | 404 NOT_FOUND
withdraw:approve POST /admin/withdraw/approve                        {"id":"none"} | 404 NOT_FOUND
withdraw:reject  POST /admin/withdraw/reject                         {"id":"none","reason":"x"} | 404 NOT_FOUND
admin:read       GET /admin/unclaimed                                | 200
balances:write   POST /admin/unclaimed/assign                        {} | 400 INVALID_PARAMETER
balances:write   POST /admin/transactions/{id}=none/correct          {} | 400 INVALID_PARAMETER
balances:write   POST /admin/capital/correct                         {} | 400 INVALID_PARAMETER
balances:write   POST /admin/deposits/resolve                        {} | 400 INVALID_PARAMETER
admin:read       GET /admin/play                                     | 200
admin:write      POST /admin/play/pause                              {"x":1} | 400 INVALID_PARAMETER
admin:write      POST /admin/play/resume                             {"x":1} | 400 INVALID_PARAMETER
admin:write      POST /admin/rounds/{id}=none/end                    {"reason":"x"} | 404 NOT_FOUND
admin:read       GET /admin/payouts                                  | 200
withdraw:reject  POST /admin/payouts/pause                           {"x":1} | 400 INVALID_PARAMETER
balances:write   POST /admin/admission/overrule                      {"key":"none","reason":"x"} | 404 NOT_FOUND
withdraw:approve POST /admin/payouts/resume                          {"x":1} | 400 INVALID_PARAMETER
admin:read       GET /admin/approvals                                | 200
admin:read       POST /admin/approvals/{id}=none                     {"approve":true} | 404 NOT_FOUND
admin:read       GET /admin/roles                                    | 200
admin:read       GET /admin/roles/{wallet}={acme}                    | 200 / 404 NOT_FOUND
roles:write      PUT /admin/roles/{wallet}={bob}                     {} | 400 INVALID_PARAMETER
roles:write      DELETE /admin/roles/{wallet}={bob}                  | 404 NOT_FOUND
admin:read       GET /admin/legacy/agents                            | 200
admin:write      POST /admin/legacy/agents                           {} | 400 INVALID_PARAMETER
admin:write      PATCH /admin/legacy/agents/{id}=none                {"memo":"x"} | 404 NOT_FOUND
admin:write      DELETE /admin/legacy/agents/{id}=none               | 404 NOT_FOUND
roles:write      POST /admin/legacy/agents/{id}=none/credentials     | 404 NOT_FOUND
balances:write   POST /admin/legacy/agents/{id}=none/funds           {} | 400 INVALID_PARAMETER
roles:write      PUT /admin/legacy/agents/{id}=none/credit-limit     {} | 400 INVALID_PARAMETER
roles:write      GET /admin/legacy/agents/{id}=house/webhooks        | 200
roles:write      POST /admin/legacy/agents/{id}=house/webhooks       {} | 400 INVALID_PARAMETER
roles:write      GET /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none | 404 NOT_FOUND
roles:write      PATCH /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none {"state":"active"} | 404 NOT_FOUND
roles:write      DELETE /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none | 404 NOT_FOUND
roles:write      POST /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none/secret | 404 NOT_FOUND
roles:write      GET /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none/dead-letters | 404 NOT_FOUND
roles:write      POST /admin/legacy/agents/{id}=house/webhooks/{webhookId}=none/dead-letters/{deadLetterId}=none/send | 404 NOT_FOUND
admin:read       GET /admin/provider-games                           | 200
admin:write      PATCH /admin/provider-games/{gameCode}=none         {"enabled":true} | 404 NOT_FOUND
admin:read       GET /admin/provider-reviews                         | 200
balances:write   POST /admin/provider-reviews/{id}=none              {"pay":true,"reason":"x"} | 404 NOT_FOUND
admin:read       GET /admin/provider-routes                          | 200
roles:write      POST /admin/provider-routes/{id}=none               {"action":"close","reason":"x"} | 404 NOT_FOUND
whitelabel:write PATCH /admin/whitelabel                             {} | 400 INVALID_PARAMETER
admin:read       GET /admin/events                                   | 200
audit:read       GET /admin/audit                                    | 200
admin:read       GET /admin/reports                                  | 200
admin:read       POST /admin/reports/{kind}=revenue {}               | 400 INVALID_PARAMETER
admin:read       GET /admin/alarms                                   | 200
admin:write      POST /admin/alarms/{id}=none/acknowledge            {"note":"x"} | 404 NOT_FOUND
`

// endpoint is a line of the table.
type endpoint struct {
	name, access    string // "GET /admin/players/{wallet}" and who may
	method, path    string
	body            string
	want, elsewhere string // "200", "404 NOT_FOUND"
}

func table(t *testing.T) map[string]endpoint {
	t.Helper()
	all := map[string]endpoint{}
	for line := range strings.Lines(endpoints) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		said, want, _ := strings.Cut(line, " | ")
		words := strings.Fields(said)
		e := endpoint{access: words[0], method: words[1], body: strings.Join(words[3:], " ")}
		e.want, e.elsewhere, _ = strings.Cut(strings.TrimSpace(want), " / ")
		var named, filled []string
		for _, segment := range strings.Split(words[2], "/") {
			variable, value, given := strings.Cut(segment, "=")
			named = append(named, variable)
			if !given {
				value = segment
			}
			for _, who := range []string{"bob", "carol", "acme"} {
				value = strings.ReplaceAll(value, "{"+who+"}", address(who))
			}
			filled = append(filled, value)
		}
		e.name, e.path = e.method+" "+strings.Join(named, "/"), strings.Join(filled, "/")
		if _, twice := all[e.name]; twice {
			t.Errorf("%s is there twice", e.name)
		}
		all[e.name] = e
	}
	return all
}

// contractRoles returns the permissions of each role of the contract.
func contractRoles() (names []string, permissions map[string][]string) {
	permissions = map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(rolesOfTheContract)) {
		words := strings.Fields(line)
		names = append(names, words[0])
		permissions[words[0]] = words[1:]
	}
	return names, permissions
}

// matrixHouse has one wallet for every column of the matrix.
func matrixHouse(t *testing.T) *house {
	many := limit.Rule{Max: 1 << 30, Window: time.Minute}
	h := openHouse(t, setup{config: func(c *httpapi.Config) { c.Limits = httpapi.Limits{Login: many, Public: many, Verify: many} }})
	h.token("expired")
	h.clock.Advance(31 * time.Minute)
	h.role("superadmin", rbac.Superadmin, "")
	for _, code := range []string{"acme", "rival"} {
		h.post("superadmin", "/admin/legacy/agents", object{"agentCode": code, "agentName": code}).ok(http.StatusCreated)
	}
	names, _ := contractRoles()
	for _, role := range names[1:] {
		agent := ""
		if role == "operator" {
			agent = "acme"
		}
		h.role(role, role, agent)
	}
	h.role("acme", "operator", "acme")
	h.role("rival", "operator", "rival")
	h.role("demoted", "admin", "")
	h.signUp("bob", "acme")
	h.signUp("carol", "rival")
	h.get("demoted", "/admin/me").ok(http.StatusOK)
	h.clock.Advance(time.Second)
	operator := h.as("superadmin")
	h.must(operator.RevokeRole(t.Context(), address("demoted")))
	h.post("logged out", "/auth/logout", nil).ok(http.StatusNoContent)
	return h
}

// TestTheMatrix sends every request as every caller: without a session, as a player, with
// each role, as the operator of another agent, and after a session or role has ended.
func TestTheMatrix(t *testing.T) {
	t.Parallel()
	rows := table(t)
	names, permissions := contractRoles()
	h := matrixHouse(t)
	columns := append([]string{"", "player", "expired", "logged out", "demoted", "rival"}, names...)
	asked := 0
	for _, line := range httpapi.Routes() {
		name := line.Method + " " + line.Path
		row, known := rows[name]
		if !known {
			t.Errorf("%s has no line in the table", name)
			continue
		}
		delete(rows, name)
		if access := accessOf(line); access != row.access {
			t.Errorf("%s is for %s, the contract says %s", name, access, row.access)
		}
		for _, column := range columns {
			held := permissions[column]
			if column == "rival" {
				held = permissions["operator"]
			}
			want := row.wanted(column, held)
			got := h.cell(row, column)
			asked++
			if outcome := strings.TrimSpace(fmt.Sprint(got.status, " ", got.code())); outcome != want {
				t.Errorf("%s as %q: %s, want %s: %s", name, column, outcome, want, got.text)
			}
			if got.status == http.StatusForbidden && got.at("details", "permission") != row.access {
				t.Errorf("%s as %q names the permission %v", name, column, got.at("details", "permission"))
			}
		}
	}
	for name := range rows {
		t.Errorf("%s has a line in the table and no route", name)
	}
	if want := len(httpapi.Routes()) * len(columns); asked != want {
		t.Errorf("%d cells of %d were asked", asked, want)
	}
}

func accessOf(line httpapi.Line) string {
	switch {
	case line.Permission != "":
		return line.Permission
	case line.SignedIn:
		return "player"
	}
	return "anyone"
}

// wanted returns the table's response for a column.
func (e endpoint) wanted(column string, held []string) string {
	switch {
	case e.access == "anyone":
		return e.want
	case column == "":
		return "401 MISSING_AUTH"
	case column == "expired":
		return "401 EXPIRED_TOKEN"
	case column == "logged out":
		return "401 INVALID_TOKEN"
	case e.access != "player" && !slices.Contains(held, e.access):
		return "403 ADMIN_FORBIDDEN"
	case column == "rival" && e.elsewhere != "":
		return e.elsewhere
	}
	return e.want
}

// cell sends one request as a column's caller.
func (h *house) cell(e endpoint, as string) reply {
	h.Helper()
	q := question{method: e.method, path: e.path, as: as}
	if e.body != "" {
		q.body = e.body
	}
	return h.ask(q)
}

// TestThePolicyIsTheContracts compares the default policy with the table.
func TestThePolicyIsTheContracts(t *testing.T) {
	t.Parallel()
	names, permissions := contractRoles()
	policy := rbac.DefaultPolicy()
	if len(policy.Roles()) != len(names) {
		t.Errorf("%d roles, the contract has %d", len(policy.Roles()), len(names))
	}
	for _, role := range policy.Roles() {
		for _, p := range rbac.Permissions() {
			if role.Allows(p) != slices.Contains(permissions[role.Name], string(p)) {
				t.Errorf("%s and %s", role.Name, p)
			}
		}
	}
}
