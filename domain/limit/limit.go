// Package limit implements the exact sliding window: any span of the window's length
// admits at most a given number of requests.
//
// Fixed windows admit twice as many at a boundary, and leaky buckets admit one more soon
// after a burst. A log of admission times does neither. Rate-limiting adapters store the
// logs.
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
	// Remaining is how many more requests would be admitted now.
	Remaining int
	// RetryAfter is the wait until a refused request would be admitted.
	RetryAfter time.Duration
}

// Take admits the request if fewer than rule.Max were admitted in the window that ends
// now, and returns the log without expired entries. An entry expires exactly rule.Window
// after its time. Refused requests are not recorded. If the clock steps back, the newest
// entry's time counts as now, and RetryAfter includes the time until the clock catches
// up.
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

// Without returns the log without one request admitted at the given time, which was
// returned unused. An unknown time changes nothing.
func (l Log) Without(at time.Time) Log {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Equal(at) {
			return slices.Delete(slices.Clone(l), i, i+1)
		}
	}
	return l
}
