package sites

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// DebitGrace and CreditGrace are how long the DeliveryWorker leaves a delivery to the
// callback that began it: a callback ends within DebitGrace, so a bet still asked for has
// lost its callback. DeliveryInterval is the pause between two passes of the worker.
const (
	DebitGrace       = 30 * time.Second
	CreditGrace      = 10 * time.Second
	DeliveryInterval = time.Second
	deliveriesAtOnce = 100
	// pagesAtOnce is the maximum number of pages without due deliveries that a step reads.
	pagesAtOnce = 10
)

// Sites and deliveries without an answer are retried after siteRestMin, then after twice as
// long each time, up to siteRestMax.
const (
	siteRestMin = time.Second
	siteRestMax = 5 * time.Minute
)

// DeliveryWorker completes exchanges with agents' sites that callbacks left open. A bet
// with a lost response was already refused to the provider: the worker calls the site until
// the response is known, and returns the stake if it was taken. A win is sent until the
// site responds. Workers may run on every instance: sites give the same response to
// repeats, and each response is committed once.
type DeliveryWorker struct {
	casino *Service
	after  string
	rests  map[string]rest // of deliveries by id, of sites by endpoint
}

// rest is a pause before a retry.
type rest struct {
	until time.Time
	tries int
}

// DeliveryWorker returns a worker for one goroutine. Its pauses are not shared with other
// workers.
func (c *Service) DeliveryWorker() *DeliveryWorker {
	return &DeliveryWorker{casino: c, rests: map[string]rest{}}
}

// Step sends the next message of one due delivery. It reports false at the end of the open
// deliveries, after which the next step begins again, and after pagesAtOnce pages without a
// due delivery, after which the next step continues.
func (f *DeliveryWorker) Step(ctx context.Context) (worked bool, err error) {
	f.casino.core.Progress.Began(kernel.SitesWorker)
	if f.casino.core.Provider == nil {
		return false, nil
	}
	for range pagesAtOnce {
		open, err := f.casino.core.Store.Deliveries.OpenDeliveries(ctx, f.after, deliveriesAtOnce)
		if err != nil {
			return false, err
		}
		now := f.casino.core.Now()
		for _, r := range open {
			f.after = r.ID
			if f.isDue(r, now) {
				return true, f.forwardDelivery(ctx, r)
			}
		}
		if len(open) < deliveriesAtOnce {
			f.after = ""
			f.forgetRested(now)
			return false, ctx.Err()
		}
	}
	return false, nil
}

// isDue reports whether the delivery is left to the worker, and neither the delivery nor
// its site is pausing.
func (f *DeliveryWorker) isDue(r seamless.Delivery, now time.Time) bool {
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

func (f *DeliveryWorker) forwardDelivery(ctx context.Context, r seamless.Delivery) error {
	response := player.DeliveryResponse{DeliveryID: r.ID, Sent: r.Status, Site: r.Site, Event: seamless.NoResponse, Reason: seamless.AgentSeamless}
	if r.Status != seamless.Asking {
		response = f.casino.sendDelivery(ctx, r)
		if !response.Event.FromSite() {
			f.letRest(ctx, r)
			return ctx.Err()
		}
		delete(f.rests, r.ID)
		delete(f.rests, r.Site)
	}
	_, err := f.casino.settleResponse(ctx, r, response)
	return err
}

// letRest starts or doubles the pauses of the delivery and its site.
func (f *DeliveryWorker) letRest(ctx context.Context, r seamless.Delivery) {
	now := f.casino.core.Now()
	for _, name := range [...]string{r.ID, r.Site} {
		known := f.rests[name]
		pause := min(siteRestMin<<min(known.tries, 20), siteRestMax)
		f.rests[name] = rest{now.Add(pause), known.tries + 1}
	}
	if now.Sub(r.At) > siteRestMax {
		f.casino.core.Alarms.Raise(ctx, alarm.SiteUnsettled, r.Agent, "delivery", r.ID, "status", string(r.Status),
			"wallet", string(r.Wallet), "since", r.At.UnixMilli())
	}
}

// forgetRested drops pauses that ended long ago, such as those of closed deliveries and of
// sites no longer in use.
func (f *DeliveryWorker) forgetRested(now time.Time) {
	for name, r := range f.rests {
		if now.Sub(r.until) > siteRestMax {
			delete(f.rests, name)
		}
	}
}
