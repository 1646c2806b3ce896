package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/ports"
)

func providerGameOf(g catalog.Game) api.ProviderGame {
	return api.ProviderGame{
		GameCode: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: orNull(g.Banner), Enabled: g.Enabled,
		Vanished: g.Vanished, UpdatedAt: millis(g.UpdatedAt),
	}
}

func (a *API) providerGames(r *request) (answer, error) {
	return list[ports.GameFilter, catalog.Game, api.ProviderGame]{
		filter: func(q *parse.Query) ports.GameFilter {
			filter := ports.GameFilter{Provider: q.Text("provider"), Query: q.Text("q")}
			if text := q.Choice("enabled", "true", "false"); text != "" {
				enabled := text == "true"
				filter.Enabled = &enabled
			}
			return filter
		},
		page: func(ctx context.Context, filter ports.GameFilter, page ports.Page) ([]catalog.Game, ports.PageInfo, error) {
			found, err := a.casino.Providers.ProviderGames(ctx, r.caller, filter, page)
			return found.Games, found.PageInfo, err
		},
		row: providerGameOf,
		body: func(rows []api.ProviderGame, info api.PageInfo) any {
			return api.ProviderGamePage{Games: rows, PageInfo: info}
		},
	}.serve(a, r)
}

// launchableGames lists what players can launch: nothing of it is an operator's, so that
// it is for anybody, as the house's own games are.
func (a *API) launchableGames(r *request) (answer, error) {
	var token string
	return list[struct{}, catalog.Game, api.LaunchableGame]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]catalog.Game, ports.PageInfo, error) {
			found, err := a.casino.Providers.LaunchableGames(ctx, page)
			token = string(found.Token)
			return found.Games, found.PageInfo, err
		},
		row: func(g catalog.Game) api.LaunchableGame {
			return api.LaunchableGame{GameCode: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: orNull(g.Banner), Token: token}
		},
		body: func(rows []api.LaunchableGame, info api.PageInfo) any {
			return api.LaunchableGamePage{Games: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) switchGame(r *request) (answer, error) {
	f := r.body()
	enabled, reason := f.Bool("enabled"), ""
	if f.Has("reason") {
		reason = f.Reason()
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	switched, err := a.casino.Providers.SwitchGame(r.ctx, r.caller, r.params["gameCode"], enabled, reason)
	return ok(api.ProviderGameResponse{Game: providerGameOf(switched)}), err
}
