package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// AdminMe returns the caller's role.
func (c *Client) AdminMe(ctx context.Context) (api.Identity, error) {
	return get[api.Identity](ctx, c, "/admin/me", nil)
}

// Roles lists who has which role.
func (c *Client) Roles(ctx context.Context) ([]api.Role, error) {
	found, err := get[api.RolesResponse](ctx, c, "/admin/roles", nil)
	return found.Roles, err
}

// RoleOf returns one wallet's role.
func (c *Client) RoleOf(ctx context.Context, wallet string) (api.Role, error) {
	return get[api.Role](ctx, c, "/admin/roles/"+url.PathEscape(wallet), nil)
}

// GrantRole gives a wallet a role.
func (c *Client) GrantRole(ctx context.Context, r api.GrantRequest) (api.Role, error) {
	return do[api.Role](ctx, c, call{method: http.MethodPut, path: "/admin/roles/" + url.PathEscape(r.Wallet), body: r})
}

// RevokeRole takes a wallet's role away.
func (c *Client) RevokeRole(ctx context.Context, wallet string) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodDelete, path: "/admin/roles/" + url.PathEscape(wallet)})
	return err
}

// AuditLog lists the records of who changed what.
func (c *Client) AuditLog(ctx context.Context, f api.AuditFilter) (api.AuditPage, error) {
	return get[api.AuditPage](ctx, c, "/admin/audit", f)
}

// ChangeWhitelabel changes the public branding and returns the whole of it.
func (c *Client) ChangeWhitelabel(ctx context.Context, change api.BrandingRequest) (api.Branding, error) {
	return do[api.Branding](ctx, c, call{method: http.MethodPatch, path: "/admin/whitelabel", body: change})
}
