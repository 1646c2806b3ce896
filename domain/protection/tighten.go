package protection

import (
	"slices"
	"time"
)

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
		at := slices.IndexFunc(next.Limits, func(present Limit) bool { return present.compare(l) == 0 })
		if at < 0 {
			l.Used, l.Since = 0, l.Period.begin(now)
			next.Limits, tighter = append(next.Limits, l), true
			continue
		}
		if present := next.Limits[at]; l.tighterThan(present) {
			l.Used, l.Since = present.Used, present.Since
			next.Limits[at], tighter = l, true
		}
	}
	slices.SortFunc(next.Limits, Limit.compare)
	return next, tighter
}

// tighterThan compares two limits of the same: a lower amount is tighter, and of the same
// amount one that is not about to be raised.
func (l Limit) tighterThan(present Limit) bool {
	return l.Amount < present.Amount || l.Amount == present.Amount && l.NextAt.IsZero() && !present.NextAt.IsZero()
}
