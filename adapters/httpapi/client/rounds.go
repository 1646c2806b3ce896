package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// EndRound ends a player's open round by its rules, and returns it.
func (c *Client) EndRound(ctx context.Context, id, reason string) (api.AdminRound, error) {
	ended, err := do[api.EndRoundResponse](ctx, c, call{
		method: http.MethodPost, path: "/admin/rounds/" + url.PathEscape(id) + "/end", body: api.EndRoundRequest{Reason: reason},
	})
	return ended.Round, err
}
