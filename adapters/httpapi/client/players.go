package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

func ofPlayer(wallet, what string) string { return "/admin/players/" + url.PathEscape(wallet) + what }

// Players lists the players.
func (c *Client) Players(ctx context.Context, f api.PlayerFilter) (api.PlayerPage, error) {
	return get[api.PlayerPage](ctx, c, "/admin/players", f)
}

// PlayerOf returns everything about one player.
func (c *Client) PlayerOf(ctx context.Context, wallet string) (api.PlayerDetails, error) {
	return get[api.PlayerDetails](ctx, c, ofPlayer(wallet, ""), nil)
}

// BalancesOf returns a player's balances, sorted by token.
func (c *Client) BalancesOf(ctx context.Context, wallet string) ([]api.Balance, error) {
	found, err := get[api.PlayerBalancesResponse](ctx, c, "/admin/balances/"+url.PathEscape(wallet), nil)
	return found.Balances, err
}

// Rebind binds a player to another agent, for rounds from now on.
func (c *Client) Rebind(ctx context.Context, wallet, agentCode, reason string) (api.Player, error) {
	body := api.RebindRequest{AgentCode: agentCode, Reason: reason}
	changed, err := do[api.PlayerResponse](ctx, c, call{method: http.MethodPut, path: ofPlayer(wallet, "/agent"), body: body})
	return changed.Player, err
}

// LimitsOf returns a player's limits.
func (c *Client) LimitsOf(ctx context.Context, wallet string) ([]api.Limit, error) {
	found, err := get[api.LimitsResponse](ctx, c, ofPlayer(wallet, "/limits"), nil)
	return found.Limits, err
}

// SetLimitsOf sets all of a player's limits.
func (c *Client) SetLimitsOf(ctx context.Context, wallet, reason string, limits []api.LimitRequest) ([]api.Limit, error) {
	body := api.AdminLimitsRequest{LimitsRequest: allLimits(limits), Reason: reason}
	found, err := do[api.LimitsResponse](ctx, c, call{method: http.MethodPut, path: ofPlayer(wallet, "/limits"), body: body})
	return found.Limits, err
}

// ExcludePlayer excludes a player from play until a moment; the zero time means for
// ever.
func (c *Client) ExcludePlayer(ctx context.Context, wallet, reason string, until time.Time) (api.Exclusion, error) {
	body := api.AdminExclusionRequest{ExclusionRequest: exclusion(until), Reason: reason}
	found, err := do[api.ExclusionResponse](ctx, c, call{method: http.MethodPost, path: ofPlayer(wallet, "/exclusion"), body: body})
	return found.Exclusion, err
}

// Freeze freezes or unfreezes a player's account.
func (c *Client) Freeze(ctx context.Context, wallet, reason string, frozen bool) (api.Exclusion, error) {
	body := api.FreezeRequest{Frozen: frozen, Reason: reason}
	found, err := do[api.ExclusionResponse](ctx, c, call{method: http.MethodPost, path: ofPlayer(wallet, "/freeze"), body: body})
	return found.Exclusion, err
}
