package local

import (
	"container/heap"
	"time"
)

// Reservation is a request that Reserve admitted, or nothing when it refused.
type Reservation struct {
	limiter *Limiter // nil when there is nothing to give back
	counted counted
	at      time.Time
}

// Cancel gives the request back, as if it had not been made; a second call does nothing.
// It is not safe for concurrent use.
func (r *Reservation) Cancel() {
	limiter := r.limiter
	if limiter == nil {
		return
	}
	r.limiter = nil
	limiter.mu.Lock()
	defer limiter.mu.Unlock()
	limiter.giveBack(r.counted, r.at)
}

// giveBack removes a time from a log, unless it has left its window already.
func (l *Limiter) giveBack(of counted, at time.Time) {
	known, ok := l.logs[of]
	if !ok {
		return
	}
	known.log = known.log.Without(at)
	if len(known.log) == 0 {
		heap.Remove(&l.byIdle, known.place)
		delete(l.logs, of)
		return
	}
	known.idleAt = known.log[len(known.log)-1].Add(of.rule.Window)
	heap.Fix(&l.byIdle, known.place)
}
