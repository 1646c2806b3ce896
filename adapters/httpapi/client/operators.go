package client

import (
	"context"
	"net/http"
	"net/url"
)

// Funds is what stands in an operator's prepaid account, in base units: the balance,
// below zero when the operator owes, bets that its site is being asked for, and how
// far below zero the balance may go.
type Funds struct {
	Token       string `json:"token"`
	Balance     int64  `json:"balance"`
	Reserved    int64  `json:"reserved"`
	CreditLimit int64  `json:"creditLimit"`
}

// FundRequest books what an operator paid in (positive amount) or was paid back.
type FundRequest struct {
	AgentID        string `json:"-"`
	Token          string `json:"token"`
	Amount         int64  `json:"amount"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// Funded is a booking and the balance after it; or, for a credit above the token's
// threshold, the Approval that it waits for.
type Funded struct {
	AgentCode string `json:"agentCode"`
	Token     string `json:"token"`
	Balance   int64  `json:"balance"`
	Booking   struct {
		ID        string `json:"id"`
		Amount    int64  `json:"amount"`
		Reason    string `json:"reason"`
		CreatedAt int64  `json:"createdAt"` // Unix milliseconds
	} `json:"booking"`
	Approval *Approval `json:"approval"`
	Replayed bool      `json:"-"`
}

// FundAgent books an operator's prepaid account.
func (c *Client) FundAgent(ctx context.Context, r FundRequest) (Funded, error) {
	answer, told, err := doWith[Funded](ctx, c, call{
		method: http.MethodPost, path: "/admin/legacy/agents/" + url.PathEscape(r.AgentID) + "/funds", body: r, key: r.IdempotencyKey,
	})
	answer.Replayed = told.replayed()
	return answer, err
}

// LimitCredit sets how far below zero an operator's prepaid account may go.
func (c *Client) LimitCredit(ctx context.Context, agentID, token string, limit int64) (Funds, error) {
	answer, err := do[struct {
		Funds Funds `json:"funds"`
	}](ctx, c, call{method: http.MethodPut, path: "/admin/legacy/agents/" + url.PathEscape(agentID) + "/credit-limit", body: struct {
		Token       string `json:"token"`
		CreditLimit int64  `json:"creditLimit"`
	}{token, limit}})
	return answer.Funds, err
}

// ProviderRoute is a leg of a provider's transaction on its way to an operator's site.
type ProviderRoute struct {
	ID            string `json:"id"`
	TransactionID string `json:"transactionId"`
	Leg           string `json:"leg"`
	Status        string `json:"status"`
	Wallet        string `json:"wallet"`
	AgentCode     string `json:"agentCode"`
	SiteEndpoint  string `json:"siteEndpoint"`
	Provider      string `json:"provider"`
	GameCode      string `json:"gameCode"`
	TxnID         string `json:"txnId"` // as the site knows it
	Token         string `json:"token"`
	Amount        int64  `json:"amount"`
	CreatedAt     int64  `json:"createdAt"` // Unix milliseconds
	UpdatedAt     int64  `json:"updatedAt"`
}

// ProviderRoutePage is a page of them.
type ProviderRoutePage struct {
	Routes []ProviderRoute `json:"routes"`
	PageInfo
}

// RouteFilter narrows a list of routes; empty fields don't. Status is one of a
// route's, or "open" for all of which something is still to be done.
type RouteFilter struct {
	List
	Status    string
	AgentCode string
}

// ProviderRoutes lists the routes.
func (c *Client) ProviderRoutes(ctx context.Context, f RouteFilter) (ProviderRoutePage, error) {
	query := f.query()
	put(query, "status", f.Status)
	put(query, "agentCode", f.AgentCode)
	return do[ProviderRoutePage](ctx, c, call{method: http.MethodGet, path: "/admin/provider-routes", query: query})
}

// OrderRoute sends a route to its operator's present site ("resend"), or says that
// nothing more is to be done ("close").
func (c *Client) OrderRoute(ctx context.Context, id, action, reason string) (ProviderRoute, error) {
	answer, err := do[struct {
		Route ProviderRoute `json:"route"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/provider-routes/" + url.PathEscape(id), body: struct {
		Action string `json:"action"`
		Reason string `json:"reason"`
	}{action, reason}})
	return answer.Route, err
}
