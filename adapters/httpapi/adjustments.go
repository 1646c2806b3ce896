package httpapi

import (
	"math"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/ports"
)

// booking is an admin's booking: positive in, negative out.
type booking struct {
	token       string
	amount      int64
	reason      string
	idempotency app.Idempotency
}

func (r *request) booking() (booking, error) {
	f := r.body()
	b := booking{token: f.Token(), amount: f.AmountFrom("amount", -math.MaxInt64)}
	if b.amount == 0 {
		f.Refuse("amount", "must not be 0")
	}
	b.reason, b.idempotency = f.Reason(), r.idempotency(f)
	return b, f.Err
}

func (a *API) adjustBalance(r *request) (answer, error) {
	b, err := r.booking()
	if err != nil {
		return answer{}, err
	}
	adjusted, err := a.casino.Admin.AdjustBalance(r.ctx, r.caller, admin.AdjustmentRequest{
		User: r.params["user"], Token: b.token, Amount: b.amount, Reason: b.reason, Idempotency: b.idempotency,
	})
	if err != nil {
		return answer{}, err
	}
	return adjustedAnswer(adjusted), nil
}

func adjustedAnswer(adjusted approvals.AdjustResult) answer {
	if adjusted.Approval != nil {
		return awaitsApproval(*adjusted.Approval, adjusted.Replayed)
	}
	done := adjusted.Adjustment
	return answer{status: http.StatusOK, replayed: adjusted.Replayed, body: api.Adjusted{
		Wallet: string(done.Wallet), Token: string(done.Token), Balance: int64(adjusted.Balance),
		Transaction: transactionOf(ports.AdjustmentLine(done)),
	}}
}
