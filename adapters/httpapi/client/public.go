package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Index returns where things are.
func (c *Client) Index(ctx context.Context) (api.Index, error) {
	return get[api.Index](ctx, c, "/", nil)
}

// Health returns the service's state.
func (c *Client) Health(ctx context.Context) (api.Health, error) {
	return get[api.Health](ctx, c, "/health", nil)
}

// WalletAddress returns the treasury, where deposits are sent.
func (c *Client) WalletAddress(ctx context.Context) (string, error) {
	found, err := get[api.AddressResponse](ctx, c, "/wallet-address", nil)
	return found.Address, err
}

// Whitelabel returns the branding.
func (c *Client) Whitelabel(ctx context.Context) (api.Branding, error) {
	return get[api.Branding](ctx, c, "/public/whitelabel", nil)
}

// RecentBets returns the last 20 bets of all players.
func (c *Client) RecentBets(ctx context.Context) ([]api.RecentBet, error) {
	found, err := get[api.RecentBetsResponse](ctx, c, "/recent-bets", nil)
	return found.Bets, err
}

// Games returns the house's games.
func (c *Client) Games(ctx context.Context) ([]api.Game, error) {
	found, err := get[api.GamesResponse](ctx, c, "/public/games", nil)
	return found.Games, err
}

// ConfigReturn returns the exact figures of a game's config; nil is the default one.
func (c *Client) ConfigReturn(ctx context.Context, gameType string, config any) (api.ConfigReturn, error) {
	return do[api.ConfigReturn](ctx, c, call{
		method: http.MethodPost, path: "/public/games/" + url.PathEscape(gameType) + "/return", body: api.ReturnRequest{Config: config},
	})
}

// ConfigReturnBySteps returns the figures of a round that is played step by step.
func (c *Client) ConfigReturnBySteps(ctx context.Context, gameType string, config any) (api.ConfigReturn, error) {
	return do[api.ConfigReturn](ctx, c, call{
		method: http.MethodPost, path: "/public/games/" + url.PathEscape(gameType) + "/return", body: api.ReturnRequest{Config: config, Steps: true},
	})
}

// Tokens returns the tokens the casino knows.
func (c *Client) Tokens(ctx context.Context) ([]api.TokenTerms, error) {
	found, err := get[api.TokensResponse](ctx, c, "/public/tokens", nil)
	return found.Tokens, err
}

// Verify recomputes a round.
func (c *Client) Verify(ctx context.Context, r api.VerifyRequest) (api.Verified, error) {
	return do[api.Verified](ctx, c, call{method: http.MethodPost, path: "/public/verify", body: r})
}

// Checkpoints returns the heads of the hash chains, and their signed statement.
func (c *Client) Checkpoints(ctx context.Context) (api.CheckpointsResponse, error) {
	return get[api.CheckpointsResponse](ctx, c, "/public/checkpoints", nil)
}

// OpenAPI returns the service's contract as JSON.
func (c *Client) OpenAPI(ctx context.Context) (json.RawMessage, error) {
	return get[json.RawMessage](ctx, c, "/openapi.json", nil)
}
