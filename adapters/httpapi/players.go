package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/ports"
)

func (a *API) playerOf(p player.Player) api.Player {
	return api.Player{
		Wallet: string(p.Wallet), AgentCode: p.Agent, Status: p.Protection.Status(a.casino.Clock.Now()), CreatedAt: millis(p.CreatedAt),
	}
}

func (a *API) listPlayers(r *request) (answer, error) {
	return list[ports.PlayerFilter, player.Player, api.Player]{
		filter: func(q *parse.Query) ports.PlayerFilter {
			return ports.PlayerFilter{Wallet: q.Wallet(), Agent: q.Text("agentCode")}
		},
		page: func(ctx context.Context, filter ports.PlayerFilter, page ports.Page) ([]player.Player, ports.PageInfo, error) {
			found, err := a.casino.Admin.AdminPlayers(ctx, r.caller, filter, page)
			return found.Players, found.PageInfo, err
		},
		row:  a.playerOf,
		body: func(rows []api.Player, info api.PageInfo) any { return api.PlayerPage{Players: rows, PageInfo: info} },
	}.serve(a, r)
}

func (a *API) adminPlayer(r *request) (answer, error) {
	found, err := a.casino.Admin.AdminPlayer(r.ctx, r.caller, r.params["wallet"])
	return ok(api.PlayerDetails{
		Player: a.playerOf(found.Player), Exclusion: a.exclusionOf(found.Protection), Limits: limitsOf(found.Protection),
		Balances: each(found.Balances, balanceOf), Owed: each(found.Protection.Owed, owedOf), OpenWithdrawals: each(found.OpenWithdrawals, withdrawalOf),
	}), err
}

func owedOf(d protection.Debt) api.Balance {
	return api.Balance{Token: string(d.Token), Balance: int64(d.Amount)}
}

func (a *API) adminBalances(r *request) (answer, error) {
	balances, err := a.casino.Admin.AdminBalances(r.ctx, r.caller, r.params["user"])
	return ok(api.PlayerBalancesResponse{Wallet: r.params["user"], Balances: each(balances, balanceOf)}), err
}

// rebind binds a player to another agent.
func (a *API) rebind(r *request) (answer, error) {
	f := r.body()
	f.Need("agentCode")
	agent, reason := f.Limited("agentCode", agentCodeMax), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	found, err := a.casino.Admin.Rebind(r.ctx, r.caller, r.params["wallet"], agent, reason)
	return ok(api.PlayerResponse{Player: a.playerOf(found)}), err
}
