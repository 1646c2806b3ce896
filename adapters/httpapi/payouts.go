package httpapi

import (
	"github.com/casino-service/casino/adapters/httpapi/api"
)

func (a *API) pausePayouts(r *request) (answer, error) {
	f := r.body()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	stands, err := a.casino.PausePayouts(r.ctx, r.caller, reason)
	changed := millis(stands.At)
	return ok(api.PayoutsResponse{Payouts: api.Payouts{
		Paused: stands.Paused, By: orNull(string(stands.By)), Reason: orNull(stands.Reason), UpdatedAt: &changed,
	}}), err
}

func (a *API) resumePayouts(r *request) (answer, error) {
	f := r.body()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	asked, err := a.casino.RequestPayoutResumption(r.ctx, r.caller, reason)
	return awaitsApproval(asked, false), err
}
