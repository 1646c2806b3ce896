package httpapi

import (
	"context"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/corrections"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// approvalRoutes returns the routes of requests that wait for a second person, and of
// corrections, which always do.
func (a *API) approvalRoutes() []route {
	return []route{
		{operation.ListApprovals, admins(rbac.AdminRead), noWindow, a.listApprovals},
		{operation.OverruleAdmission, admins(rbac.BalancesWrite), noWindow, a.overruleAdmission},
		{operation.DecideApproval, admins(rbac.AdminRead), noWindow, a.decideApproval},
		{operation.CorrectTransaction, admins(rbac.BalancesWrite), noWindow, a.correctTransaction},
		{operation.CorrectCapital, admins(rbac.BalancesWrite), noWindow, a.correctCapital},
	}
}

func approvalOf(a approval.Approval) api.Approval {
	body := api.Approval{
		ID: a.ID, Kind: a.Kind, By: string(a.By), Status: a.Status,
		CreatedAt: unixMillis(a.CreatedAt), ExpiresAt: unixMillis(a.ExpiresAt),
		DecidedBy: orNull(string(a.DecidedBy)), DecidedAt: unixMillisOrNull(a.DecidedAt),
		Request: api.ApprovalFacts{
			Wallet: orNull(string(a.Wallet)), AgentCode: orNull(a.Agent), Token: orNull(string(a.Token)), Reason: orNull(a.Reason),
		},
	}
	switch reference := orNull(a.Reference); a.Kind {
	case approval.DepositResolution:
		body.Request.Signature = reference
	case approval.ProviderWin:
		body.Request.ReviewID = reference
	case approval.UnclaimedAssignment:
		body.Request.Sender = reference
	case approval.Correction, approval.CapitalCorrection:
		body.Request.Corrects = reference
	case approval.AdmissionOverruling:
		body.Request.Admission = a.Reference
	}
	if a.Amount != 0 {
		body.Request.Amount = &a.Amount
	}
	return body
}

// awaitsApproval answers 202 with the new request for a second person's approval.
func awaitsApproval(a approval.Approval, replayed bool) answer {
	return answer{status: http.StatusAccepted, replayed: replayed, body: api.ApprovalResponse{Approval: approvalOf(a)}}
}

func (a *API) listApprovals(r *request) (answer, error) {
	return list[struct{}, approval.Approval, api.Approval, api.ApprovalPage]{
		page: func(ctx context.Context, _ struct{}, page ports.Page) ([]approval.Approval, ports.PageInfo, error) {
			found, err := a.casino.Approvals.OpenApprovals(ctx, r.caller, page)
			return found.Approvals, found.PageInfo, err
		},
		row:  approvalOf,
		name: "approvals", columns: sheet.Columns[api.Approval](),
	}.servePage(a, r)
}

func (a *API) decideApproval(r *request) (answer, error) {
	f := r.readBody()
	decision := approvals.ApprovalDecision{ID: r.params["id"], Approve: f.Bool("approve")}
	decision.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	decided, err := a.casino.Approvals.DecideApproval(r.ctx, r.caller, decision)
	return answer{status: http.StatusOK, replayed: decided.Replayed, body: api.ApprovalResponse{Approval: approvalOf(decided.Approval)}}, err
}

func (a *API) correctTransaction(r *request) (answer, error) {
	f := r.readBody()
	wanted := corrections.AdjustmentRequest{ID: r.params["id"], Reason: f.Reason(), Idempotency: r.idempotencyKey(f)}
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.Corrections.RequestAdjustment(r.ctx, r.caller, wanted)
	return awaitsApproval(asked.Approval, asked.Replayed), err
}

// referenceMax is the maximum length of a reference of capital, in characters.
const referenceMax = 500

func (a *API) correctCapital(r *request) (answer, error) {
	f := r.readBody()
	f.Need("reference")
	wanted := corrections.CapitalRequest{Token: f.Token(), Reference: f.Limited("reference", referenceMax), Reason: f.Reason()}
	wanted.Idempotency = r.idempotencyKey(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.Corrections.RequestCapital(r.ctx, r.caller, wanted)
	return awaitsApproval(asked.Approval, asked.Replayed), err
}

// admissionKeyMax is the longest key of an admission, in characters.
const admissionKeyMax = 200

func (a *API) overruleAdmission(r *request) (answer, error) {
	f := r.readBody()
	key, reason := f.Limited("key", admissionKeyMax), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.Admin.OverruleAdmission(r.ctx, r.caller, key, reason)
	return awaitsApproval(asked, false), err
}
