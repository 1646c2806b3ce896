package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// roundRoutes returns the routes of settled rounds.
func (a *API) roundRoutes() []route {
	return []route{
		{operation.ListRounds, players, noWindow, a.history},
		{operation.Round, players, noWindow, a.round},
		{operation.AdminGames, admins(rbac.AdminRead), noWindow, a.adminGames},
	}
}

// roundOf converts a round; serverSeed is "" until the pair is retired. A provider's round
// has none of our rules, config, outcome and seeds, a bet on the shared crash no seeds.
func roundOf(r bet.Round, serverSeed string) api.Round {
	body := api.Round{
		ID: r.ID, Provider: r.Source, GameType: r.GameType, Rules: orNull(r.Rules), Token: string(r.Token),
		Wager: int64(r.Wager), Payout: int64(r.Payout), Multiplier: ratioNumber(r.Multiplier),
		Config: valueJSON(r.Config), Outcome: valueJSON(r.Outcome), CreatedAt: unixMillis(r.At),
	}
	if r.Stepped() {
		body.Actions = valueJSON(r.Actions)
	}
	if r.Source == "" {
		body.Provider = figure.Own
	}
	if r.Source == "" && !r.IsShared() {
		source := r.ClientSource.String()
		body.ServerSeedHash, body.ServerSeed = &r.Commitment, orNull(serverSeed)
		body.ClientSeed, body.ClientSeedSource, body.Nonce = &r.ClientSeed, &source, &r.Nonce
	}
	return body
}

func roundWithSeed(r accounts.RoundWithSeed) api.Round { return roundOf(r.Round, r.ServerSeed) }

func adminRoundOf(r accounts.RoundWithSeed) api.AdminRound {
	return api.AdminRound{Round: roundWithSeed(r), Wallet: string(r.Wallet), AgentCode: r.Agent}
}

func (a *API) round(r *request) (answer, error) {
	found, err := a.casino.Accounts.Round(r.ctx, r.caller, r.params["id"])
	if err != nil {
		return answer{}, err
	}
	return ok(api.RoundResponse{Round: settledRoundOf(found)}), nil
}

// settledRoundOf adds the balances. A provider's round has none, because other transactions
// may lie between its own.
func settledRoundOf(r accounts.RoundWithSeed) api.SettledRound {
	body := api.SettledRound{Round: roundWithSeed(r)}
	if r.Source == "" {
		before, after := int64(r.BalanceBefore()), int64(r.Balance)
		body.BalanceBefore, body.BalanceAfter = &before, &after
	}
	return body
}

func (a *API) history(r *request) (answer, error) {
	return list[ports.RoundFilter, accounts.RoundWithSeed, api.Round, api.RoundPage]{
		filter: func(q *parse.Query) ports.RoundFilter {
			return ports.RoundFilter{GameType: q.Text("gameType"), Token: q.Token(), From: q.Time("from"), To: q.Time("to")}
		},
		page: func(ctx context.Context, filter ports.RoundFilter, page ports.Page) ([]accounts.RoundWithSeed, ports.PageInfo, error) {
			found, err := a.casino.Accounts.History(ctx, r.caller, filter, page)
			return found.Rounds, found.PageInfo, err
		},
		row: roundWithSeed,
	}.servePage(a, r)
}

func (a *API) adminGames(r *request) (answer, error) {
	return list[ports.RoundFilter, accounts.RoundWithSeed, api.AdminRound, api.AdminRoundPage]{
		filter: func(q *parse.Query) ports.RoundFilter {
			return ports.RoundFilter{
				Wallet: q.Wallet(), GameType: q.Text("gameType"), Token: q.Token(), Agent: q.Text("agentCode"),
				From: q.Time("from"), To: q.Time("to"),
			}
		},
		page: func(ctx context.Context, filter ports.RoundFilter, page ports.Page) ([]accounts.RoundWithSeed, ports.PageInfo, error) {
			found, err := a.casino.Admin.AdminRounds(ctx, r.caller, filter, page)
			return found.Rounds, found.PageInfo, err
		},
		row:  adminRoundOf,
		name: "games", columns: roundColumns,
	}.servePage(a, r)
}

var roundColumns = sheet.Columns[api.AdminRound](
	"id", "createdAt", "wallet", "agentCode", "gameType", "rules", "token", "wager", "payout", "multiplier",
	"config", "outcome", "serverSeedHash", "serverSeed", "clientSeed", "clientSeedSource", "nonce", "provider",
)
