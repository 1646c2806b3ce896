package httpapi

import (
	"math"
	"net/http"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
)

// limitBody is a limit that is in force since effectiveAt, or that will be: then
// it stands after the present one, its amount null when the limit ends.
type limitBody struct {
	Kind        protection.Kind   `json:"kind"`
	Period      protection.Period `json:"period"`
	Token       string            `json:"token"`
	Amount      *int64            `json:"amount"`
	EffectiveAt int64             `json:"effectiveAt"`
}

func limitsOf(s protection.State) []limitBody {
	all := []limitBody{}
	for _, l := range s.Limits {
		row := limitBody{Kind: l.Kind, Period: l.Period, Token: string(l.Token), Amount: (*int64)(&l.Amount), EffectiveAt: millis(l.From)}
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

type limitsAnswer struct {
	Limits []limitBody `json:"limits"`
}

func limitsReply(s protection.State, err error) (answer, error) {
	return ok(limitsAnswer{limitsOf(s)}), err
}

// limitWishes reads the required "limits".
func (f *fields) limitWishes() []protection.Wish {
	var wishes []protection.Wish
	for _, value := range f.list("limits", protection.LimitsMax) {
		one := f.nested("limits", value, "kind", "period", "token", "amount")
		w := protection.Wish{
			Kind: protection.Kind(one.text("kind")), Period: protection.Period(one.text("period")),
			Token: money.Token(one.token()), Amount: money.Amount(one.integer("amount", 0, math.MaxInt64)),
		}
		if one.err != nil {
			f.fail(one.err)
			return nil
		}
		wishes = append(wishes, w)
	}
	return wishes
}

func (a *API) playerLimits(r *request) (answer, error) {
	return limitsReply(a.casino.Protection(r.context(), r.caller))
}

func (a *API) setLimits(r *request) (answer, error) {
	f := r.body("limits")
	wishes := f.limitWishes()
	if f.err != nil {
		return answer{}, f.err
	}
	return limitsReply(a.casino.SetLimits(r.context(), r.caller, wishes))
}

type exclusionBody struct {
	Status    protection.Standing `json:"status"`
	Until     *int64              `json:"until"`
	Permanent bool                `json:"permanent"`
}

func (a *API) exclusionOf(s protection.State) exclusionBody {
	body := exclusionBody{Status: s.Standing(a.casino.Clock.Now()), Permanent: s.Excluded}
	if !s.Excluded {
		body.Until = millisOrNull(s.ExcludedUntil)
	}
	return body
}

type exclusionAnswer struct {
	Exclusion exclusionBody `json:"exclusion"`
}

// exclusion reads "until" or "permanent", one of both.
func (f *fields) exclusion() (until time.Time, forever bool) {
	_, dated := f.values["until"]
	_, named := f.values["permanent"]
	switch {
	case named:
		if forever = f.boolean("permanent"); !forever && f.err == nil {
			f.refuse("permanent", "can only be true: an exclusion isn't taken back")
		}
		if dated {
			f.refuse("until", "goes without permanent")
		}
	default:
		until = time.UnixMilli(f.integer("until", 0, timeMax)).UTC()
	}
	return until, forever
}

func (a *API) exclude(r *request) (answer, error) {
	f := r.body("until", "permanent")
	until, forever := f.exclusion()
	if f.err != nil {
		return answer{}, f.err
	}
	state, err := a.casino.Exclude(r.context(), r.caller, until, forever)
	return ok(exclusionAnswer{a.exclusionOf(state)}), err
}

func (a *API) adminLimits(r *request) (answer, error) {
	return limitsReply(a.casino.AdminProtection(r.context(), r.caller, r.params["wallet"]))
}

func (f *fields) reason() string {
	f.take("reason")
	return f.limited("reason", reasonMax)
}

func (a *API) adminSetLimits(r *request) (answer, error) {
	f := r.body("limits", "reason")
	wishes, reason := f.limitWishes(), f.reason()
	if f.err != nil {
		return answer{}, f.err
	}
	return limitsReply(a.casino.AdminSetLimits(r.context(), r.caller, r.params["wallet"], reason, wishes))
}

func (a *API) adminExclude(r *request) (answer, error) {
	f := r.body("until", "permanent", "reason")
	until, forever := f.exclusion()
	reason := f.reason()
	if f.err != nil {
		return answer{}, f.err
	}
	state, err := a.casino.AdminExclude(r.context(), r.caller, r.params["wallet"], reason, until, forever)
	return ok(exclusionAnswer{a.exclusionOf(state)}), err
}

func (a *API) freeze(r *request) (answer, error) {
	f := r.body("frozen", "reason")
	frozen, reason := f.boolean("frozen"), f.reason()
	if f.err != nil {
		return answer{}, f.err
	}
	state, err := a.casino.Freeze(r.context(), r.caller, r.params["wallet"], reason, frozen)
	return answer{status: http.StatusOK, body: exclusionAnswer{a.exclusionOf(state)}}, err
}
