package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// ClockBoundDefault is how far clocks may be apart where Settings.ClockBound is zero. A
// login message may be two minutes old and a minute ahead, caps count by the database's
// hours, and days of reports begin by the service's clock.
const ClockBoundDefault = 10 * time.Second

// chainLag is how much older than the present the newest finalized block may be: blocks
// are final after 13 s, and their times are what validators agree on, in whole seconds.
const chainLag = time.Minute

// compareClocks has each step of Health compare the service's clock with those of the
// store and of the chain, as far as there are any. A clock that can't be asked says
// nothing: the probes of the database and the chain say that. Nothing is closed by the
// alarm: whose clock is wrong can't be known from here.
func (c *Casino) compareClocks(chain ports.ChainHead) {
	c.health.look(ClocksCheck, func(ctx context.Context) Check {
		begin := c.Clock.Now()
		found := []string{}
		for _, apart := range []string{c.storeApart(ctx), c.chainApart(ctx, chain)} {
			if apart != "" {
				found = append(found, apart)
			}
		}
		check := Check{Status: OK, Latency: c.Clock.Now().Sub(begin), Detail: strings.Join(found, "; ")}
		if len(found) > 0 {
			check.Status = Degraded
			c.alarms.raise(ctx, alarm.Clocks, "clocks", "found", check.Detail, "bound", c.Settings.ClockBound.String())
		} else {
			c.alarms.over(ctx, alarm.Clocks, "clocks")
		}
		return check
	})
}

func (c *Casino) storeApart(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	asked := c.Clock.Now()
	stored, err := c.store.StoreClock.StoreTime(ctx)
	if err != nil || stored.IsZero() {
		return ""
	}
	return c.apart("the database's clock", stored, asked, c.Clock.Now())
}

// chainApart also remembers the newest slot.
func (c *Casino) chainApart(ctx context.Context, chain ports.ChainHead) string {
	if chain == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	asked := c.Clock.Now()
	slot, made, err := chain.Head(ctx)
	if err != nil {
		return ""
	}
	c.sawSlot(slot)
	return c.apart("the chain's newest finalized block", made, asked.Add(-chainLag), c.Clock.Now())
}

// apart says how far a moment lies outside of those between which it was asked for, ""
// within the bound.
func (c *Casino) apart(whose string, moment, from, to time.Time) string {
	switch bound := c.Settings.ClockBound; {
	case moment.After(to.Add(bound)):
		return fmt.Sprintf("%s is %s ahead of the service's clock", whose, moment.Sub(to).Round(time.Millisecond))
	case moment.Before(from.Add(-bound)):
		return fmt.Sprintf("%s is %s behind the service's clock", whose, to.Sub(moment).Round(time.Millisecond))
	}
	return ""
}
