package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

func ofWebhook(agentID, id, what string) string {
	return ofAgent(agentID, "/webhooks/"+url.PathEscape(id)+what)
}

// Webhooks lists an agent's endpoints.
func (c *Client) Webhooks(ctx context.Context, agentID string) ([]api.Webhook, error) {
	found, err := get[api.WebhooksResponse](ctx, c, ofAgent(agentID, "/webhooks"), nil)
	return found.Webhooks, err
}

// Webhook is one of them.
func (c *Client) Webhook(ctx context.Context, agentID, id string) (api.Webhook, error) {
	found, err := get[api.WebhookResponse](ctx, c, ofWebhook(agentID, id, ""), nil)
	return found.Webhook, err
}

// CreateWebhook makes an endpoint.
func (c *Client) CreateWebhook(ctx context.Context, agentID string, r api.CreateWebhookRequest) (api.WebhookSecret, error) {
	return do[api.WebhookSecret](ctx, c, call{method: http.MethodPost, path: ofAgent(agentID, "/webhooks"), body: r})
}

// ChangeWebhook changes an endpoint.
func (c *Client) ChangeWebhook(ctx context.Context, agentID, id string, r api.WebhookRequest) (api.Webhook, error) {
	changed, err := do[api.WebhookResponse](ctx, c, call{method: http.MethodPatch, path: ofWebhook(agentID, id, ""), body: r})
	return changed.Webhook, err
}

// RotateWebhookSecret gives an endpoint a new secret.
func (c *Client) RotateWebhookSecret(ctx context.Context, agentID, id string) (api.WebhookSecret, error) {
	return do[api.WebhookSecret](ctx, c, call{method: http.MethodPost, path: ofWebhook(agentID, id, "/secret")})
}

// DeleteWebhook ends an endpoint.
func (c *Client) DeleteWebhook(ctx context.Context, agentID, id string) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodDelete, path: ofWebhook(agentID, id, "")})
	return err
}

// DeadLetters lists the events that an endpoint refused for good.
func (c *Client) DeadLetters(ctx context.Context, agentID, id string, f api.DeadLetterFilter) (api.DeadLetterPage, error) {
	return get[api.DeadLetterPage](ctx, c, ofWebhook(agentID, id, "/dead-letters"), f)
}

// ResendDeadLetter has one of them sent again.
func (c *Client) ResendDeadLetter(ctx context.Context, agentID, id, letterID string) (api.DeadLetter, error) {
	sent, err := do[api.DeadLetterResponse](ctx, c, call{
		method: http.MethodPost, path: ofWebhook(agentID, id, "/dead-letters/"+url.PathEscape(letterID)+"/send"),
	})
	return sent.DeadLetter, err
}
