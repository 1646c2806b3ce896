package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

func providerRouteOf(s seamless.Delivery) api.Delivery {
	return api.Delivery{
		ID: s.ID, TransactionID: s.TransactionID, Leg: s.Leg, Status: s.Status, Wallet: string(s.Wallet), AgentCode: s.Agent,
		SiteEndpoint: s.Site, Provider: s.Provider, GameCode: s.Game, TxnID: s.SiteTxnID, Token: string(s.Token),
		Amount: int64(s.Amount), CreatedAt: millis(s.At), UpdatedAt: millis(s.UpdatedAt),
	}
}

// openDeliveries is the status that stands for all that are not settled.
const openDeliveries = "open"

func deliveryStatuses() []string {
	all := []string{openDeliveries}
	for _, status := range seamless.DeliveryStatuses() {
		all = append(all, string(status))
	}
	return all
}

func (a *API) listDeliveries(r *request) (answer, error) {
	return list[ports.DeliveryFilter, seamless.Delivery, api.Delivery]{
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
		row: providerRouteOf,
		body: func(rows []api.Delivery, info api.PageInfo) any {
			return api.DeliveryPage{Routes: rows, PageInfo: info}
		},
	}.serve(a, r)
}

func (a *API) decideDelivery(r *request) (answer, error) {
	f := r.body()
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
