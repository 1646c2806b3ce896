package protection

import (
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// LimitsMax is how many limits a player may have.
const LimitsMax = 90

// LimitRequest is a limit that a player asks for.
type LimitRequest struct {
	Kind   Kind
	Period Period
	Token  money.Token
	Amount money.Amount
}

// Check returns a fault naming the field "limits", or nil.
func (w LimitRequest) Check() error {
	switch {
	case !slices.Contains(Kinds(), w.Kind):
		return fault.Field("limits", "kind must be deposit, wager or loss")
	case !slices.Contains(Periods(), w.Period):
		return fault.Field("limits", "period must be day, week or month")
	case w.Amount < 0:
		return fault.Field("limits", "amount must be from 0 to %d", money.Max)
	}
	return nil
}

// WithLimits makes the requested limits the player's. New and lower ones are in force
// at once; higher ones, and the end of those that are left out, after RaiseTime.
// Repeating a request that already waits doesn't extend the wait.
func (s State) WithLimits(requests []LimitRequest, now time.Time) (State, error) {
	if len(requests) > LimitsMax {
		return State{}, fault.Field("limits", "must be at most %d", LimitsMax)
	}
	next := s.At(now)
	wanted := make([]Limit, 0, len(requests))
	for _, w := range requests {
		if err := w.Check(); err != nil {
			return State{}, err
		}
		l := Limit{Kind: w.Kind, Period: w.Period, Token: w.Token, Amount: w.Amount, From: now, Since: w.Period.begin(now)}
		if slices.ContainsFunc(wanted, func(other Limit) bool { return l.compare(other) == 0 }) {
			return State{}, fault.Field("limits", "must name each kind, period and token once")
		}
		wanted = append(wanted, l)
	}
	for _, present := range next.Limits {
		at := slices.IndexFunc(wanted, func(l Limit) bool { return l.compare(present) == 0 })
		if at < 0 {
			wanted = append(wanted, present.lift(now))
			continue
		}
		wanted[at] = present.change(wanted[at].Amount, now)
	}
	slices.SortFunc(wanted, Limit.compare)
	next.Limits = wanted
	return next, nil
}

// change returns the limit on its way to an amount; the meter goes on.
func (l Limit) change(to money.Amount, now time.Time) Limit {
	switch {
	case to < l.Amount:
		l.Amount, l.From = to, now
		fallthrough
	case to == l.Amount:
		l.Next, l.Lifted, l.NextAt = 0, false, time.Time{}
	case !l.Lifted && !l.NextAt.IsZero() && l.Next == to:
	default:
		l.Next, l.Lifted, l.NextAt = to, false, now.Add(RaiseTime)
	}
	return l
}

func (l Limit) lift(now time.Time) Limit {
	if !l.Lifted {
		l.Next, l.Lifted, l.NextAt = 0, true, now.Add(RaiseTime)
	}
	return l
}

// Exclude ends play until a moment, or for ever. An exclusion is never shortened:
// an earlier end is a fault of kind InvalidState, one that isn't in the future
// Invalid naming "until".
func (s State) Exclude(until time.Time, forever bool, now time.Time) (State, error) {
	switch {
	case !forever && !until.After(now):
		return State{}, fault.Field("until", "must be in the future")
	case s.Excluded && !forever, !forever && until.Before(s.ExcludedUntil):
		return State{}, fault.New(fault.InvalidState, "the player is already excluded for longer").With("status", string(Excluded))
	}
	s.Excluded = s.Excluded || forever
	if !forever {
		s.ExcludedUntil = until
	}
	return s, nil
}

// Freeze sets or ends an admin's freeze of the player.
func (s State) Freeze(frozen bool) State {
	s.Frozen = frozen
	return s
}
