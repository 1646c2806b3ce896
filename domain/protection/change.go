package protection

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// LimitsMax is the most limits that a player may set, and that the operator may impose
// on one.
const LimitsMax = 90

// A cool-off lasts from CoolOffMin to CoolOffMax: hours to weeks. For longer there is an
// exclusion.
const (
	CoolOffMin = time.Hour
	CoolOffMax = 6 * 7 * 24 * time.Hour
)

// LimitRequest is a limit that a player requests or an admin imposes.
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

// WithLimits replaces the player's limits. New and lower ones take effect at once. Higher
// ones, and the end of those left out, wait for RaiseTime and then for Confirm. Repeating a
// waiting request doesn't extend the wait. The operator's limits don't change.
func (s State) WithLimits(requests []LimitRequest, now time.Time) (State, error) {
	return s.withLimits(requests, false, now)
}

// Confirm makes the player's changes that have waited for RaiseTime. It is a fault of kind
// InvalidState if there are none.
func (s State) Confirm(now time.Time) (State, error) {
	next := s.At(now)
	all := next.Limits
	next.Limits = nil
	confirmed := false
	for _, l := range all {
		if l.isDue(now) {
			confirmed = true
			if l.Lifted {
				continue
			}
			l.Amount, l.From, l.Next, l.NextAt = l.Next, now, 0, time.Time{}
		}
		next.Limits = append(next.Limits, l)
	}
	if !confirmed {
		return State{}, fault.New(fault.InvalidState, "no change of a limit waits for its confirmation").With("status", "none")
	}
	return next, nil
}

// isDue reports whether a change of the limit has waited for RaiseTime.
func (l Limit) isDue(now time.Time) bool { return !l.NextAt.IsZero() && !now.Before(l.NextAt) }

// Impose replaces the operator's limits, effective at once, even if it raises or lifts
// them. The player's own don't change.
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

// imposeAmount changes the amount of an operator's limit; the meter keeps its value.
func (l Limit) imposeAmount(to money.Amount, now time.Time) Limit {
	if to != l.Amount {
		l.Amount, l.From = to, now
	}
	return l
}

// scheduleChange changes the amount of a player's limit, at once or later; the meter
// keeps its value.
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

// Exclude stops play until a moment, or forever. An exclusion is never shortened: an
// earlier end is a fault of kind InvalidState, one that isn't in the future Invalid
// naming "until".
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

// CoolOff stops play for a short time. It is never shortened: an earlier end is a fault
// of kind InvalidState, one outside of CoolOffMin to CoolOffMax from now Invalid naming
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

// SameImposed reports whether two states have the same operator's limits, ignoring how
// much is used.
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

// Tightened returns the state at a moment with the stricter restrictions of both: freeze
// and exclusion of either, the longer exclusion and cool-off, and the tighter of each
// limit. Meters don't change; a limit that the state lacks begins with an empty one. It
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

// tighterThan compares two limits of the same kind, period and token. A lower amount is
// tighter; for equal amounts a lower pending amount, or none; for equal pending amounts
// the later change.
func (l Limit) tighterThan(present Limit) bool {
	order := cmp.Or(cmp.Compare(l.Amount, present.Amount), cmp.Compare(l.pendingAmount(), present.pendingAmount()), present.NextAt.Compare(l.NextAt))
	return order < 0
}

// pendingAmount returns the limit's scheduled amount: the present one if no change is
// scheduled, and more than any amount if the limit ends.
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
// require. The zero Pace requires none. Games without a least time neither wait nor make
// others wait: their rounds aren't recorded.
type Pace struct {
	// Any applies to every type of game that Of doesn't name.
	Any time.Duration
	// Of applies to types of games, of the house and of providers.
	Of map[string]time.Duration
}

// Least returns the least time between the player's last round, of any game with a least
// time, and a new round of this type of game; 0 for none.
func (p Pace) Least(gameType string) time.Duration {
	if least, named := p.Of[gameType]; named {
		return least
	}
	return p.Any
}

// MayBegin returns a fault of kind RateLimited if the player's last round began less
// than the least time ago (Details["retryAfterMs"], Details["reason"] "pace").
//
// A last round more than the least time in the future came from a wrong clock and is
// ignored.
func (s State) MayBegin(least time.Duration, now time.Time) error {
	since := now.Sub(s.LastRound)
	if least <= 0 || s.LastRound.IsZero() || since >= least || since < -least {
		return nil
	}
	wait := min(least-since, least)
	return fault.New(fault.RateLimited, "rounds of this game begin at least %v after the player's last round", least).
		With("retryAfterMs", max(1, (wait+time.Millisecond-1).Milliseconds())).With("reason", "pace")
}

// Began records a round of a game with a least time. It reports false, and records
// nothing, if there is none.
func (s State) Began(least time.Duration, now time.Time) (State, bool) {
	if least <= 0 {
		return s, false
	}
	s.LastRound = now
	return s, true
}
