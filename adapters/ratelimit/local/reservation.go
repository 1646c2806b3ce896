package local

import "time"

// Reservation is a request that Reserve admitted; empty if Reserve rejected it.
type Reservation struct {
	limiter *Limiter // nil when there is nothing to give back
	in      place
	at      time.Time
}

// Cancel gives the request back, as if it had not been made; a second call does nothing. It
// is not safe for concurrent use.
func (r *Reservation) Cancel() {
	limiter := r.limiter
	if limiter == nil {
		return
	}
	r.limiter = nil
	limiter.mu.Lock()
	defer limiter.mu.Unlock()
	r.in.level.giveBack(r.in, r.at)
}
