package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

func ofAgent(id, what string) string { return "/admin/legacy/agents/" + url.PathEscape(id) + what }

// Agents lists the agents.
func (c *Client) Agents(ctx context.Context) ([]api.Agent, error) {
	found, err := get[api.AgentsResponse](ctx, c, "/admin/legacy/agents", nil)
	return found.Agents, err
}

// CreateAgent makes an agent.
func (c *Client) CreateAgent(ctx context.Context, r api.CreateAgentRequest) (api.AgentCredentials, error) {
	return do[api.AgentCredentials](ctx, c, call{method: http.MethodPost, path: "/admin/legacy/agents", body: r})
}

// ChangeAgent changes an agent.
func (c *Client) ChangeAgent(ctx context.Context, id string, r api.AgentRequest) (api.Agent, error) {
	changed, err := do[api.AgentResponse](ctx, c, call{method: http.MethodPatch, path: ofAgent(id, ""), body: r})
	return changed.Agent, err
}

// DeleteAgent deletes an agent for ever.
func (c *Client) DeleteAgent(ctx context.Context, id string) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodDelete, path: ofAgent(id, "")})
	return err
}

// RotateCredentials replaces an agent's credentials.
func (c *Client) RotateCredentials(ctx context.Context, id string) (api.AgentCredentials, error) {
	return do[api.AgentCredentials](ctx, c, call{method: http.MethodPost, path: ofAgent(id, "/credentials")})
}

// FundAgent books a payment to or from an agent's prepaid account.
func (c *Client) FundAgent(ctx context.Context, r api.FundRequest) (booked api.Funded, err error) {
	booked, booked.Replayed, err = doOnce[api.Funded](ctx, c, call{
		method: http.MethodPost, path: ofAgent(r.AgentID, "/funds"), body: r, key: r.IdempotencyKey,
	})
	return booked, err
}

// SetCreditLimit sets how far below zero an agent's prepaid account may go.
func (c *Client) SetCreditLimit(ctx context.Context, agentID string, r api.CreditLimitRequest) (api.Funds, error) {
	limited, err := do[api.FundsResponse](ctx, c, call{method: http.MethodPut, path: ofAgent(agentID, "/credit-limit"), body: r})
	return limited.Funds, err
}
