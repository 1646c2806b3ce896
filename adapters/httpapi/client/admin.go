package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// AdminIdentity is the caller's role.
type AdminIdentity struct {
	Wallet      string   `json:"wallet"`
	Role        string   `json:"role"`
	Level       int      `json:"level"`
	Permissions []string `json:"permissions"`
	AgentCode   *string  `json:"agentCode"`
}

// AdminMe returns the caller's role.
func (c *Client) AdminMe(ctx context.Context) (AdminIdentity, error) {
	return do[AdminIdentity](ctx, c, call{method: http.MethodGet, path: "/admin/me"})
}

// TransactionFilter narrows a list of transactions; zero fields don't.
type TransactionFilter struct {
	List
	Type, Status, Wallet, Token, AgentCode string
	From, To                               time.Time
}

// AdminTransactions lists the transactions of all players.
func (c *Client) AdminTransactions(ctx context.Context, f TransactionFilter) (Transactions, error) {
	query := f.query()
	put(query, "type", f.Type)
	put(query, "status", f.Status)
	put(query, "wallet", f.Wallet)
	put(query, "token", f.Token)
	put(query, "agentCode", f.AgentCode)
	putTime(query, "from", f.From)
	putTime(query, "to", f.To)
	return do[Transactions](ctx, c, call{method: http.MethodGet, path: "/admin/transactions", query: query})
}

// AdjustRequest credits (positive amount) or debits (negative) a player.
type AdjustRequest struct {
	User           string `json:"-"`
	Token          string `json:"token"`
	Amount         int64  `json:"amount"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// Adjusted is an adjustment and the balance after it; or, for a credit above the
// token's threshold, the Approval that it waits for.
type Adjusted struct {
	Wallet      string      `json:"wallet"`
	Token       string      `json:"token"`
	Balance     int64       `json:"balance"`
	Transaction Transaction `json:"transaction"`
	Approval    *Approval   `json:"approval"`
	Replayed    bool        `json:"-"`
}

// AdjustBalance credits or debits a player's balance.
func (c *Client) AdjustBalance(ctx context.Context, r AdjustRequest) (Adjusted, error) {
	answer, told, err := doWith[Adjusted](ctx, c, call{
		method: http.MethodPatch, path: "/admin/balances/" + url.PathEscape(r.User), body: r, key: r.IdempotencyKey,
	})
	answer.Replayed = told.replayed()
	return answer, err
}

// ApproveRequest is a yes to a withdrawal.
type ApproveRequest struct {
	ID             string `json:"id"`
	Note           string `json:"note,omitempty"`
	IdempotencyKey string `json:"-"`
}

// ApproveWithdrawal approves a pending or failed withdrawal.
func (c *Client) ApproveWithdrawal(ctx context.Context, r ApproveRequest) (Withdrawn, error) {
	answer, told, err := doWith[Withdrawn](ctx, c, call{method: http.MethodPost, path: "/admin/withdraw/approve", body: r, key: r.IdempotencyKey})
	answer.Replayed = told.replayed()
	return answer, err
}

// RejectRequest is a no to a withdrawal.
type RejectRequest struct {
	ID             string `json:"id"`
	Reason         string `json:"reason"`
	IdempotencyKey string `json:"-"`
}

// RejectWithdrawal ends a withdrawal; the money goes back to the player.
func (c *Client) RejectWithdrawal(ctx context.Context, r RejectRequest) (Withdrawn, error) {
	answer, told, err := doWith[Withdrawn](ctx, c, call{method: http.MethodPost, path: "/admin/withdraw/reject", body: r, key: r.IdempotencyKey})
	answer.Replayed = told.replayed()
	return answer, err
}

// ResolveRequest decides a deposit in review: for the wallet, or with an empty one
// for nobody.
type ResolveRequest struct {
	Signature string `json:"signature"`
	Token     string `json:"token"`
	Wallet    string `json:"wallet,omitzero"`
	Reason    string `json:"reason"`
}

// ResolvedDeposit is a deposit after a person's word.
type ResolvedDeposit struct {
	Signature string  `json:"signature"`
	Token     string  `json:"token"`
	Status    string  `json:"status"`
	Wallet    *string `json:"wallet"`
	Amount    *int64  `json:"amount"`
	// Approval waits for a second person; the other fields are empty then.
	Approval *Approval `json:"-"`
}

// ResolveDeposit asks for a deposit in review to be credited to a player, or
// declines it.
func (c *Client) ResolveDeposit(ctx context.Context, r ResolveRequest) (ResolvedDeposit, error) {
	answer, err := do[struct {
		Deposit  ResolvedDeposit `json:"deposit"`
		Approval *Approval       `json:"approval"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/deposits/resolve", body: r})
	answer.Deposit.Approval = answer.Approval
	return answer.Deposit, err
}

// PayoutSwitch is whether payouts are made, and who decided that last.
type PayoutSwitch struct {
	Paused    bool    `json:"paused"`
	By        *string `json:"by"`
	Reason    *string `json:"reason"`
	UpdatedAt *int64  `json:"updatedAt"`
}

// PausePayouts stops payouts at once.
func (c *Client) PausePayouts(ctx context.Context, reason string) (PayoutSwitch, error) {
	answer, err := do[struct {
		Payouts PayoutSwitch `json:"payouts"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/payouts/pause", body: map[string]string{"reason": reason}})
	return answer.Payouts, err
}

// ResumePayouts asks, as the first of two persons, to let payouts go on.
func (c *Client) ResumePayouts(ctx context.Context, reason string) (Approval, error) {
	answer, err := do[struct {
		Approval Approval `json:"approval"`
	}](ctx, c, call{method: http.MethodPost, path: "/admin/payouts/resume", body: map[string]string{"reason": reason}})
	return answer.Approval, err
}
