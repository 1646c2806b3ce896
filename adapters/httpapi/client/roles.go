package client

import (
	"context"
	"net/http"
	"net/url"
)

// Role is who has which role since when.
type Role struct {
	AdminIdentity
	GrantedBy *string `json:"grantedBy"`
	GrantedAt int64   `json:"grantedAt"` // Unix milliseconds
}

// Roles lists who has which role.
func (c *Client) Roles(ctx context.Context) ([]Role, error) {
	answer, err := do[struct {
		Roles []Role `json:"roles"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/roles"})
	return answer.Roles, err
}

// RoleOf returns one wallet's role.
func (c *Client) RoleOf(ctx context.Context, wallet string) (Role, error) {
	return do[Role](ctx, c, call{method: http.MethodGet, path: "/admin/roles/" + url.PathEscape(wallet)})
}

// GrantRequest gives a wallet a role; AgentCode goes with roles bound to an agent.
type GrantRequest struct {
	Wallet    string `json:"-"`
	Role      string `json:"role"`
	AgentCode string `json:"agentCode,omitempty"`
}

// GrantRole gives a wallet a role.
func (c *Client) GrantRole(ctx context.Context, r GrantRequest) (Role, error) {
	return do[Role](ctx, c, call{method: http.MethodPut, path: "/admin/roles/" + url.PathEscape(r.Wallet), body: r})
}

// RevokeRole takes a wallet's role away.
func (c *Client) RevokeRole(ctx context.Context, wallet string) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodDelete, path: "/admin/roles/" + url.PathEscape(wallet)})
	return err
}
