package httpapi

import (
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

// limitsOf shows each limit, followed by what it will be if it changes.
func limitsOf(s protection.State) []api.Limit {
	all := []api.Limit{}
	for _, l := range s.Limits {
		row := api.Limit{Kind: l.Kind, Period: l.Period, Token: string(l.Token), Amount: (*int64)(&l.Amount), By: l.By(), EffectiveAt: millis(l.From)}
		all = append(all, row)
		if !l.NextAt.IsZero() {
			row.Amount, row.EffectiveAt = (*int64)(&l.Next), millis(l.NextAt)
			if l.Lifted {
				row.Amount = nil
			}
			all = append(all, row)
		}
	}
	return all
}

func limitsAnswer(s protection.State, err error) (answer, error) {
	return ok(api.LimitsResponse{Limits: limitsOf(s)}), err
}

var limitMembers = shape.Body(api.LimitRequest{})

// limitsWanted reads the required "limits".
func limitsWanted(f *parse.Fields) (all []protection.LimitRequest) {
	f.Each("limits", protection.LimitsMax, limitMembers, func(one *parse.Fields) {
		all = append(all, protection.LimitRequest{
			Kind: protection.Kind(one.Text("kind")), Period: protection.Period(one.Text("period")),
			Token: money.Token(one.Token()), Amount: money.Amount(one.AmountFrom("amount", 0)),
		})
	})
	return all
}

func (a *API) playerLimits(r *request) (answer, error) {
	return limitsAnswer(a.casino.Accounts.Protection(r.ctx, r.caller))
}

func (a *API) setLimits(r *request) (answer, error) {
	f := r.body()
	limits := limitsWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	return limitsAnswer(a.casino.Accounts.SetLimits(r.ctx, r.caller, limits))
}

func (a *API) adminLimits(r *request) (answer, error) {
	return limitsAnswer(a.casino.Accounts.AdminProtection(r.ctx, r.caller, r.params["wallet"]))
}

func (a *API) adminSetLimits(r *request) (answer, error) {
	f := r.body()
	limits, reason := limitsWanted(f), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return limitsAnswer(a.casino.Accounts.AdminSetLimits(r.ctx, r.caller, r.params["wallet"], reason, limits))
}

func (a *API) exclusionOf(s protection.State) api.Exclusion {
	return exclusionAt(s, a.casino.Clock.Now())
}

// exclusionAt is what a player may do at a moment.
func exclusionAt(s protection.State, now time.Time) api.Exclusion {
	body := api.Exclusion{Status: s.Status(now), Permanent: s.Excluded, CoolOffUntil: millisOrNull(s.CoolOffUntil)}
	if !s.Excluded {
		body.Until = millisOrNull(s.ExcludedUntil)
	}
	return body
}

func (a *API) exclusionAnswer(s protection.State, err error) (answer, error) {
	return ok(api.ExclusionResponse{Exclusion: a.exclusionOf(s)}), err
}

// exclusionWanted reads "until" or "permanent", exactly one of both.
func exclusionWanted(f *parse.Fields) (until time.Time, permanent bool) {
	if !f.Has("permanent") {
		return time.UnixMilli(f.Integer("until", 0, parse.TimeMax)).UTC(), false
	}
	if permanent = f.Bool("permanent"); !permanent {
		f.Refuse("permanent", "can only be true; a permanent exclusion can't be revoked")
	}
	if f.Has("until") {
		f.Refuse("until", "can't be used together with permanent")
	}
	return time.Time{}, permanent
}

func (a *API) exclude(r *request) (answer, error) {
	f := r.body()
	until, permanent := exclusionWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.Exclude(r.ctx, r.caller, until, permanent))
}

func (a *API) coolOff(r *request) (answer, error) {
	f := r.body()
	until := time.UnixMilli(f.Integer("until", 0, parse.TimeMax)).UTC()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.CoolOff(r.ctx, r.caller, until))
}

func (a *API) adminExclude(r *request) (answer, error) {
	f := r.body()
	until, permanent := exclusionWanted(f)
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.AdminExclude(r.ctx, r.caller, r.params["wallet"], reason, until, permanent))
}

func (a *API) freeze(r *request) (answer, error) {
	f := r.body()
	frozen, reason := f.Bool("frozen"), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.SetFrozen(r.ctx, r.caller, r.params["wallet"], reason, frozen))
}
