package client

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/url"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// AdminTransactions lists the transactions of all players.
func (c *Client) AdminTransactions(ctx context.Context, f api.TransactionFilter) (api.AdminTransactionPage, error) {
	return get[api.AdminTransactionPage](ctx, c, "/admin/transactions", f)
}

// AdjustBalance credits or debits a player's balance.
func (c *Client) AdjustBalance(ctx context.Context, r api.AdjustRequest) (done api.Adjusted, err error) {
	done, done.Replayed, err = doOnce[api.Adjusted](ctx, c, call{
		method: http.MethodPatch, path: "/admin/balances/" + url.PathEscape(r.User), body: r, key: r.IdempotencyKey,
	})
	return done, err
}

// Unclaimed lists what arrived from wallets that never signed in.
func (c *Client) Unclaimed(ctx context.Context, f api.UnclaimedFilter) (api.UnclaimedPage, error) {
	return get[api.UnclaimedPage](ctx, c, "/admin/unclaimed", f)
}

// AssignUnclaimed assigns unclaimed money to a player, or requests the approval of a large
// amount.
func (c *Client) AssignUnclaimed(ctx context.Context, r api.AssignRequest) (api.Adjusted, error) {
	return do[api.Adjusted](ctx, c, call{method: http.MethodPost, path: "/admin/unclaimed/assign", body: r})
}

// AdminWithdrawal returns a withdrawal with its approvals.
func (c *Client) AdminWithdrawal(ctx context.Context, id string) (api.WithdrawalDetails, error) {
	return get[api.WithdrawalDetails](ctx, c, "/admin/withdrawals/"+url.PathEscape(id), nil)
}

// SignApproval signs the approval of a withdrawal out of a treasury with a key, at a
// moment.
func SignApproval(key ed25519.PrivateKey, treasury string, w api.Withdrawal, at time.Time) api.ApproveRequest {
	message := withdrawal.Withdrawal{
		ID: w.ID, Token: money.Token(w.Token), Amount: money.Amount(w.Amount), Destination: w.Destination,
	}.ApprovalMessage(wallet.Address(treasury), at.UnixMilli())
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(message)))
	return api.ApproveRequest{ID: w.ID, Timestamp: at.UnixMilli(), Signature: signature}
}

// ApproveWithdrawal approves a pending or failed withdrawal.
func (c *Client) ApproveWithdrawal(ctx context.Context, r api.ApproveRequest) (decided api.DecidedWithdrawal, err error) {
	decided, decided.Replayed, err = doOnce[api.DecidedWithdrawal](ctx, c, call{
		method: http.MethodPost, path: "/admin/withdraw/approve", body: r, key: r.IdempotencyKey,
	})
	return decided, err
}

// RejectWithdrawal ends a withdrawal; the money goes back to the player.
func (c *Client) RejectWithdrawal(ctx context.Context, r api.RejectRequest) (decided api.DecidedWithdrawal, err error) {
	decided, decided.Replayed, err = doOnce[api.DecidedWithdrawal](ctx, c, call{
		method: http.MethodPost, path: "/admin/withdraw/reject", body: r, key: r.IdempotencyKey,
	})
	return decided, err
}

// ResolveDeposit credits a deposit in review to a player, requests the approval of a large
// one, or declines it.
func (c *Client) ResolveDeposit(ctx context.Context, r api.ResolveRequest) (api.ResolvedResponse, error) {
	return do[api.ResolvedResponse](ctx, c, call{method: http.MethodPost, path: "/admin/deposits/resolve", body: r})
}

// Payouts says whether payouts are paused.
func (c *Client) Payouts(ctx context.Context) (api.Payouts, error) {
	found, err := get[api.PayoutsResponse](ctx, c, "/admin/payouts", nil)
	return found.Payouts, err
}

// PausePayouts stops payouts at once.
func (c *Client) PausePayouts(ctx context.Context, reason string) (api.Payouts, error) {
	paused, err := do[api.PayoutsResponse](ctx, c, call{
		method: http.MethodPost, path: "/admin/payouts/pause", body: api.PayoutsRequest{Reason: reason},
	})
	return paused.Payouts, err
}

// ResumePayouts requests, as the first of two persons, that payouts are resumed.
func (c *Client) ResumePayouts(ctx context.Context, reason string) (api.Approval, error) {
	asked, err := do[api.ApprovalResponse](ctx, c, call{
		method: http.MethodPost, path: "/admin/payouts/resume", body: api.PayoutsRequest{Reason: reason},
	})
	return asked.Approval, err
}

// OpenApprovals lists the requests that wait for a second person.
func (c *Client) OpenApprovals(ctx context.Context, f api.ApprovalFilter) (api.ApprovalPage, error) {
	return get[api.ApprovalPage](ctx, c, "/admin/approvals", f)
}

// DecideApproval approves or rejects a request, as its second person.
func (c *Client) DecideApproval(ctx context.Context, r api.ApprovalRequest) (decided api.ApprovalResponse, err error) {
	decided, decided.Replayed, err = doOnce[api.ApprovalResponse](ctx, c, call{
		method: http.MethodPost, path: "/admin/approvals/" + url.PathEscape(r.ID), body: r, key: r.IdempotencyKey,
	})
	return decided, err
}
