package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Agent is an operator. RTP and Percent are decimals with two places.
type Agent struct {
	ID           string      `json:"id"`
	AgentCode    string      `json:"agentCode"`
	AgentName    string      `json:"agentName"`
	Status       string      `json:"status"`
	RTP          json.Number `json:"rtp"`
	Percent      json.Number `json:"percent"`
	SiteEndpoint *string     `json:"siteEndpoint"`
	IPAllowlist  []string    `json:"ipAllowlist"`
	Memo         *string     `json:"memo"`
	Funds        []Funds     `json:"funds"`
	CreatedAt    int64       `json:"createdAt"` // Unix milliseconds
	UpdatedAt    int64       `json:"updatedAt"`
}

// AgentWish is what an agent is to be; nil fields stay, or take their default at
// the making, which needs AgentCode and AgentName.
type AgentWish struct {
	AgentCode    string       `json:"agentCode,omitempty"` // at the making alone
	AgentName    *string      `json:"agentName,omitempty"`
	Status       *string      `json:"status,omitempty"`
	RTP          *json.Number `json:"rtp,omitempty"`
	Percent      *json.Number `json:"percent,omitempty"`
	SiteEndpoint *string      `json:"siteEndpoint,omitempty"`
	IPAllowlist  []string     `json:"ipAllowlist,omitempty"`
	Memo         *string      `json:"memo,omitempty"`
}

// AgentCredentials is an agent with what it proves itself with, shown once.
type AgentCredentials struct {
	Agent  Agent  `json:"agent"`
	Token  string `json:"token"`
	Secret string `json:"secret"`
}

// Agents lists the agents.
func (c *Client) Agents(ctx context.Context) ([]Agent, error) {
	answer, err := do[struct {
		Agents []Agent `json:"agents"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/legacy/agents"})
	return answer.Agents, err
}

// CreateAgent makes an agent.
func (c *Client) CreateAgent(ctx context.Context, wish AgentWish) (AgentCredentials, error) {
	return do[AgentCredentials](ctx, c, call{method: http.MethodPost, path: "/admin/legacy/agents", body: wish})
}

// ChangeAgent changes an agent.
func (c *Client) ChangeAgent(ctx context.Context, id string, wish AgentWish) (Agent, error) {
	answer, err := do[struct {
		Agent Agent `json:"agent"`
	}](ctx, c, call{method: http.MethodPatch, path: "/admin/legacy/agents/" + url.PathEscape(id), body: wish})
	return answer.Agent, err
}

// DeleteAgent closes an agent for ever.
func (c *Client) DeleteAgent(ctx context.Context, id string) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodDelete, path: "/admin/legacy/agents/" + url.PathEscape(id)})
	return err
}

// RotateCredentials replaces an agent's credentials.
func (c *Client) RotateCredentials(ctx context.Context, id string) (AgentCredentials, error) {
	return do[AgentCredentials](ctx, c, call{method: http.MethodPost, path: "/admin/legacy/agents/" + url.PathEscape(id) + "/credentials"})
}

// Share is an agent's part of a day's revenue in a token.
type Share struct {
	Date      string      `json:"date"`
	AgentCode string      `json:"agentCode"`
	Token     string      `json:"token"`
	Rounds    int64       `json:"rounds"`
	Wagered   json.Number `json:"wagered"`
	Paid      json.Number `json:"paid"`
	GGR       json.Number `json:"ggr"`
	Percent   json.Number `json:"percent"`
	Share     json.Number `json:"share"`
}

// RevenueShare returns the shares of the last days; of one agent or all.
func (c *Client) RevenueShare(ctx context.Context, days int, agentCode string) ([]Share, error) {
	query := daysQuery(days, "")
	put(query, "agentCode", agentCode)
	answer, err := do[struct {
		Shares []Share `json:"shares"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/metrics/revenue-share", query: query})
	return answer.Shares, err
}

// ProviderGame is a game on offer.
type ProviderGame struct {
	GameCode  string  `json:"gameCode"`
	Provider  string  `json:"provider"`
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Banner    *string `json:"banner"`
	Enabled   bool    `json:"enabled"`
	Vanished  bool    `json:"vanished"`  // the provider doesn't offer it at the moment
	UpdatedAt int64   `json:"updatedAt"` // Unix milliseconds
}

// ProviderGames is a page of games on offer.
type ProviderGames struct {
	Games []ProviderGame `json:"games"`
	PageInfo
}

// GameFilter narrows a list of games; zero fields don't. Enabled is "true",
// "false" or empty.
type GameFilter struct {
	List
	Provider, Enabled, Query string
}

// ProviderGames lists the games on offer.
func (c *Client) ProviderGames(ctx context.Context, f GameFilter) (ProviderGames, error) {
	query := f.query()
	put(query, "provider", f.Provider)
	put(query, "enabled", f.Enabled)
	put(query, "q", f.Query)
	return do[ProviderGames](ctx, c, call{method: http.MethodGet, path: "/admin/provider-games", query: query})
}

// SwitchGame switches a game on or off.
func (c *Client) SwitchGame(ctx context.Context, code string, enabled bool) (ProviderGame, error) {
	answer, err := do[struct {
		Game ProviderGame `json:"game"`
	}](ctx, c, call{method: http.MethodPatch, path: "/admin/provider-games/" + url.PathEscape(code), body: map[string]bool{"enabled": enabled}})
	return answer.Game, err
}
