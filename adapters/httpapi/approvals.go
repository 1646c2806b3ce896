package httpapi

import (
	"net/http"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/approval"
)

// approvalBody is a request to two persons. Facts that its kind doesn't have are
// null.
type approvalBody struct {
	ID        string          `json:"id"`
	Kind      approval.Kind   `json:"kind"`
	Request   approvalRequest `json:"request"`
	By        string          `json:"by"`
	Status    approval.Status `json:"status"`
	CreatedAt int64           `json:"createdAt"`
	ExpiresAt int64           `json:"expiresAt"`
	DecidedBy *string         `json:"decidedBy"`
	DecidedAt *int64          `json:"decidedAt"`
}

type approvalRequest struct {
	Wallet    *string `json:"wallet"`
	AgentCode *string `json:"agentCode"`
	Token     *string `json:"token"`
	Amount    *int64  `json:"amount"`
	Signature *string `json:"signature"`
	Reason    *string `json:"reason"`
}

func approvalOf(a approval.Approval) approvalBody {
	body := approvalBody{
		ID: a.ID, Kind: a.Kind, By: string(a.By), Status: a.Status,
		CreatedAt: millis(a.CreatedAt), ExpiresAt: millis(a.ExpiresAt),
		DecidedBy: orNull(string(a.DecidedBy)), DecidedAt: millisOrNull(a.DecidedAt),
		Request: approvalRequest{
			Wallet: orNull(string(a.Wallet)), AgentCode: orNull(a.Agent), Token: orNull(string(a.Token)), Signature: orNull(a.Signature), Reason: orNull(a.Reason),
		},
	}
	if a.Amount != 0 {
		body.Request.Amount = &a.Amount
	}
	return body
}

func millisOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	at := millis(t)
	return &at
}

// asked answers 202 with what now waits for a second person.
func asked(a approval.Approval, replayed bool) answer {
	return answer{status: http.StatusAccepted, replayed: replayed, body: approvalAnswer{approvalOf(a)}}
}

type approvalAnswer struct {
	Approval approvalBody `json:"approval"`
}

func (a *API) listApprovals(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.OpenApprovals(r.context(), r.caller, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Approvals []approvalBody `json:"approvals"`
		listInfo  `json:",inline"`
	}{each(found.Approvals, approvalOf), listOf(wanted, found.PageInfo)}), nil
}

func (a *API) decideApproval(r *request) (answer, error) {
	f := r.body("approve")
	word := app.ApprovalWord{ID: r.params["id"], Yes: f.boolean("approve")}
	word.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	decided, err := a.casino.DecideApproval(r.context(), r.caller, word)
	return answer{status: http.StatusOK, replayed: decided.Replayed, body: approvalAnswer{approvalOf(decided.Approval)}}, err
}
