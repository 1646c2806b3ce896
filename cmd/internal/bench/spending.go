package bench

import "time"

// spending is the processor time of this process between two moments.
type spending struct {
	begun, used time.Duration
	running     bool
}

func (s *spending) start() { s.begun, s.running = processorTime(), true }

func (s *spending) stop() {
	if s.running {
		s.used, s.running = processorTime()-s.begun, false
	}
}

// perRequest returns the processor time per request in microseconds.
func (s *spending) perRequest(requests int64) float64 {
	return float64(s.used.Microseconds()) / float64(max(1, requests))
}
