package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// adminRoutes returns the routes of roles, players, balances, branding and reports.
func (a *API) adminRoutes() []route {
	return []route{
		{operation.Whitelabel, anyone, publicWindow, a.whitelabel},
		{operation.AdminMe, admins(rbac.AdminRead), noWindow, a.adminMe},
		{operation.Overview, admins(rbac.AdminRead), noWindow, a.overview},
		{operation.GGRDaily, admins(rbac.AdminRead), noWindow, a.ggrDaily},
		{operation.Returns, admins(rbac.AdminRead), noWindow, a.returns},
		{operation.ListPlayers, admins(rbac.AdminRead), noWindow, a.listPlayers},
		{operation.AdminPlayer, admins(rbac.AdminRead), noWindow, a.adminPlayer},
		{operation.RebindPlayer, admins(rbac.RolesWrite), noWindow, a.rebind},
		{operation.RevenueShare, admins(rbac.AdminRead), noWindow, a.revenueShare},
		{operation.ChangeWhitelabel, admins(rbac.WhitelabelWrite), noWindow, a.changeWhitelabel},
		{operation.AdminBalances, admins(rbac.AdminRead), noWindow, a.adminBalances},
		{operation.AdjustBalance, admins(rbac.BalancesWrite), noWindow, a.adjustBalance},
		{operation.ListRoles, admins(rbac.AdminRead), noWindow, a.listRoles},
		{operation.Role, admins(rbac.AdminRead), noWindow, a.role},
		{operation.GrantRole, admins(rbac.RolesWrite), noWindow, a.grantRole},
		{operation.RevokeRole, admins(rbac.RolesWrite), noWindow, a.revokeRole},
	}
}

func (a *API) playerOf(p player.Player) api.Player {
	return api.Player{
		Wallet: string(p.Wallet), AgentCode: p.Agent, Status: p.Protection.Status(a.casino.Clock.Now()), CreatedAt: unixMillis(p.CreatedAt),
	}
}

func (a *API) listPlayers(r *request) (answer, error) {
	return list[ports.PlayerFilter, player.Player, api.Player, api.PlayerPage]{
		filter: func(q *parse.Query) ports.PlayerFilter {
			return ports.PlayerFilter{Wallet: q.Wallet(), Agent: q.Text("agentCode")}
		},
		page: func(ctx context.Context, filter ports.PlayerFilter, page ports.Page) ([]player.Player, ports.PageInfo, error) {
			found, err := a.casino.Admin.AdminPlayers(ctx, r.caller, filter, page)
			return found.Players, found.PageInfo, err
		},
		row:  a.playerOf,
		name: "players", columns: sheet.Columns[api.Player](),
	}.servePage(a, r)
}

func (a *API) adminPlayer(r *request) (answer, error) {
	at := r.query.Time("at")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	found, err := a.casino.Admin.AdminPlayer(r.ctx, r.caller, r.params["wallet"], at)
	return ok(api.PlayerDetails{
		Player: a.playerOf(found.Player), Exclusion: a.exclusionOf(found.Protection), Limits: limitsOf(found.Protection),
		Balances: mapEach(found.Balances, balanceOf), Owed: mapEach(found.Protection.Owed, owedOf), OpenWithdrawals: mapEach(found.OpenWithdrawals, withdrawalOf),
	}), err
}

func owedOf(d protection.Debt) api.Balance {
	return api.Balance{Token: string(d.Token), Balance: int64(d.Amount)}
}

func (a *API) adminBalances(r *request) (answer, error) {
	balances, err := a.casino.Admin.AdminBalances(r.ctx, r.caller, r.params["user"])
	return ok(api.PlayerBalancesResponse{Wallet: r.params["user"], Balances: mapEach(balances, balanceOf)}), err
}

// rebind binds a player to another agent.
func (a *API) rebind(r *request) (answer, error) {
	f := r.readBody()
	f.Need("agentCode")
	agent, reason := f.Limited("agentCode", agentCodeMax), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	found, err := a.casino.Admin.Rebind(r.ctx, r.caller, r.params["wallet"], agent, reason)
	return ok(api.PlayerResponse{Player: a.playerOf(found)}), err
}

// booking is an admin's booking; a positive amount is a credit.
type booking struct {
	token       string
	amount      int64
	reason      string
	idempotency app.Idempotency
}

func (r *request) readBooking() (booking, error) {
	f := r.readBody()
	b := booking{token: f.Token(), amount: f.AmountFrom("amount", -math.MaxInt64)}
	if b.amount == 0 {
		f.Refuse("amount", "must not be 0")
	}
	b.reason, b.idempotency = f.Reason(), r.idempotencyKey(f)
	return b, f.Err
}

func (a *API) adjustBalance(r *request) (answer, error) {
	b, err := r.readBooking()
	if err != nil {
		return answer{}, err
	}
	adjusted, err := a.casino.Admin.AdjustBalance(r.ctx, r.caller, admin.AdjustmentRequest{
		User: r.params["user"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	return adjustedAnswer(adjusted), nil
}

func adjustedAnswer(adjusted approvals.AdjustResult) answer {
	if adjusted.Approval != nil {
		return awaitsApproval(*adjusted.Approval, adjusted.Replayed)
	}
	done := adjusted.Adjustment
	return answer{status: http.StatusOK, replayed: adjusted.Replayed, body: api.Adjusted{
		Wallet: string(done.Wallet), Token: string(done.Token), Balance: int64(adjusted.Balance),
		Transaction: transactionOf(ports.AdjustmentLine(done)),
	}}
}

func (a *API) adminMe(r *request) (answer, error) {
	me, err := a.casino.Admin.AdminMe(r.ctx, r.caller)
	return ok(api.Identity{
		Wallet: string(me.Wallet), Role: me.Role.Name, Level: me.Role.Level,
		Permissions: slices.Sorted(slices.Values(me.Role.Permissions)), AgentCode: orNull(me.AgentCode),
	}), err
}

func roleOf(i kernel.Identity) api.Role {
	permissions := slices.Sorted(slices.Values(i.Role.Permissions))
	if permissions == nil {
		permissions = []rbac.Permission{}
	}
	return api.Role{
		Identity: api.Identity{
			Wallet: string(i.Wallet), Role: i.Assignment.Role, Level: i.Role.Level, Permissions: permissions, AgentCode: orNull(i.AgentCode),
		},
		GrantedBy: orNull(string(i.GrantedBy)), GrantedAt: unixMillis(i.GrantedAt), Founding: i.Founding,
	}
}

func (a *API) listRoles(r *request) (answer, error) {
	all, err := a.casino.Admin.Roles(r.ctx, r.caller)
	roles := mapEach(all, roleOf)
	return answerRows(a, r, "roles", roles, api.RolesResponse{Roles: roles}, err)
}

func (a *API) role(r *request) (answer, error) {
	found, err := a.casino.Admin.RoleOf(r.ctx, r.caller, r.params["wallet"])
	return ok(roleOf(found)), err
}

// roleNameMax is the maximum length of a role's name, in characters.
const roleNameMax = 64

func (a *API) grantRole(r *request) (answer, error) {
	f := r.readBody()
	f.Need("role")
	role, agent := f.Limited("role", roleNameMax), f.Limited("agentCode", agentCodeMax)
	if f.Err != nil {
		return answer{}, f.Err
	}
	granted, err := a.casino.Admin.GrantRole(r.ctx, r.caller, r.params["wallet"], role, agent)
	return ok(roleOf(granted)), err
}

func (a *API) revokeRole(r *request) (answer, error) {
	return answer{status: http.StatusNoContent}, a.casino.Admin.RevokeRole(r.ctx, r.caller, r.params["wallet"])
}

func (a *API) whitelabel(r *request) (answer, error) {
	branding, err := a.casino.Admin.PublicBranding(r.ctx)
	return ok(api.Branding(branding)), err
}

func (a *API) changeWhitelabel(r *request) (answer, error) {
	f := r.readBody()
	wanted := admin.BrandingChange{
		Title: f.OptionalText("title"), LogoURL: f.OptionalText("logoUrl"), AccentColor: f.OptionalText("accentColor"),
	}
	if f.Empty() {
		f.Refuse("body", "must contain title, logoUrl or accentColor")
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	changed, err := a.casino.Admin.ChangeBranding(r.ctx, r.caller, wanted)
	return ok(api.Branding(changed)), err
}

func (a *API) overview(r *request) (answer, error) {
	at := r.query.Time("at")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	found, err := a.casino.Admin.Overview(r.ctx, r.caller, at)
	if err != nil {
		return answer{}, err
	}
	open := found.Withdrawals
	shown := api.Overview{
		Players: found.Players, Rounds: found.Rounds, Agents: found.Agents, ProviderGames: found.ProviderGames, Tokens: mapEach(found.Tokens, tokenOverviewOf),
		Withdrawals: api.OpenWithdrawals{
			Pending: open[withdrawal.Pending], Approved: open[withdrawal.Approved], Sending: open[withdrawal.Sending], Failed: open[withdrawal.Failed],
		},
	}
	if !found.At.IsZero() {
		shown.At = unixMillis(found.At)
	}
	return ok(shown), nil
}

func tokenOverviewOf(t admin.TokenOverview) api.TokenOverview {
	row := api.TokenOverview{
		Token: string(t.Token), Wagered: totalNumber(t.Wagered), Paid: totalNumber(t.Paid), GGR: totalNumber(t.GGR),
		Liabilities: totalNumber(t.Liabilities), Held: totalNumber(t.Held),
	}
	if t.Treasury != nil {
		held, solvent, difference := int64(t.Treasury.Holding), t.Treasury.Solvent(), totalNumber(t.Treasury.Difference())
		row.Treasury, row.Solvent, row.Difference = &held, &solvent, &difference
	}
	return row
}

// daysDefault is the default length of a report.
const daysDefault = 30

// readDays reads the length of a report in days.
func readDays(q *parse.Query) int { return int(q.Integer("days", daysDefault, admin.ReportDaysMax)) }

func dailyOf(d admin.DailyGGR) api.DailyGGR {
	return api.DailyGGR{
		Date: d.Day, Token: string(d.Token), Rounds: d.Rounds, Wagered: totalNumber(d.Wagered), Paid: totalNumber(d.Paid), GGR: totalNumber(d.GGR()),
	}
}

func (a *API) ggrDaily(r *request) (answer, error) {
	days, mint := readDays(r.query), r.query.Token()
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.GGRDaily(r.ctx, r.caller, days, mint)
	metrics := mapEach(rows, dailyOf)
	return answerRows(a, r, "ggr-daily", metrics, api.DailyGGRResponse{Days: days, Metrics: metrics}, err)
}

func (a *API) returns(r *request) (answer, error) {
	days, mint := readDays(r.query), r.query.Token()
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.Returns(r.ctx, r.caller, days, mint)
	games := mapEach(rows, returnOf)
	return answerRows(a, r, "rtp", games, api.GameReturnsResponse{Days: days, Games: games}, err)
}

func returnOf(g admin.GameReturn) api.GameReturn {
	body := api.GameReturn{
		Provider: g.Source, GameType: g.Game, Token: string(g.Token), Rounds: g.Rounds, Wagered: totalNumber(g.Wagered), Paid: totalNumber(g.Paid),
		RTP: formatMillionths(g.Actual), Status: g.Verdict,
	}
	if g.Known {
		theoretical := formatMillionths(g.Theoretical)
		body.TheoreticalRTP = &theoretical
	}
	if g.Verdict != figure.Unknown {
		margin := formatMillionths(g.Margin)
		body.Margin = &margin
	}
	return body
}

// formatMillionths returns a number of parts per million as a decimal with six places.
func formatMillionths(n int64) string { return fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000) }

func shareOfRevenue(s admin.ShareRow) api.Share {
	return api.Share{
		Date: s.Day, AgentCode: s.Agent, Token: string(s.Token), Rounds: s.Rounds, Wagered: totalNumber(s.Wagered), Paid: totalNumber(s.Paid),
		GGR: totalNumber(s.GGR()), Percent: api.Number(s.Percent.String()), Share: api.Number(s.Share.String()),
	}
}

func (a *API) revenueShare(r *request) (answer, error) {
	days, code := readDays(r.query), r.query.Text("agentCode")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.RevenueShare(r.ctx, r.caller, days, code)
	shares := mapEach(rows, shareOfRevenue)
	return answerRows(a, r, "revenue-share", shares, api.SharesResponse{Days: days, Shares: shares}, err)
}
