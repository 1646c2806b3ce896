package crash

import "time"

// Lease is the right to change rounds, which one worker has at a time.
type Lease struct {
	Worker string
	// Fence numbers the unbroken times in which a worker had it; it only grows.
	Fence int64
	Until time.Time
}

// Take returns the lease as a worker has it until term after now, and false while another one
// has it. Fence is that of the worker's own lease, 0 without one: before its end it is renewed,
// and afterwards the fence is another.
func (l Lease) Take(worker string, fence int64, now time.Time, term time.Duration) (Lease, bool) {
	switch {
	case !now.Before(l.Until):
		l.Fence++
	case l.Worker != worker || l.Fence != fence:
		return l, false
	}
	l.Worker, l.Until = worker, now.Add(term)
	return l, true
}
