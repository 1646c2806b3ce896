package operations_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/test/apptest"
)

// offClock is the clock of a store or a chain, with an offset.
type offClock struct {
	h     *house
	store time.Duration
	chain time.Duration
	fails error
}

func (o *offClock) StoreTime(context.Context) (time.Time, error) {
	return o.h.Clock.Now().Add(o.store), o.fails
}

func (o *offClock) Head(context.Context) (uint64, time.Time, error) {
	return 1, o.h.Clock.Now().Add(o.chain), o.fails
}

func TestClocksThatAreApartDegrade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clocks offClock
		says   []string
	}{
		"together":                  {offClock{}, nil},
		"within the bound":          {offClock{store: -10 * time.Second, chain: 10 * time.Second}, nil},
		"final a minute ago":        {offClock{chain: -70 * time.Second}, nil},
		"a database behind":         {offClock{store: -10*time.Second - 1}, []string{"the database's clock is 10s behind"}},
		"a database ahead":          {offClock{store: time.Hour}, []string{"the database's clock is 1h0m0s ahead"}},
		"a chain behind":            {offClock{chain: -71 * time.Second}, []string{"the chain's newest finalized block is 1m11s behind"}},
		"a chain ahead":             {offClock{chain: 11 * time.Second}, []string{"the chain's newest finalized block is 11s ahead"}},
		"the service's clock wrong": {offClock{store: time.Hour, chain: time.Hour}, []string{"the database's clock is 1h0m0s ahead", "the chain's newest finalized block is 1h0m0s ahead"}},
		"nobody answers":            {offClock{store: time.Hour, chain: time.Hour, fails: errors.New("away")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := bare(t, func(d *app.Deps) { d.Store.StoreClock, d.ChainHead = &c.clocks, &c.clocks })
			c.clocks.h = h
			apptest.OK(h.Health().Step(h.Ctx))(t)
			report := h.Health().Report()
			check := report.Checks[kernel.ClocksCheck]
			want, alarms := kernel.OK, 0
			if len(c.says) > 0 {
				want, alarms = kernel.Degraded, 1
			}
			apptest.Equal(t, "check", check.Status, want)
			apptest.Equal(t, "not down", report.Status == kernel.Down, false)
			apptest.Equal(t, "alarms", h.CountAlarms(alarm.Clocks.Message()), alarms)
			for _, says := range c.says {
				if !strings.Contains(check.Detail, says) {
					t.Errorf("it says %q, not %q", check.Detail, says)
				}
			}
			c.clocks = offClock{h: h} // corrected
			apptest.OK(h.Health().Step(h.Ctx))(t)
			apptest.Equal(t, "afterwards", h.Health().Report().Checks[kernel.ClocksCheck], kernel.Check{Status: kernel.OK})
		})
	}
}

// TestClocksOfTheStoreAndTheChainAreRead compares the real ports: nothing is apart.
func TestClocksOfTheStoreAndTheChainAreRead(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h = h.Remade(func(d *app.Deps) { d.ChainHead = h.Chain.Fake })
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "together", h.Health().Report().Checks[kernel.ClocksCheck].Status, kernel.OK)
	h.Chain.Fake.Follow(standing(h.Clock.Now().Add(-time.Hour)))
	apptest.OK(h.Health().Step(h.Ctx))(t)
	apptest.Equal(t, "a chain that stands", h.Health().Report().Checks[kernel.ClocksCheck].Status, kernel.Degraded)
}

// standing is a stopped clock.
type standing time.Time

func (s standing) Now() time.Time { return time.Time(s) }
