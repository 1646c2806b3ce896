package fakes

import (
	"sync"
	"time"
)

// Start is when a Clock begins by default: a moment with whole
// microseconds, which is what stores keep, on an ordinary day.
var Start = time.Date(2026, time.March, 14, 9, 26, 53, 589_793_000, time.UTC)

// Clock is a clock that only Advance and Set move. Its zero value stands at Start.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at the moment.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now serves ports.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.present()
}

// Advance moves the clock forward and returns the new time; a negative duration
// steps back, as clocks do.
func (c *Clock) Advance(by time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.present().Add(by)
	return c.now
}

// Set puts the clock to a moment.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

func (c *Clock) present() time.Time {
	if c.now.IsZero() {
		c.now = Start
	}
	return c.now
}
