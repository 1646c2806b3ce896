// Package limit is the exact sliding window: in any span of the window's length
// at most so many requests are admitted.
//
// Fixed windows let twice as many through at a boundary, and leaky buckets let
// one more through soon after a burst; a log of the admitted moments does
// neither. Rate-limiting adapters keep the logs.
package limit

import (
	"slices"
	"time"
)

// Rule admits at most Max requests in any Window.
type Rule struct {
	Max    int
	Window time.Duration
}

// Log is the times at which requests were admitted, oldest first. The zero
// Log is empty.
type Log []time.Time

// Decision is the result for one request.
type Decision struct {
	Allowed bool
	// Remaining is how many more would be admitted at this moment.
	Remaining int
	// RetryAfter is how long to wait until a refused request would be admitted.
	RetryAfter time.Duration
}

// Take admits the request when fewer than rule.Max were admitted in the window
// that ends now, and returns the log without what has left the window. A moment
// leaves the window exactly rule.Window after it. Refused requests are not
// recorded. A clock that steps back counts as standing still, and RetryAfter
// is measured on that clock: it then includes the time until it has caught up.
func (l Log) Take(rule Rule, now time.Time) (Log, Decision) {
	present := now
	if n := len(l); n > 0 && now.Before(l[n-1]) {
		present = l[n-1]
	}
	oldest := 0
	for oldest < len(l) && !l[oldest].Add(rule.Window).After(present) {
		oldest++
	}
	kept := slices.Clone(l[oldest:])
	if len(kept) >= rule.Max {
		wait := rule.Window
		if rule.Max > 0 {
			wait = kept[len(kept)-rule.Max].Add(rule.Window).Sub(now)
		}
		return kept, Decision{RetryAfter: wait}
	}
	kept = append(kept, present)
	return kept, Decision{Allowed: true, Remaining: rule.Max - len(kept)}
}

// Without returns the log without one request that was admitted at the moment:
// it was given back before it did anything. A moment that isn't in the log
// changes nothing.
func (l Log) Without(at time.Time) Log {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Equal(at) {
			return slices.Delete(slices.Clone(l), i, i+1)
		}
	}
	return l
}
