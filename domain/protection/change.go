package protection

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// LimitsMax is how many limits a player may have, and how many the operator may impose on
// one.
const LimitsMax = 90

// A cool-off lasts from CoolOffMin to CoolOffMax: hours to weeks. What is meant to last
// longer is an exclusion.
const (
	CoolOffMin = time.Hour
	CoolOffMax = 6 * 7 * 24 * time.Hour
)

// LimitRequest is a limit that a player asks for, or that an admin imposes.
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
// Repeating a request that already waits doesn't extend the wait. What the operator
// imposed stays as it is.
func (s State) WithLimits(requests []LimitRequest, now time.Time) (State, error) {
	return s.withLimits(requests, false, now)
}

// Impose makes the requested limits the operator's, all of them at once: an admin who
// lifts or raises one has decided. The player's own stay as they are.
func (s State) Impose(requests []LimitRequest, now time.Time) (State, error) {
	return s.withLimits(requests, true, now)
}

func (s State) withLimits(requests []LimitRequest, imposed bool, now time.Time) (State, error) {
	if len(requests) > LimitsMax {
		return State{}, fault.Field("limits", "must be at most %d", LimitsMax)
	}
	next := s.At(now)
	wanted := make([]Limit, 0, len(requests))
	for _, w := range requests {
		if err := w.Check(); err != nil {
			return State{}, err
		}
		l := Limit{Kind: w.Kind, Period: w.Period, Token: w.Token, Imposed: imposed, Amount: w.Amount, From: now, Since: w.Period.startOf(now)}
		if slices.ContainsFunc(wanted, func(other Limit) bool { return l.compareKey(other) == 0 }) {
			return State{}, fault.Field("limits", "must name each kind, period and token once")
		}
		wanted = append(wanted, l)
	}
	for _, present := range next.Limits {
		at := slices.IndexFunc(wanted, func(l Limit) bool { return l.compareKey(present) == 0 })
		switch {
		case present.Imposed != imposed:
			wanted = append(wanted, present)
		case at < 0 && imposed: // lifted
		case at < 0:
			wanted = append(wanted, present.liftLimit(now))
		case imposed:
			wanted[at] = present.imposeAmount(wanted[at].Amount, now)
		default:
			wanted[at] = present.scheduleChange(wanted[at].Amount, now)
		}
	}
	slices.SortFunc(wanted, Limit.compareKey)
	next.Limits = wanted
	return next, nil
}

// imposeAmount returns the operator's limit with an amount; the meter goes on.
func (l Limit) imposeAmount(to money.Amount, now time.Time) Limit {
	if to != l.Amount {
		l.Amount, l.From = to, now
	}
	return l
}

// scheduleChange returns the limit on its way to an amount; the meter goes on.
func (l Limit) scheduleChange(to money.Amount, now time.Time) Limit {
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

func (l Limit) liftLimit(now time.Time) Limit {
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

// CoolOff ends play for a short time. It is never shortened: an earlier end is a fault of
// kind InvalidState, one outside of CoolOffMin to CoolOffMax from now Invalid naming
// "until".
func (s State) CoolOff(until, now time.Time) (State, error) {
	switch {
	case until.Before(now.Add(CoolOffMin)) || until.After(now.Add(CoolOffMax)):
		return State{}, fault.Field("until", "must be from %d hour to %d weeks from now; for longer, use an exclusion", CoolOffMin/time.Hour, CoolOffMax/(7*24*time.Hour))
	case until.Before(s.CoolOffUntil):
		return State{}, fault.New(fault.InvalidState, "the player is already taking a longer break").With("status", string(CoolingOff))
	}
	s.CoolOffUntil = until
	return s, nil
}

// SameImposed reports whether two states have the same limits of the operator's, however
// much of them is used.
func (s State) SameImposed(other State) bool {
	imposed := func(s State) (all []Limit) {
		for _, l := range s.Limits {
			if l.Imposed {
				l.Used, l.Since = 0, time.Time{}
				all = append(all, l)
			}
		}
		return all
	}
	return slices.Equal(imposed(s), imposed(other))
}

// Freeze sets or ends an admin's freeze of the player.
func (s State) Freeze(frozen bool) State {
	s.Frozen = frozen
	return s
}

// Tightened is the state at a moment with whatever the other one restricts more: what is
// frozen or excluded in either, the longer exclusion and cool-off, and of each limit the tighter one.
// Meters stay as they are; a limit that the state lacks begins with an empty one. It
// reports whether anything became tighter.
func (s State) Tightened(by State, now time.Time) (next State, tighter bool) {
	next = s.At(now)
	if by.Frozen && !next.Frozen {
		next.Frozen, tighter = true, true
	}
	if by.Excluded && !next.Excluded {
		next.Excluded, tighter = true, true
	}
	if by.ExcludedUntil.After(next.ExcludedUntil) && by.ExcludedUntil.After(now) {
		next.ExcludedUntil, tighter = by.ExcludedUntil, true
	}
	if by.CoolOffUntil.After(next.CoolOffUntil) && by.CoolOffUntil.After(now) {
		next.CoolOffUntil, tighter = by.CoolOffUntil, true
	}
	for _, l := range by.At(now).Limits {
		at := slices.IndexFunc(next.Limits, func(present Limit) bool { return present.compareKey(l) == 0 })
		if at < 0 {
			l.Used, l.Since = 0, l.Period.startOf(now)
			next.Limits, tighter = append(next.Limits, l), true
			continue
		}
		if present := next.Limits[at]; l.tighterThan(present) {
			l.Used, l.Since = present.Used, present.Since
			next.Limits[at], tighter = l, true
		}
	}
	slices.SortFunc(next.Limits, Limit.compareKey)
	return next, tighter
}

// tighterThan compares two limits of the same: a lower amount is tighter, of the same
// amount one that is about to be raised to less, or not at all, and of the same raise the
// later one.
func (l Limit) tighterThan(present Limit) bool {
	order := cmp.Or(cmp.Compare(l.Amount, present.Amount), cmp.Compare(l.pendingAmount(), present.pendingAmount()), present.NextAt.Compare(l.NextAt))
	return order < 0
}

// pendingAmount is what the limit is about to be: the present amount where nothing waits, and more
// than any amount where it ends.
func (l Limit) pendingAmount() uint64 {
	switch {
	case l.NextAt.IsZero():
		return uint64(l.Amount)
	case l.Lifted:
		return math.MaxUint64
	}
	return uint64(l.Next)
}

// Pace is the least time between the beginnings of a player's rounds, as some regulators
// ask. The zero Pace asks for none. Rounds of games that it asks nothing of wait for none
// and hold none up: they aren't kept.
type Pace struct {
	// Any is that of every type of game that Of doesn't name.
	Any time.Duration
	// Of are those of types of games, of the house's and of providers'.
	Of map[string]time.Duration
}

// Least returns how long after the player's last round, of whatever game that has a least
// time, a round of a type of game may begin; 0 for at once.
func (p Pace) Least(gameType string) time.Duration {
	if least, named := p.Of[gameType]; named {
		return least
	}
	return p.Any
}

// MayBegin returns nil, or a fault of kind RateLimited when the player's last round is
// less than the least time ago (Details["retryAfterMs"], Details["reason"] "pace").
//
// A last round that is further ahead than the least time began by a clock that was wrong:
// it holds nobody up.
func (s State) MayBegin(least time.Duration, now time.Time) error {
	since := now.Sub(s.LastRound)
	if least <= 0 || s.LastRound.IsZero() || since >= least || since < -least {
		return nil
	}
	wait := min(least-since, least)
	return fault.New(fault.RateLimited, "rounds of this game begin at least %v after the player's last round", least).
		With("retryAfterMs", max(1, (wait+time.Millisecond-1).Milliseconds())).With("reason", "pace")
}

// Began notes that a round began that had to wait for the least time, and reports false
// where there is none: then nothing is kept.
func (s State) Began(least time.Duration, now time.Time) (State, bool) {
	if least <= 0 {
		return s, false
	}
	s.LastRound = now
	return s, true
}
