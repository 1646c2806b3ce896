package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

func providerRouteOf(s seamless.Route) api.ProviderRoute {
	return api.ProviderRoute{
		ID: s.ID, TransactionID: s.TransactionID, Leg: s.Leg, Status: s.Status, Wallet: string(s.Wallet), AgentCode: s.Agent,
		SiteEndpoint: s.Site, Provider: s.Provider, GameCode: s.Game, TxnID: s.SiteTxnID, Token: string(s.Token),
		Amount: int64(s.Amount), CreatedAt: millis(s.At), UpdatedAt: millis(s.UpdatedAt),
	}
}

// openRoutes is the status that stands for all of which something is still to be done.
const openRoutes = "open"

func routeStatuses() []string {
	all := []string{openRoutes}
	for _, status := range seamless.RouteStatuses() {
		all = append(all, string(status))
	}
	return all
}

func (a *API) listRoutes(r *request) (answer, error) {
	return list[ports.RouteFilter, seamless.Route, api.ProviderRoute]{
		filter: func(q *parse.Query) ports.RouteFilter {
			filter := ports.RouteFilter{Agent: q.Text("agentCode")}
			if status := q.Choice("status", routeStatuses()...); status == openRoutes {
				filter.Open = true
			} else {
				filter.Status = seamless.RouteStatus(status)
			}
			return filter
		},
		page: func(ctx context.Context, filter ports.RouteFilter, page ports.Page) ([]seamless.Route, ports.PageInfo, error) {
			found, err := a.casino.ForwardedRoutes(ctx, r.caller, filter, page)
			return found.Routes, found.PageInfo, err
		},
		row: providerRouteOf,
		body: func(rows []api.ProviderRoute, info api.PageInfo) any {
			return api.ProviderRoutePage{Routes: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) orderRoute(r *request) (answer, error) {
	f := r.body()
	action := f.Text("action")
	if action != "resend" && action != "close" {
		f.Refuse("action", "must be resend or close")
	}
	order := app.RouteWord{ID: r.params["id"], Resend: action == "resend", Reason: f.Reason()}
	if f.Err != nil {
		return answer{}, f.Err
	}
	ordered, err := a.casino.OrderRoute(r.ctx, r.caller, order)
	return ok(api.ProviderRouteResponse{Route: providerRouteOf(ordered)}), err
}
