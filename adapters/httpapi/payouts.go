package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
)

// payoutRoutes returns the routes of withdrawals and payouts.
func (a *API) payoutRoutes() []route {
	return []route{
		{operation.Withdraw, players, withdrawWindow, a.withdraw},
		{operation.CancelWithdrawal, players, noWindow, a.cancelWithdrawal},
		{operation.AdminWithdrawal, admins(rbac.AdminRead), noWindow, a.adminWithdrawal},
		{operation.ApproveWithdrawal, admins(rbac.WithdrawApprove), noWindow, a.approveWithdrawal},
		{operation.RejectWithdrawal, admins(rbac.WithdrawReject), noWindow, a.rejectWithdrawal},
		{operation.Payouts, admins(rbac.AdminRead), noWindow, a.payouts},
		{operation.PausePayouts, admins(rbac.WithdrawReject), noWindow, a.pausePayouts},
		{operation.ResumePayouts, admins(rbac.WithdrawApprove), noWindow, a.resumePayouts},
	}
}

func withdrawalOf(w withdrawal.Withdrawal) api.Withdrawal {
	return api.Withdrawal{
		ID: w.ID, Wallet: string(w.Wallet), Token: string(w.Token), Amount: int64(w.Amount), Fee: int64(w.Fee),
		Destination: w.Destination, DestinationIsOwner: w.Destination == string(w.Wallet),
		Status: w.Status, Approvals: len(w.Approvals),
		Signature: orNull(w.Signature), Reason: orNull(w.Reason), Note: orNull(w.Note),
		CreatedAt: unixMillis(w.CreatedAt), UpdatedAt: unixMillis(w.UpdatedAt),
	}
}

func (a *API) withdraw(r *request) (answer, error) {
	f := r.readBody()
	wanted := payouts.WithdrawalRequest{Amount: f.Amount("amount"), Token: f.Token(), Destination: f.Text("destination")}
	wanted.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	made, err := a.casino.Payouts.Withdraw(r.ctx, r.caller, wanted)
	return answer{
		status: http.StatusCreated, replayed: made.Replayed,
		body: api.Withdrawn{
			Withdrawal: withdrawalOf(made.Withdrawal), Balance: int64(made.Balance), Receipt: a.issueReceipt(r, made.Committed),
		},
	}, err
}

func (a *API) cancelWithdrawal(r *request) (answer, error) {
	done, err := a.casino.Payouts.CancelWithdrawal(r.ctx, r.caller, r.params["id"])
	return ok(api.Withdrawn{Withdrawal: withdrawalOf(done.Withdrawal), Balance: int64(done.Balance)}), err
}

func (a *API) adminWithdrawal(r *request) (answer, error) {
	found, err := a.casino.Payouts.AdminWithdrawal(r.ctx, r.caller, r.params["id"])
	return ok(api.WithdrawalDetails{
		Withdrawal: withdrawalOf(found.Withdrawal), Treasury: found.Treasury, SignatureRequired: found.SignatureRequired,
		Approvals: mapEach(found.Approvals, func(given withdrawal.Approval) api.WithdrawalApproval {
			return approvalGivenTo(found.Withdrawal, given)
		}),
	}), err
}

func approvalGivenTo(w withdrawal.Withdrawal, given withdrawal.Approval) api.WithdrawalApproval {
	body := api.WithdrawalApproval{By: string(given.By), At: unixMillis(given.At), Note: orNull(given.Note), Signature: orNull(given.Signature)}
	if given.Signature != "" {
		body.Message, body.Timestamp = orNull(w.ApprovalMessage(given.Treasury, given.Timestamp)), &given.Timestamp
	}
	return body
}

func (a *API) approveWithdrawal(r *request) (answer, error) {
	f := r.readBody()
	decision := payouts.WithdrawalDecision{ID: f.Text("id"), Note: f.Note()}
	if f.Has("signature") || f.Has("timestamp") { // both or neither
		decision.Signature, decision.Timestamp = f.Signature(), f.Integer("timestamp", 0, math.MaxInt64)
	}
	decision.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	decided, err := a.casino.Payouts.ApproveWithdrawal(r.ctx, r.caller, decision)
	return decidedWithdrawal(decided), err
}

func (a *API) rejectWithdrawal(r *request) (answer, error) {
	f := r.readBody()
	decision := payouts.WithdrawalDecision{ID: f.Text("id"), Reason: f.Reason()}
	decision.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	decided, err := a.casino.Payouts.RejectWithdrawal(r.ctx, r.caller, decision)
	return decidedWithdrawal(decided), err
}

func decidedWithdrawal(decided payouts.WithdrawalResult) answer {
	return answer{
		status: http.StatusOK, replayed: decided.Replayed, body: api.DecidedWithdrawal{Withdrawal: withdrawalOf(decided.Withdrawal)},
	}
}

func payoutsOf(p withdrawal.Pause) answer {
	return ok(api.PayoutsResponse{Payouts: api.Payouts{
		Paused: p.Paused, By: orNull(string(p.By)), Reason: orNull(p.Reason), UpdatedAt: unixMillisOrNull(p.At),
	}})
}

func (a *API) payouts(r *request) (answer, error) {
	stands, err := a.casino.Payouts.PayoutPause(r.ctx, r.caller)
	return payoutsOf(stands), err
}

func (a *API) pausePayouts(r *request) (answer, error) {
	f := r.readBody()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	stands, err := a.casino.Payouts.PausePayouts(r.ctx, r.caller, reason)
	return payoutsOf(stands), err
}

func (a *API) resumePayouts(r *request) (answer, error) {
	f := r.readBody()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.Payouts.RequestPayoutResumption(r.ctx, r.caller, reason)
	return awaitsApproval(asked, false), err
}
