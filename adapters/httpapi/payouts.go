package httpapi

import (
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/withdrawal"
)

func payoutsOf(p withdrawal.Pause) answer {
	return ok(api.PayoutsResponse{Payouts: api.Payouts{
		Paused: p.Paused, By: orNull(string(p.By)), Reason: orNull(p.Reason), UpdatedAt: millisOrNull(p.At),
	}})
}

func (a *API) payouts(r *request) (answer, error) {
	stands, err := a.casino.Payouts.PayoutPause(r.ctx, r.caller)
	return payoutsOf(stands), err
}

func (a *API) pausePayouts(r *request) (answer, error) {
	f := r.body()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	stands, err := a.casino.Payouts.PausePayouts(r.ctx, r.caller, reason)
	return payoutsOf(stands), err
}

func (a *API) resumePayouts(r *request) (answer, error) {
	f := r.body()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.Payouts.RequestPayoutResumption(r.ctx, r.caller, reason)
	return awaitsApproval(asked, false), err
}
