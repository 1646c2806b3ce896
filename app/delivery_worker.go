package app

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// How long a route is left to the callback that began it, and how long the edge
// rests between two rounds over the routes. An asking route is answered within a
// callback's time, or its callback is gone.
const (
	DebitGrace       = 30 * time.Second
	CreditGrace      = 10 * time.Second
	DeliveryInterval = time.Second
	deliveriesAtOnce = 100
	// pagesAtOnce bounds what a step looks at that isn't due.
	pagesAtOnce = 10
)

// A site that said nothing is asked again after siteRestMin, twice as long each
// time, at most siteRestMax; what it was asked is asked again as late.
const (
	siteRestMin = time.Second
	siteRestMax = 5 * time.Minute
)

// DeliveryWorker finishes what callbacks left open at operators' sites: bets whose
// answer is lost are refused to the provider for good, asked until the site's answer
// is known, and given back where they were taken; wins are told until they are
// heard. It may run on every instance: the sites' answers are the same however
// often they are asked, and each is committed once.
type DeliveryWorker struct {
	casino *Casino
	after  string
	rests  map[string]rest // of routes by id, of sites by endpoint
}

// rest is how long something is left alone.
type rest struct {
	until time.Time
	tries int
}

// DeliveryWorker returns a worker that works by its steps, one at a time. It remembers in
// this process alone whom it leaves alone.
func (c *Casino) DeliveryWorker() *DeliveryWorker {
	return &DeliveryWorker{casino: c, rests: map[string]rest{}}
}

// Step takes one route one message on. It reports false when it came to the end of
// what is open, and begins anew with the next step, or when nothing was due of many
// that are, and goes on with the next step.
func (f *DeliveryWorker) Step(ctx context.Context) (worked bool, err error) {
	if f.casino.Provider == nil {
		return false, nil
	}
	for range pagesAtOnce {
		open, err := f.casino.store.Deliveries.OpenDeliveries(ctx, f.after, deliveriesAtOnce)
		if err != nil {
			return false, err
		}
		now := f.casino.now()
		for _, r := range open {
			f.after = r.ID
			if f.due(r, now) {
				return true, f.forward(ctx, r)
			}
		}
		if len(open) < deliveriesAtOnce {
			f.after = ""
			f.forget(now)
			return false, ctx.Err()
		}
	}
	return false, nil
}

// due reports whether the route is left to us, and neither it nor its site rests.
func (f *DeliveryWorker) due(r seamless.Delivery, now time.Time) bool {
	left := time.Duration(0)
	switch r.Status {
	case seamless.Asking:
		return now.Sub(r.UpdatedAt) >= DebitGrace
	case seamless.Delivering:
		left = CreditGrace
	}
	return r.Status.Pending() && now.Sub(r.UpdatedAt) >= left &&
		!now.Before(f.rests[r.ID].until) && !now.Before(f.rests[r.Site].until)
}

func (f *DeliveryWorker) forward(ctx context.Context, r seamless.Delivery) error {
	heard := player.DeliveryResponse{DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: seamless.NoResponse, Reason: seamless.AgentSeamless}
	if r.Status != seamless.Asking {
		heard = f.casino.recordResponse(ctx, r)
		if !heard.Event.FromSite() {
			f.leave(ctx, r)
			return ctx.Err()
		}
		delete(f.rests, r.ID)
		delete(f.rests, r.Site)
	}
	_, err := f.casino.settle(ctx, r, heard)
	return err
}

// leave lets the route and its site rest.
func (f *DeliveryWorker) leave(ctx context.Context, r seamless.Delivery) {
	now := f.casino.now()
	for _, name := range [...]string{r.ID, r.Site} {
		known := f.rests[name]
		pause := min(siteRestMin<<min(known.tries, 20), siteRestMax)
		f.rests[name] = rest{now.Add(pause), known.tries + 1}
	}
	if now.Sub(r.At) > siteRestMax {
		f.casino.alarms.raise(ctx, AlarmSiteUnsettled, r.Agent, "route", r.ID, "status", string(r.Status),
			"wallet", string(r.Wallet), "since", r.At.UnixMilli())
	}
}

// forget drops what has rested long ago: routes that a person closed, sites that
// nobody asks any more.
func (f *DeliveryWorker) forget(now time.Time) {
	for name, r := range f.rests {
		if now.Sub(r.until) > siteRestMax {
			delete(f.rests, name)
		}
	}
}
