package webhooks

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// WebhookInterval is how often commits of other instances are looked for while there are
// webhooks; commits of this instance wake the worker. WebhooksAtOnce is the number of
// endpoints that are sent to at once.
const (
	WebhookInterval = 200 * time.Millisecond
	WebhooksAtOnce  = 64
)

const (
	// webhookListed is the maximum age of the list of endpoints.
	webhookListed = time.Second
	// webhookLease is the length of a lease, which is longer than a try takes. Saving renews
	// it.
	webhookLease = 30 * time.Second
	// webhookConfirm is the maximum age of an endpoint's data when an event is sent to it.
	webhookConfirm = time.Second
	// webhookTurn is how long a worker stays with an endpoint that has more events.
	webhookTurn = 10 * time.Second
	// webhookKept is how long the cursor of an endpoint without events moves only in memory.
	// Another worker that takes over reads those events again.
	webhookKept = 15 * time.Second
	// webhookRest is the timeout for releasing a lease after the service was stopped.
	webhookRest = 5 * time.Second

	webhooksListed = 1_000
	webhookEvents  = 500
	// webhookGap is the least time between two scans by all goroutines, and webhookPause the
	// time after a failed one. If scans take long, because there are many endpoints, they use
	// at most a tenth of the time.
	webhookGap   = 50 * time.Millisecond
	webhookPause = time.Second
	webhookShare = 10
	// webhookPages is the number of pages of events that a scan reads. Endpoints at other
	// cursors are assumed to have work.
	webhookPages = 8
)

// WebhookWorker sends events to agents' endpoints: to each in order, one at a time, until
// it accepts them. Step may be called by several goroutines, and workers may run on every
// instance: a lease gives an endpoint to one of them. The result of a try is stored before
// the next try. If the service ends in between, only that event is sent again, with the
// same id.
type WebhookWorker struct {
	casino *Service
	name   string

	mu sync.Mutex
	// queue holds the turns of endpoints that wait or run.
	queue webhookTurns
	// looked is how far endpoints without events were scanned beyond their stored cursors.
	looked map[string]looked
	// newest is the newest event at the last scan, listed the time of that scan. idle means
	// that there were no endpoints. next is the earliest time of the next scan.
	newest stream.Cursor
	listed time.Time
	next   time.Time
	idle   bool
}

type looked struct {
	// from is the cursor stored at that time; if it differs now, another worker moved it.
	from, to stream.Cursor
	version  int64
	since    time.Time
}

// WebhookWorker returns a worker. It caches data of endpoints to avoid reads.
func (c *Service) WebhookWorker() *WebhookWorker {
	return &WebhookWorker{casino: c, name: c.core.Entropy.ID(), queue: newWebhookTurns(), looked: map[string]looked{}}
}

// Step does the work of one endpoint. It reports false if there was none.
func (w *WebhookWorker) Step(ctx context.Context) (worked bool, err error) {
	w.casino.core.Progress.Began(kernel.WebhooksWorker)
	turn, found, err := w.takeTurn(ctx)
	if err != nil || !found {
		return false, err
	}
	defer w.leaveTurn(turn)
	return true, w.workTurn(ctx, turn)
}

// takeTurn returns an endpoint with work, for this goroutine alone.
func (w *WebhookWorker) takeTurn(ctx context.Context) (webhookTurnOf, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queue.looksFor(w.casino.core.Now()) {
		if err := w.scanEndpoints(ctx); err != nil {
			return webhookTurnOf{}, false, err
		}
	}
	now := w.casino.core.Now()
	turn, found := w.queue.takeTurn(now)
	if found && w.queue.hasTurn(now) {
		w.casino.webhookNews.Wake() // for the next goroutine
	}
	return turn, found, nil
}

// Idle reports whether no turn is waiting and the next scan isn't due. Without endpoints a
// scan is due once in webhookListed.
func (w *WebhookWorker) Idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.casino.core.Now()
	return !w.queue.hasTurn(now) && w.isResting(now)
}

// isResting reports whether the next scan isn't due yet.
func (w *WebhookWorker) isResting(now time.Time) bool {
	return w.next.Sub(now) > 0 && w.next.Sub(now) <= webhookPause || w.idle && now.Sub(w.listed).Abs() < webhookListed
}

func (w *WebhookWorker) leaveTurn(turn webhookTurnOf) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.endTurn(turn)
}

// scanEndpoints finds the endpoints with work. It writes nothing, so endpoints without
// events cost no commit.
func (w *WebhookWorker) scanEndpoints(ctx context.Context) error {
	now, store := w.casino.core.Now(), w.casino.core.Store
	if w.isResting(now) {
		return nil
	}
	old := now.Sub(w.listed).Abs() >= webhookListed
	w.next = now.Add(webhookPause) // replaced below if there is no error
	newest, err := store.Events.Newest(ctx)
	if err != nil {
		return err
	}
	if old || !newest.Equal(w.newest) {
		if err := w.listDue(ctx, now, newest); err != nil {
			return err
		}
		w.newest, w.listed = newest, now
	}
	ended := w.casino.core.Now()
	w.next = ended.Add(min(max(webhookGap, (webhookShare-1)*ended.Sub(now)), webhookPause))
	return nil
}

// listDue checks all endpoints that are due.
func (w *WebhookWorker) listDue(ctx context.Context, now time.Time, newest stream.Cursor) error {
	store := w.casino.core.Store
	letters, err := store.DeadLetters.DeadLettersDue(ctx, now, WebhooksAtOnce)
	if err != nil {
		return err
	}
	for _, l := range letters {
		w.queue.addTurn(webhookTurnOf{id: l.Webhook, letter: l.ID}, false)
	}
	w.idle = len(letters) == 0
	reader, kept := w.casino.webhookReader(), map[string]looked{}
	for after, more := "", true; more; {
		due, err := store.WebhookQueue.WebhooksDue(ctx, now, after, webhooksListed)
		if err != nil {
			return err
		}
		for i := range due {
			after, w.idle = due[i].ID, false
			if kept[after], err = w.findWork(ctx, reader, &due[i], newest, now); err != nil {
				return err
			}
		}
		more = len(due) == webhooksListed
	}
	w.looked = kept
	return nil
}

// findWork adds a turn if an endpoint has work, and returns how far it has none.
func (w *WebhookWorker) findWork(ctx context.Context, reader *webhookReader, e *webhook.Endpoint, newest stream.Cursor, now time.Time) (looked, error) {
	l, known := w.looked[e.ID]
	if !known || l.version != e.Version || !l.from.Equal(e.Cursor) {
		l = looked{from: e.Cursor, to: e.Cursor, version: e.Version, since: now}
	}
	if w.queue.isBusy(e.ID) {
		return l, nil
	}
	ready := now.Sub(l.since) >= webhookKept && !l.to.Equal(l.from)
	if !l.to.Equal(newest) {
		to, heard, err := reader.hasEvents(ctx, e, l.to)
		if err != nil {
			return l, err
		}
		l.to, ready = to, ready || heard
	}
	if ready {
		w.queue.addTurn(webhookTurnOf{id: e.ID}, !e.FailingSince.IsZero())
	}
	return l, nil
}

// workTurn works on an endpoint for one turn.
func (w *WebhookWorker) workTurn(ctx context.Context, turn webhookTurnOf) (err error) {
	now := w.casino.core.Now()
	e, claimed, err := w.casino.core.Store.WebhookQueue.ClaimWebhook(ctx, turn.id, w.name, now, now.Add(webhookLease))
	if err != nil || !claimed {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), webhookRest)
		defer cancel()
		if released := w.casino.core.Store.WebhookQueue.ReleaseWebhook(ctx, e.ID, w.name); err == nil {
			err = released
		}
	}()
	if turn.letter != "" {
		err = w.resendLetter(ctx, e, turn.letter)
	} else if e.Due(now) {
		err = w.deliverEvents(ctx, e, now.Add(webhookTurn))
	}
	if fault.Is(err, fault.InvalidState) { // an admin or another worker changed it and continues
		err = nil
	}
	return err
}

// deliverEvents sends the events after an endpoint's cursor until there are no more, one
// isn't accepted, or the turn is over.
func (w *WebhookWorker) deliverEvents(ctx context.Context, e webhook.Endpoint, until time.Time) error {
	reader := w.casino.webhookReader()
	stored, confirmed := e.Cursor, w.casino.core.Now()
	for more := true; more && w.casino.core.Now().Before(until); {
		page, err := reader.eventsAfter(ctx, e.Cursor)
		if fault.Is(err, fault.InvalidState) {
			return w.saveProgress(ctx, e.Disable(webhook.Behind), ports.WebhookProgress{})
		} else if err != nil {
			return err
		}
		for i := range page.Events {
			shown, heard, err := reader.visibleEvent(ctx, &e, &page.Events[i])
			if err != nil {
				return err
			}
			if !heard {
				continue
			}
			if now := w.casino.core.Now(); now.Sub(confirmed) >= webhookConfirm {
				if err := w.confirmEndpoint(ctx, e, now); err != nil {
					return err
				}
				confirmed = now
			}
			var taken bool
			if e, taken, err = w.trySending(ctx, e, &shown, page.Events[i].Cursor); err != nil || !taken || !w.casino.core.Now().Before(until) {
				return err
			}
			stored = e.Cursor
		}
		e, more = e.Passed(page.Next), page.More
	}
	if e.Cursor.Equal(stored) {
		return nil
	}
	return w.saveProgress(ctx, e, ports.WebhookProgress{})
}

// confirmEndpoint returns webhook.Lost if an admin changed or deleted the endpoint or its
// agent.
func (w *WebhookWorker) confirmEndpoint(ctx context.Context, e webhook.Endpoint, now time.Time) error {
	present, claimed, err := w.casino.core.Store.WebhookQueue.ClaimWebhook(ctx, e.ID, w.name, now, now.Add(webhookLease))
	if err == nil && (!claimed || present.Version != e.Version) {
		err = webhook.Lost(e.ID)
	}
	return err
}

// trySending sends an event once and stores the result. It reports whether the endpoint
// continues with the next event.
func (w *WebhookWorker) trySending(ctx context.Context, e webhook.Endpoint, shown *stream.Event, after stream.Cursor) (webhook.Endpoint, bool, error) {
	c := w.casino
	ledger, err := c.events.Ledger(ctx)
	if err != nil {
		return e, false, err
	}
	body, err := c.encoder.EncodeEvent(ledger, *shown)
	if err != nil {
		return e, false, err
	}
	response, err := w.sendOnce(ctx, e, shown.ID, body)
	if err != nil {
		return e, false, err
	}
	d := webhook.Delivery{EventID: shown.ID, Type: shown.Type, At: shown.At, Body: body, Cursor: after}
	next, letter := e.Answered(d, response, webhook.Try{At: c.core.Now(), Chance: c.randomFraction(), LetterID: c.core.Entropy.ID()})
	if err := w.saveProgress(ctx, next, ports.WebhookProgress{Letter: letter}); err != nil {
		return e, false, err
	}
	return next, next.Cursor.Equal(after), nil
}

// resendLetter sends a dead letter once more.
func (w *WebhookWorker) resendLetter(ctx context.Context, e webhook.Endpoint, id string) error {
	l, err := w.casino.core.Store.DeadLetters.DeadLetter(ctx, e.ID, id)
	if fault.Is(err, fault.NotFound) || err == nil && !l.Due {
		return nil // another worker sent it
	} else if err != nil {
		return err
	}
	response, err := w.sendOnce(ctx, e, l.EventID, l.Body)
	if err != nil {
		return err
	}
	after, settled := l.Answered(response, w.casino.core.Now())
	if settled {
		return w.saveProgress(ctx, e, ports.WebhookProgress{Settled: id})
	}
	return w.saveProgress(ctx, e, ports.WebhookProgress{Letter: &after})
}

// saveProgress stores an endpoint after a try and renews its lease.
func (w *WebhookWorker) saveProgress(ctx context.Context, e webhook.Endpoint, p ports.WebhookProgress) error {
	p.Endpoint, p.Until = e, w.casino.core.Now().Add(webhookLease)
	if err := w.casino.core.Store.WebhookQueue.SaveWebhook(ctx, w.name, p); err != nil {
		return err
	}
	if e.State == webhook.Disabled {
		w.casino.core.Alarms.Raise(ctx, alarm.WebhookDisabled, e.ID, "agent", e.Agent, "reason", string(e.Reason),
			"status", e.Tries.Last.Status, "failure", string(e.Tries.Last.Failure))
	}
	return nil
}

// sendOnce makes one try at an event, and records how long it took.
func (w *WebhookWorker) sendOnce(ctx context.Context, e webhook.Endpoint, eventID string, body []byte) (webhook.Response, error) {
	began := w.casino.core.Now()
	response, err := w.casino.sendWebhook(ctx, e, eventID, body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.noteDuration(e.ID, w.casino.core.Now().Sub(began))
	return response, err
}

// sendWebhook makes one try at an event.
func (c *Service) sendWebhook(ctx context.Context, e webhook.Endpoint, eventID string, body []byte) (webhook.Response, error) {
	at := c.core.Now()
	signatures, err := e.Secrets.Sign(eventID, at, body)
	if err != nil {
		return webhook.Response{}, err
	}
	return c.webhookSite.Send(ctx, webhook.Message{URL: e.URL, ID: eventID, At: at, Signatures: signatures, Body: body})
}

// randomFraction returns a random number in [0, 1).
func (c *Service) randomFraction() float64 {
	seed := c.core.Entropy.Seed()
	return float64(seed[0]) / 256
}

// WebhookWorkers returns the goroutines of one WebhookWorker.
func (c *Service) WebhookWorkers() []kernel.Worker {
	webhooks := c.WebhookWorker()
	workers := make([]kernel.Worker, WebhooksAtOnce)
	for i := range workers {
		workers[i] = kernel.Worker{Name: kernel.WebhooksWorker, Interval: WebhookInterval, Wake: c.webhookNews, Step: webhooks.Step, Idle: webhooks.Idle}
	}
	return workers
}
