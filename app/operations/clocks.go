// Package operations shows the state of the service to its operators: open work and clocks.
package operations

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of operation. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	payouts  *payouts.Service
	treasury *treasury.Service
}

// New returns the use cases of operation. Head reads the chain's newest block to compare
// its time with the service's clock; nil skips this.
func New(core *kernel.Kernel, payouts *payouts.Service, treasury *treasury.Service, head ports.ChainHead) *Service {
	c := &Service{core, payouts, treasury}
	c.compareClocks(head)
	return c
}

// ChainLag is the maximum age of the newest finalized block: blocks are final after 13 s,
// and validators agree on their times in whole seconds.
const ChainLag = time.Minute

// compareClocks makes each step of Health compare the service's clock with those of the
// store and the chain, if there are any. A clock that can't be read is skipped, because the
// probes of database and chain report that. The alarm closes nothing, because it can't tell
// which clock is wrong.
func (c *Service) compareClocks(chain ports.ChainHead) {
	c.core.Health.Look(kernel.ClocksCheck, func(ctx context.Context) kernel.Check {
		begin := c.core.Clock.Now()
		found := []string{}
		for _, apart := range []string{c.storeApart(ctx), c.chainApart(ctx, chain)} {
			if apart != "" {
				found = append(found, apart)
			}
		}
		check := kernel.Check{Status: kernel.OK, Latency: c.core.Clock.Now().Sub(begin), Detail: strings.Join(found, "; ")}
		if len(found) > 0 {
			check.Status = kernel.Degraded
			c.core.Alarms.Raise(ctx, alarm.Clocks, "clocks", "found", check.Detail, "bound", c.core.Settings.ClockBound.String())
		} else {
			c.core.Alarms.Over(ctx, alarm.Clocks, "clocks")
		}
		return check
	})
}

func (c *Service) storeApart(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, kernel.ProbeTime)
	defer cancel()
	asked := c.core.Clock.Now()
	stored, err := c.core.Store.StoreClock.StoreTime(ctx)
	if err != nil || stored.IsZero() {
		return ""
	}
	return ClockDifference("the database's clock", stored, asked, c.core.Clock.Now(), c.core.Settings.ClockBound)
}

// chainApart compares the chain's time, and records the newest slot.
func (c *Service) chainApart(ctx context.Context, chain ports.ChainHead) string {
	if chain == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, kernel.ProbeTime)
	defer cancel()
	asked := c.core.Clock.Now()
	slot, made, err := chain.Head(ctx)
	if err != nil {
		return ""
	}
	c.core.Progress.SawSlot(slot)
	return ClockDifference("the chain's newest finalized block", made, asked.Add(-ChainLag), c.core.Clock.Now(), c.core.Settings.ClockBound)
}

// ClockDifference describes how far a clock's reading lies outside the time of the request,
// or returns "" within the bound.
func ClockDifference(clock string, moment, from, to time.Time, bound time.Duration) string {
	switch {
	case moment.After(to.Add(bound)):
		return fmt.Sprintf("%s is %s ahead of the service's clock", clock, moment.Sub(to).Round(time.Millisecond))
	case moment.Before(from.Add(-bound)):
		return fmt.Sprintf("%s is %s behind the service's clock", clock, to.Sub(moment).Round(time.Millisecond))
	}
	return ""
}
