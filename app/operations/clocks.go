// Package operations shows the service's state to those who run it: open work and clocks.
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

// Service is the use cases of operation. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	payouts  *payouts.Service
	treasury *treasury.Service
}

// New returns the use cases of operation. Head is the chain's newest block, whose time is
// compared with the service's own; nil compares nothing.
func New(core *kernel.Kernel, payouts *payouts.Service, treasury *treasury.Service, head ports.ChainHead) *Service {
	c := &Service{core, payouts, treasury}
	c.compareClocks(head)
	return c
}

// chainLag is how much older than the present the newest finalized block may be: blocks
// are final after 13 s, and their times are what validators agree on, in whole seconds.
const chainLag = time.Minute

// compareClocks has each step of Health compare the service's clock with those of the
// store and of the chain, as far as there are any. A clock that can't be asked says
// nothing: the probes of the database and the chain say that. Nothing is closed by the
// alarm: whose clock is wrong can't be known from here.
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
	return c.clockDifference("the database's clock", stored, asked, c.core.Clock.Now())
}

// chainApart also remembers the newest slot.
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
	return c.clockDifference("the chain's newest finalized block", made, asked.Add(-chainLag), c.core.Clock.Now())
}

// clockDifference says how far a moment lies outside of those between which it was asked for, ""
// within the bound.
func (c *Service) clockDifference(whose string, moment, from, to time.Time) string {
	switch bound := c.core.Settings.ClockBound; {
	case moment.After(to.Add(bound)):
		return fmt.Sprintf("%s is %s ahead of the service's clock", whose, moment.Sub(to).Round(time.Millisecond))
	case moment.Before(from.Add(-bound)):
		return fmt.Sprintf("%s is %s behind the service's clock", whose, to.Sub(moment).Round(time.Millisecond))
	}
	return ""
}
