package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// ProviderGames lists the games on offer.
func (c *Client) ProviderGames(ctx context.Context, f api.ProviderGameFilter) (api.ProviderGamePage, error) {
	return get[api.ProviderGamePage](ctx, c, "/admin/provider-games", f)
}

// LaunchableGames lists the games of providers that players can launch.
func (c *Client) LaunchableGames(ctx context.Context, p api.PageRequest) (api.LaunchableGamePage, error) {
	return get[api.LaunchableGamePage](ctx, c, "/public/provider-games", p)
}

// SwitchGame switches a game on or off, for a reason that may be empty.
func (c *Client) SwitchGame(ctx context.Context, code string, enabled bool, reason string) (api.ProviderGame, error) {
	switched, err := do[api.ProviderGameResponse](ctx, c, call{
		method: http.MethodPatch, path: "/admin/provider-games/" + url.PathEscape(code), body: api.SwitchGameRequest{Enabled: enabled, Reason: reason},
	})
	return switched.Game, err
}

// ProviderReviews lists the wins that wait for an admin's decision.
func (c *Client) ProviderReviews(ctx context.Context, f api.ProviderReviewFilter) (api.ProviderReviewPage, error) {
	return get[api.ProviderReviewPage](ctx, c, "/admin/provider-reviews", f)
}

// DecideProviderReview pays a win, requests the approval of a large one, or refuses it.
func (c *Client) DecideProviderReview(ctx context.Context, id string, r api.ProviderReviewRequest) (api.DecidedReview, error) {
	return do[api.DecidedReview](ctx, c, call{method: http.MethodPost, path: "/admin/provider-reviews/" + url.PathEscape(id), body: r})
}

// Deliveries lists the deliveries to agents' sites.
func (c *Client) Deliveries(ctx context.Context, f api.DeliveryFilter) (api.DeliveryPage, error) {
	return get[api.DeliveryPage](ctx, c, "/admin/provider-routes", f)
}

// DecideDelivery sends a delivery again, or closes it.
func (c *Client) DecideDelivery(ctx context.Context, id string, r api.DeliveryDecisionRequest) (api.Delivery, error) {
	ordered, err := do[api.DeliveryResponse](ctx, c, call{
		method: http.MethodPost, path: "/admin/provider-routes/" + url.PathEscape(id), body: r,
	})
	return ordered.Delivery, err
}
