package client

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Overview returns the state of the business.
func (c *Client) Overview(ctx context.Context) (api.Overview, error) {
	return get[api.Overview](ctx, c, "/admin/overview", nil)
}

// AdminGames lists the rounds of all players.
func (c *Client) AdminGames(ctx context.Context, f api.AdminRoundFilter) (api.AdminRoundPage, error) {
	return get[api.AdminRoundPage](ctx, c, "/admin/games", f)
}

// GGRDaily returns the last days, oldest first.
func (c *Client) GGRDaily(ctx context.Context, f api.DaysFilter) ([]api.DailyGGR, error) {
	found, err := get[api.DailyGGRResponse](ctx, c, "/admin/metrics/ggr-daily", f)
	return found.Metrics, err
}

// Returns returns actual against theoretical returns of the last days.
func (c *Client) Returns(ctx context.Context, f api.DaysFilter) ([]api.GameReturn, error) {
	found, err := get[api.GameReturnsResponse](ctx, c, "/admin/metrics/rtp", f)
	return found.Games, err
}

// RevenueShare returns the shares of the last days.
func (c *Client) RevenueShare(ctx context.Context, f api.ShareFilter) ([]api.Share, error) {
	found, err := get[api.SharesResponse](ctx, c, "/admin/metrics/revenue-share", f)
	return found.Shares, err
}
