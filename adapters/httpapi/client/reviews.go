package client

import (
	"context"
	"net/http"
	"net/url"
)

// ProviderReview is a provider's win that waits for a person.
type ProviderReview struct {
	ID        string `json:"id"`
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
	Provider  string `json:"provider"`
	GameCode  string `json:"gameCode"`
	TxnID     string `json:"txnId"`
	Token     string `json:"token"`
	Amount    int64  `json:"amount"`
	Reason    string `json:"reason"`
	CreatedAt int64  `json:"createdAt"`
}

// ProviderReviewPage is a page of them.
type ProviderReviewPage struct {
	Reviews []ProviderReview `json:"reviews"`
	PageInfo
}

// ProviderReviews lists the wins that wait for a person.
func (c *Client) ProviderReviews(ctx context.Context, page List) (ProviderReviewPage, error) {
	return do[ProviderReviewPage](ctx, c, call{method: http.MethodGet, path: "/admin/provider-reviews", query: page.query()})
}

// DecideProviderReview pays a win or turns it down, and returns the player's
// balance after it.
func (c *Client) DecideProviderReview(ctx context.Context, id string, pay bool, reason string) (balance int64, err error) {
	answer, err := do[struct {
		Balance int64 `json:"balance"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/provider-reviews/" + url.PathEscape(id), body: struct {
		Pay    bool   `json:"pay"`
		Reason string `json:"reason"`
	}{pay, reason}})
	return answer.Balance, err
}
