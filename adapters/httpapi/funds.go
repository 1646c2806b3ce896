package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/admin"
)

func (a *API) fundAgent(r *request) (answer, error) {
	b, err := r.booking()
	if err != nil {
		return answer{}, err
	}
	booked, err := a.casino.Admin.FundAgent(r.ctx, r.caller, admin.FundingRequest{
		AgentID: r.params["id"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	if booked.Approval != nil {
		return awaitsApproval(*booked.Approval, booked.Replayed), nil
	}
	done := booked.Funding
	return answer{status: http.StatusOK, replayed: booked.Replayed, body: api.Funded{
		AgentCode: done.Ref.Agent, Token: string(done.Ref.Token), Balance: done.Balance,
		Booking: api.Booking{ID: done.ID, Amount: done.Amount, Reason: done.Reason, CreatedAt: millis(done.At)},
	}}, nil
}

func (a *API) limitCredit(r *request) (answer, error) {
	f := r.body()
	token, limit := f.Token(), f.AmountFrom("creditLimit", 0)
	if f.Err != nil {
		return answer{}, f.Err
	}
	line, err := a.casino.Admin.SetCreditLimit(r.ctx, r.caller, r.params["id"], token, limit)
	return ok(api.FundsResponse{Funds: fundsOf(line)}), err
}
