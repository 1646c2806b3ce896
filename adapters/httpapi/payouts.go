package httpapi

func (a *API) resumePayouts(r *request) (answer, error) {
	f := r.body("reason")
	f.take("reason")
	reason := f.limited("reason", reasonMax)
	if f.err != nil {
		return answer{}, f.err
	}
	wish, err := a.casino.AskToResumePayouts(r.context(), r.caller, reason)
	if err != nil {
		return answer{}, err
	}
	return asked(wish, false), nil
}

// payoutSwitch is whether payouts are made, and who decided that last.
type payoutSwitch struct {
	Paused    bool    `json:"paused"`
	By        *string `json:"by"`
	Reason    *string `json:"reason"`
	UpdatedAt *int64  `json:"updatedAt"`
}

func (a *API) pausePayouts(r *request) (answer, error) {
	f := r.body("reason")
	f.take("reason")
	reason := f.limited("reason", reasonMax)
	if f.err != nil {
		return answer{}, f.err
	}
	stands, err := a.casino.PausePayouts(r.context(), r.caller, reason)
	if err != nil {
		return answer{}, err
	}
	changed := millis(stands.At)
	return ok(struct {
		Payouts payoutSwitch `json:"payouts"`
	}{payoutSwitch{Paused: stands.Paused, By: orNull(string(stands.By)), Reason: orNull(stands.Reason), UpdatedAt: &changed}}), nil
}
