package sites

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// DebitGrace and CreditGrace are how long a delivery is left to the callback that began
// it before the DeliveryWorker takes it up: a bet that is being asked for is answered
// within a callback's time, or its callback is gone. DeliveryInterval is how long to
// rest between two rounds of the worker.
const (
	DebitGrace       = 30 * time.Second
	CreditGrace      = 10 * time.Second
	DeliveryInterval = time.Second
	deliveriesAtOnce = 100
	// pagesAtOnce bounds how many pages that hold nothing due a step looks through.
	pagesAtOnce = 10
)

// A site that didn't answer is tried again after siteRestMin, twice as long each time,
// at most siteRestMax; so is each delivery that went unanswered.
const (
	siteRestMin = time.Second
	siteRestMax = 5 * time.Minute
)

// DeliveryWorker finishes what callbacks left open at agents' sites. A bet whose
// response is lost was refused to the provider for good: the site is asked until its
// response is known, and the stake is given back where it was taken. A win is sent until
// the site responds. Workers may run on every instance: a site's response is the same
// however often it is asked, and each is committed once.
type DeliveryWorker struct {
	casino *Service
	after  string
	rests  map[string]rest // of deliveries by id, of sites by endpoint
}

// rest is a pause before something is tried again.
type rest struct {
	until time.Time
	tries int
}

// DeliveryWorker returns a worker for one goroutine. Which sites and deliveries it lets
// rest is known to this worker alone.
func (c *Service) DeliveryWorker() *DeliveryWorker {
	return &DeliveryWorker{casino: c, rests: map[string]rest{}}
}

// Step sends the next message of one delivery that is due. It reports false at the end
// of the open deliveries, and begins anew with the next step. It also reports false when
// none was due among many, and goes on behind them with the next step.
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

// isDue reports whether the delivery was left to the worker, and neither it nor its site
// rests.
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

// letRest lets the delivery and its site rest.
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

// forgetRested drops what has rested long ago: deliveries that a person closed, sites that
// nobody asks any more.
func (f *DeliveryWorker) forgetRested(now time.Time) {
	for name, r := range f.rests {
		if now.Sub(r.until) > siteRestMax {
			delete(f.rests, name)
		}
	}
}
