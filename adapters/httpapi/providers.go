package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// providerRoutes returns the routes of providers' games, reviews and deliveries.
func (a *API) providerRoutes() []route {
	return []route{
		{operation.LaunchableGames, anyone, publicWindow, a.launchableGames},
		{operation.ProviderCallback, anyone, noWindow, a.providerCallback},
		{operation.GoldCallback, anyone, noWindow, a.providerCallback},
		{operation.Hub88Callback, anyone, noWindow, a.hub88Callback},
		{operation.ProviderGames, admins(rbac.AdminRead), noWindow, a.providerGames},
		{operation.SwitchGame, admins(rbac.AdminWrite), noWindow, a.switchGame},
		{operation.ProviderReviews, admins(rbac.AdminRead), noWindow, a.listReviews},
		{operation.DecideProviderReview, admins(rbac.BalancesWrite), noWindow, a.decideReview},
	}
}

func providerGameOf(g catalog.Game) api.ProviderGame {
	return api.ProviderGame{
		GameCode: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: orNull(g.Banner), Enabled: g.Enabled,
		Vanished: g.Vanished, UpdatedAt: unixMillis(g.UpdatedAt),
	}
}

func (a *API) providerGames(r *request) (answer, error) {
	return list[ports.GameFilter, catalog.Game, api.ProviderGame, api.ProviderGamePage]{
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
		row:  providerGameOf,
		name: "provider-games", columns: sheet.Columns[api.ProviderGame](),
	}.servePage(a, r)
}

// launchableGames lists the games that players can launch. It contains no operator's data,
// so it is public, like the house's own games.
func (a *API) launchableGames(r *request) (answer, error) {
	var token string
	return list[struct{}, catalog.Game, api.LaunchableGame, api.LaunchableGamePage]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]catalog.Game, ports.PageInfo, error) {
			found, err := a.casino.Providers.LaunchableGames(ctx, page)
			token = string(found.Token)
			return found.Games, found.PageInfo, err
		},
		row: func(g catalog.Game) api.LaunchableGame {
			return api.LaunchableGame{GameCode: g.Code, Provider: g.Provider, Name: g.Name, Type: g.Type, Banner: orNull(g.Banner), Token: token}
		},
	}.servePage(a, r)
}

func (a *API) switchGame(r *request) (answer, error) {
	f := r.readBody()
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

// The paths of the protocols of providers.
const (
	goldPath  = "/gold_api"
	hub88Path = "/hub88"
)

func (a *API) providerCallback(r *request) (answer, error) { return a.passCallback(r, goldPath) }
func (a *API) hub88Callback(r *request) (answer, error)    { return a.passCallback(r, hub88Path) }

// passCallback passes on a callback of the connection's protocol if its address is allowed.
func (a *API) passCallback(r *request, path string) (answer, error) {
	if a.callbacks.Handler == nil || path != cmp.Or(a.callbacks.Path, goldPath) {
		return answer{}, fault.New(fault.NotFound, "no game provider is connected")
	}
	client := observationOf(r.ctx).client
	if len(a.callbacks.Networks) > 0 && !proxies(a.callbacks.Networks).isTrusted(client.Addr) {
		a.callbacks.Foreign(r.ctx)
		if err := a.takeLimit(r, publicWindow, ofAddress, client.limitKey()); err != nil {
			return answer{}, err
		}
		return answer{}, fault.New(fault.Forbidden, "callbacks from this address are not allowed")
	}
	return answer{page: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := r.Clone(r.Context())
		seen.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
		a.callbacks.Handler.ServeHTTP(w, seen)
	})}, nil
}

func reviewOf(t seamless.Transaction) api.ProviderReview {
	return api.ProviderReview{
		ID: t.ID, Wallet: string(t.Wallet), AgentCode: t.Agent, Provider: t.Provider, GameCode: t.Game, TxnID: t.TxnID,
		Token: string(t.Token), Amount: int64(t.Win), Reason: t.Reason, CreatedAt: unixMillis(t.At),
	}
}

func (a *API) listReviews(r *request) (answer, error) {
	return list[struct{}, seamless.Transaction, api.ProviderReview, api.ProviderReviewPage]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]seamless.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Providers.ProviderReviews(ctx, r.caller, page)
			return found.Transactions, found.PageInfo, err
		},
		row:  reviewOf,
		name: "provider-reviews", columns: sheet.Columns[api.ProviderReview](),
	}.servePage(a, r)
}

func (a *API) decideReview(r *request) (answer, error) {
	f := r.readBody()
	decision := providers.ReviewDecision{ID: r.params["id"], Pay: f.Bool("pay"), Reason: f.Reason()}
	if f.Err != nil {
		return answer{}, f.Err
	}
	decided, err := a.casino.Providers.DecideProviderReview(r.ctx, r.caller, decision)
	if decided.Approval != nil {
		return awaitsApproval(*decided.Approval, false), err
	}
	return ok(api.DecidedReview{Review: reviewOf(decided.Transaction), Paid: decision.Pay, Balance: int64(decided.Balance)}), err
}

// siteRoutes returns the routes of deliveries to agents' sites.
func (a *API) siteRoutes() []route {
	return []route{
		{operation.ProviderRoutes, admins(rbac.AdminRead), noWindow, a.listDeliveries},
		{operation.DecideProviderRoute, admins(rbac.RolesWrite), noWindow, a.decideDelivery},
	}
}

func providerRouteOf(s seamless.Delivery) api.Delivery {
	return api.Delivery{
		ID: s.ID, TransactionID: s.TransactionID, Leg: s.Leg, Status: s.Status, Wallet: string(s.Wallet), AgentCode: s.Agent,
		SiteEndpoint: s.Site, Provider: s.Provider, GameCode: s.Game, TxnID: s.SiteTxnID, Token: string(s.Token),
		Amount: int64(s.Amount), CreatedAt: unixMillis(s.At), UpdatedAt: unixMillis(s.UpdatedAt),
	}
}

// openDeliveries is the status that selects all unsettled deliveries.
const openDeliveries = "open"

func deliveryStatuses() []string {
	all := []string{openDeliveries}
	for _, status := range seamless.DeliveryStatuses() {
		all = append(all, string(status))
	}
	return all
}

func (a *API) listDeliveries(r *request) (answer, error) {
	return list[ports.DeliveryFilter, seamless.Delivery, api.Delivery, api.DeliveryPage]{
		filter: func(q *parse.Query) ports.DeliveryFilter {
			filter := ports.DeliveryFilter{Agent: q.Text("agentCode")}
			if status := q.Choice("status", deliveryStatuses()...); status == openDeliveries {
				filter.Open = true
			} else {
				filter.Status = seamless.DeliveryStatus(status)
			}
			return filter
		},
		page: func(ctx context.Context, filter ports.DeliveryFilter, page ports.Page) ([]seamless.Delivery, ports.PageInfo, error) {
			found, err := a.casino.Sites.Deliveries(ctx, r.caller, filter, page)
			return found.Deliveries, found.PageInfo, err
		},
		row:  providerRouteOf,
		name: "provider-routes", columns: sheet.Columns[api.Delivery](),
	}.servePage(a, r)
}

func (a *API) decideDelivery(r *request) (answer, error) {
	f := r.readBody()
	action := f.Text("action")
	if action != "resend" && action != "close" {
		f.Refuse("action", "must be resend or close")
	}
	order := sites.DeliveryDecision{ID: r.params["id"], Resend: action == "resend", Reason: f.Reason()}
	if f.Err != nil {
		return answer{}, f.Err
	}
	ordered, err := a.casino.Sites.DecideDelivery(r.ctx, r.caller, order)
	return ok(api.DeliveryResponse{Route: providerRouteOf(ordered)}), err
}
