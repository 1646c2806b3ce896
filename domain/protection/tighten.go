package protection

import (
	"cmp"
	"math"
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

// tighterThan compares two limits of the same: a lower amount is tighter, of the same
// amount one that is about to be raised to less, or not at all, and of the same raise the
// later one.
func (l Limit) tighterThan(present Limit) bool {
	order := cmp.Or(cmp.Compare(l.Amount, present.Amount), cmp.Compare(l.next(), present.next()), present.NextAt.Compare(l.NextAt))
	return order < 0
}

// next is what the limit is about to be: the present amount where nothing waits, and more
// than any amount where it ends.
func (l Limit) next() uint64 {
	switch {
	case l.NextAt.IsZero():
		return uint64(l.Amount)
	case l.Lifted:
		return math.MaxUint64
	}
	return uint64(l.Next)
}
