package client

import (
	"context"
	"net/http"
	"net/url"
)

// Player is a player as admins see him.
type Player struct {
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
	Status    string `json:"status"`
	CreatedAt int64  `json:"createdAt"` // Unix milliseconds
	// Balances and OpenWithdrawals are told of one player, not in lists.
	Balances        []Balance    `json:"balances"`
	OpenWithdrawals []Withdrawal `json:"openWithdrawals"`
}

// Players is a page of players.
type Players struct {
	Players []Player `json:"players"`
	PageInfo
}

// PlayerFilter narrows a list of players; zero fields don't.
type PlayerFilter struct {
	List
	Wallet, AgentCode string
}

// Players lists the players.
func (c *Client) Players(ctx context.Context, f PlayerFilter) (Players, error) {
	query := f.query()
	put(query, "wallet", f.Wallet)
	put(query, "agentCode", f.AgentCode)
	return do[Players](ctx, c, call{method: http.MethodGet, path: "/admin/players", query: query})
}

// PlayerOf returns everything about one player.
func (c *Client) PlayerOf(ctx context.Context, wallet string) (Player, error) {
	return do[Player](ctx, c, call{method: http.MethodGet, path: "/admin/players/" + url.PathEscape(wallet)})
}

// Rebind binds a player to another agent, for his rounds from now on.
func (c *Client) Rebind(ctx context.Context, wallet, agentCode, reason string) (Player, error) {
	answer, err := do[struct {
		Player Player `json:"player"`
	}](ctx, c, call{
		method: http.MethodPut, path: ofPlayer(wallet, "/agent"), body: map[string]any{"agentCode": agentCode, "reason": reason},
	})
	return answer.Player, err
}

// BalancesOf returns a player's balances, sorted by token.
func (c *Client) BalancesOf(ctx context.Context, wallet string) ([]Balance, error) {
	answer, err := do[struct {
		Balances []Balance `json:"balances"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/balances/" + url.PathEscape(wallet)})
	return answer.Balances, err
}

// BrandingChange is what an admin wants otherwise; nil fields stay.
type BrandingChange struct {
	Title       *string `json:"title,omitempty"`
	LogoURL     *string `json:"logoUrl,omitempty"`
	AccentColor *string `json:"accentColor,omitempty"`
}

// ChangeWhitelabel changes the public branding and returns the whole of it.
func (c *Client) ChangeWhitelabel(ctx context.Context, change BrandingChange) (Branding, error) {
	return do[Branding](ctx, c, call{method: http.MethodPatch, path: "/admin/whitelabel", body: change})
}
