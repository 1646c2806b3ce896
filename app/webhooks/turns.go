package webhooks

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
)

const (
	// webhookSlow is how long an endpoint takes to answer that is slow. One that fails is slow
	// too: it may not answer at all.
	webhookSlow = time.Second
	// webhookHolds is how long a turn at an endpoint that isn't known to be slow counts as a
	// quick one: then another may begin, however long this one takes.
	webhookHolds = 250 * time.Millisecond
	// webhookProven is how many fast attempts in a row prove an endpoint to be fast. The last
	// webhooksProvenOnly goroutines are for proven endpoints: others that hang, however many,
	// leave them free. An endpoint that is slow once has to prove itself again.
	webhookProven      = 10
	webhooksProvenOnly = WebhooksAtOnce / 8
	// webhooksQuickAtOnce is how many turns are quick ones, so that many quick endpoints don't
	// take up the database. webhooksSlowAtOnce is how many goroutines of WebhooksAtOnce
	// endpoints have that are known to be slow. However many there are, and however long each
	// makes its sender wait, the others go on. webhooksSlowAlways are theirs whatever else
	// waits.
	webhooksQuickAtOnce = WebhooksAtOnce / 4
	webhooksSlowAtOnce  = WebhooksAtOnce / 2
	webhooksSlowAlways  = WebhooksAtOnce / 8
)

// webhookTurnOf is what is to be done at an endpoint.
type webhookTurnOf struct {
	id string
	// letter is a dead letter to be sent again, empty for the events after the cursor.
	letter string
	// slow says that it is one of the slow endpoints' turns, proven one of an endpoint that
	// is proven to be fast.
	slow, proven bool
	// since is when it began.
	since time.Time
}

// webhookTurns are turns that wait, of proven endpoints, of other quick ones and of slow
// ones. Those of each go in the order in which they were found.
type webhookTurns struct {
	proven, quick, slow []webhookTurnOf
	// waiting are the turns that wait, which may be found again before they begin: endpoint
	// and letter.
	waiting map[[2]string]bool
	// speeds are how often in a row endpoints were fast, negative after a slow attempt.
	speeds map[string]int
	// begun are the turns that goroutines are at, by endpoint.
	begun map[string]webhookTurnOf
}

func newWebhookTurns() webhookTurns {
	return webhookTurns{waiting: map[[2]string]bool{}, speeds: map[string]int{}, begun: map[string]webhookTurnOf{}}
}

// looksFor reports that more is to be looked for: of quick endpoints none waits that may
// begin.
func (q *webhookTurns) looksFor(now time.Time) bool {
	_, _, others := q.freeTurns(now)
	return len(q.proven) == 0 && (len(q.quick) == 0 || others <= 0)
}

// isBusy reports whether a goroutine is at the endpoint.
func (q *webhookTurns) isBusy(id string) bool {
	_, busy := q.begun[id]
	return busy
}

// freeTurns returns how many quick and slow turns may begin, and how many of all those of
// endpoints that aren't proven.
func (q *webhookTurns) freeTurns(now time.Time) (quick, slow, others int) {
	quick, slow, others = webhooksQuickAtOnce, webhooksSlowAtOnce, WebhooksAtOnce-webhooksProvenOnly
	for _, turn := range q.begun {
		if turn.slow {
			slow--
		} else if now.Sub(turn.since).Abs() < webhookHolds {
			quick--
		}
		if !turn.proven {
			others--
		}
	}
	return quick, min(slow, others), others
}

// hasTurn reports whether a goroutine that comes now would get a turn.
func (q *webhookTurns) hasTurn(now time.Time) bool { return q.nextQueue(now) != nil }

// nextQueue returns the turns of which the first may begin, nil for none.
func (q *webhookTurns) nextQueue(now time.Time) *[]webhookTurnOf {
	quick, slow, others := q.freeTurns(now)
	anySlow := len(q.slow) > 0 && slow > 0
	switch {
	case anySlow && slow > webhooksSlowAtOnce-webhooksSlowAlways:
		return &q.slow
	case len(q.proven) > 0 && quick > 0:
		return &q.proven
	case len(q.quick) > 0 && min(quick, others) > 0:
		return &q.quick
	case anySlow:
		return &q.slow
	}
	return nil
}

// addTurn adds a turn of an endpoint.
func (q *webhookTurns) addTurn(turn webhookTurnOf, failing bool) {
	if key := [2]string{turn.id, turn.letter}; !q.waiting[key] {
		q.waiting[key] = true
		turn.slow = failing || q.speeds[turn.id] < 0
		turn.proven = !turn.slow && q.speeds[turn.id] >= webhookProven
		switch {
		case turn.slow:
			q.slow = append(q.slow, turn)
		case turn.proven:
			q.proven = append(q.proven, turn)
		default:
			q.quick = append(q.quick, turn)
		}
	}
}

// takeTurn begins the next turn at an endpoint where nobody is; it is to be left.
func (q *webhookTurns) takeTurn(now time.Time) (turn webhookTurnOf, found bool) {
	for turns := q.nextQueue(now); turns != nil; turns = q.nextQueue(now) {
		turn, *turns = (*turns)[0], (*turns)[1:]
		delete(q.waiting, [2]string{turn.id, turn.letter})
		if !q.isBusy(turn.id) {
			turn.since = now
			q.begun[turn.id] = turn
			return turn, true
		}
	}
	return webhookTurnOf{}, false
}

func (q *webhookTurns) endTurn(turn webhookTurnOf) { delete(q.begun, turn.id) }

// noteDuration notes how long an endpoint took.
func (q *webhookTurns) noteDuration(id string, so time.Duration) {
	if so >= webhookSlow {
		q.speeds[id] = -1
	} else {
		q.speeds[id] = min(max(0, q.speeds[id])+1, webhookProven)
	}
}

// webhookReader reads events for endpoints. Those that are at the same place, as all are
// that have caught up, are served by one read.
type webhookReader struct {
	casino *Service
	pages  map[string]stream.Page
	// read is how many pages were read.
	read int
	// agents are those of players whom events don't name the agent of.
	agents map[wallet.Address]string
}

func (c *Service) webhookReader() *webhookReader {
	return &webhookReader{casino: c, pages: map[string]stream.Page{}, agents: map[wallet.Address]string{}}
}

// pagesRemembered bounds what a reader keeps: endpoints far behind each other share nothing.
const pagesRemembered = 4

// eventsAfter returns the page of all events after a place.
func (r *webhookReader) eventsAfter(ctx context.Context, at stream.Cursor) (stream.Page, error) {
	key := at.String()
	if page, known := r.pages[key]; known {
		return page, nil
	}
	r.read++
	page, err := r.casino.core.Store.Events.After(ctx, at, stream.Filter{}, webhookEvents)
	if err != nil {
		return page, err
	}
	if len(r.pages) >= pagesRemembered {
		clear(r.pages)
	}
	clear(r.agents) // who was rebound meanwhile is heard by another agent
	r.pages[key] = page
	return page, nil
}

// visibleEvent is what an endpoint's agent may hear of an event, and false for nothing, or for what
// the endpoint doesn't want.
func (r *webhookReader) visibleEvent(ctx context.Context, e *webhook.Endpoint, of *stream.Event) (stream.Event, bool, error) {
	if of.Type == stream.LedgerClosed {
		return r.restoredEvent(ctx, of)
	}
	if !e.Keeps(of) {
		return stream.Event{}, false, nil
	}
	named := *of
	if named.Agent == "" && named.Wallet != "" {
		agent, known := r.agents[named.Wallet]
		if !known {
			var err error
			if agent, err = r.casino.core.AgentOf(ctx, of); err != nil {
				return stream.Event{}, false, err
			}
			r.agents[named.Wallet] = agent
		}
		named.Agent = agent
	}
	return r.casino.events.HeardWithin(e.Agent, stream.Event.ToAgent)(ctx, named)
}

// restoredEvent is what every endpoint hears where the database was found to have gone back: its
// place is kept in the database and went back too, so that it names nothing that is gone,
// while its server was sent what was lost. It is heard when the next epoch has begun: where
// the service was opened without one nothing was lost.
func (r *webhookReader) restoredEvent(ctx context.Context, closed *stream.Event) (stream.Event, bool, error) {
	ends := stream.Filter{Types: []stream.Type{stream.LedgerOpened, stream.LedgerRecovered}}
	for at, more := closed.Cursor, true; more; {
		page, err := r.casino.core.Store.Events.After(ctx, at, ends, 1)
		if err != nil {
			return stream.Event{}, false, err
		}
		for _, e := range page.Events {
			return stream.Found(closed, e.Cursor.Epoch), e.Type == stream.LedgerRecovered, nil
		}
		at, more = page.Next, page.More
	}
	return stream.Event{}, false, nil
}

// hasEvents reports whether something comes after a place that an endpoint hears, as far as one
// page says, and without that the place up to which there is nothing. Whoever is behind a
// page, or at a place that can't be read any more, has something to do.
func (r *webhookReader) hasEvents(ctx context.Context, e *webhook.Endpoint, at stream.Cursor) (stream.Cursor, bool, error) {
	if _, known := r.pages[at.String()]; !known && r.read >= webhookPages {
		return at, true, nil
	}
	page, err := r.eventsAfter(ctx, at)
	if err != nil {
		if fault.Is(err, fault.InvalidState) {
			return at, true, nil
		}
		return at, false, err
	}
	for i := range page.Events {
		if _, heard, err := r.visibleEvent(ctx, e, &page.Events[i]); err != nil || heard {
			return at, heard, err
		}
	}
	if page.More {
		return at, true, nil
	}
	return page.Next, false, nil
}
