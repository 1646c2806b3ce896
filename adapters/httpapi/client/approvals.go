package client

import (
	"context"
	"net/http"
	"net/url"
)

// Approval is a request that two persons decide.
type Approval struct {
	ID        string          `json:"id"`
	Kind      string          `json:"kind"`
	Request   ApprovalRequest `json:"request"`
	By        string          `json:"by"`
	Status    string          `json:"status"`
	CreatedAt int64           `json:"createdAt"` // Unix milliseconds
	ExpiresAt int64           `json:"expiresAt"`
	DecidedBy *string         `json:"decidedBy"`
	DecidedAt *int64          `json:"decidedAt"`
}

// ApprovalRequest is what was asked for; nil for facts that its kind doesn't have.
type ApprovalRequest struct {
	Wallet    *string `json:"wallet"`
	AgentCode *string `json:"agentCode"` // of the player, or whose funds it is about
	Token     *string `json:"token"`
	Amount    *int64  `json:"amount"`
	Signature *string `json:"signature"`
	Reason    *string `json:"reason"`
}

// Approvals is a page of requests.
type Approvals struct {
	Approvals []Approval `json:"approvals"`
	PageInfo
}

// OpenApprovals lists the requests that wait for a second person.
func (c *Client) OpenApprovals(ctx context.Context, l List) (Approvals, error) {
	return do[Approvals](ctx, c, call{method: http.MethodGet, path: "/admin/approvals", query: l.query()})
}

// DecideApproval says yes or no to a request, as its second person.
func (c *Client) DecideApproval(ctx context.Context, id string, approve bool) (Approval, error) {
	answer, err := do[struct {
		Approval Approval `json:"approval"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/approvals/" + url.PathEscape(id), body: map[string]bool{"approve": approve}})
	return answer.Approval, err
}
