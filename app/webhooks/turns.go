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
	// webhookSlow is the answer time from which an endpoint counts as slow. A failing
	// endpoint counts as slow too, because it may not answer.
	webhookSlow = time.Second
	// webhookHolds is how long a turn counts as quick if its endpoint isn't known to be slow.
	// Afterwards another quick turn may begin, however long this one takes.
	webhookHolds = 250 * time.Millisecond
	// webhookProven is the number of consecutive fast attempts that prove an endpoint fast.
	// webhooksProvenOnly goroutines are reserved for proven endpoints, so hanging endpoints
	// can't occupy them. One slow attempt ends the proof.
	webhookProven      = 10
	webhooksProvenOnly = WebhooksAtOnce / 8
	// webhooksQuickAtOnce limits quick turns, so that many quick endpoints don't overload the
	// database. webhooksSlowAtOnce limits the goroutines for slow endpoints, so that they
	// can't delay others, however many there are and however long they take.
	// webhooksSlowAlways of these may begin even while other endpoints wait.
	webhooksQuickAtOnce = WebhooksAtOnce / 4
	webhooksSlowAtOnce  = WebhooksAtOnce / 2
	webhooksSlowAlways  = WebhooksAtOnce / 8
)

// webhookTurnOf is work to do for an endpoint.
type webhookTurnOf struct {
	id string
	// letter is a dead letter to send again; empty for the events after the cursor.
	letter string
	// slow marks a turn of a slow endpoint, proven one of an endpoint proven fast.
	slow, proven bool
	// since is the time when it began.
	since time.Time
}

// webhookTurns holds the waiting turns of proven, other quick, and slow endpoints, each in
// the order in which they were found.
type webhookTurns struct {
	proven, quick, slow []webhookTurnOf
	// waiting holds endpoint and letter of each waiting turn, because a turn may be found
	// again before it begins.
	waiting map[[2]string]bool
	// speeds counts consecutive fast attempts by endpoint; it is negative after a slow one.
	speeds map[string]int
	// begun holds the running turns by endpoint.
	begun map[string]webhookTurnOf
}

func newWebhookTurns() webhookTurns {
	return webhookTurns{waiting: map[[2]string]bool{}, speeds: map[string]int{}, begun: map[string]webhookTurnOf{}}
}

// looksFor reports whether to look for more turns, because no turn of a quick endpoint that
// may begin is waiting.
func (q *webhookTurns) looksFor(now time.Time) bool {
	_, _, others := q.freeTurns(now)
	return len(q.proven) == 0 && (len(q.quick) == 0 || others <= 0)
}

// isBusy reports whether a goroutine works on the endpoint.
func (q *webhookTurns) isBusy(id string) bool {
	_, busy := q.begun[id]
	return busy
}

// freeTurns returns how many quick and slow turns may begin, and how many turns of unproven
// endpoints in total.
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

// hasTurn reports whether a goroutine that asks now would get a turn.
func (q *webhookTurns) hasTurn(now time.Time) bool { return q.nextQueue(now) != nil }

// nextQueue returns the queue with the next turn to begin, or nil.
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

// addTurn adds a turn of an endpoint unless it is already waiting.
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

// takeTurn begins the next turn at an endpoint without a running turn. End it with endTurn.
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

// noteDuration records how long an endpoint took.
func (q *webhookTurns) noteDuration(id string, so time.Duration) {
	if so >= webhookSlow {
		q.speeds[id] = -1
	} else {
		q.speeds[id] = min(max(0, q.speeds[id])+1, webhookProven)
	}
}

// webhookReader reads events for endpoints. Endpoints with the same cursor, such as all
// that have caught up, share one read.
type webhookReader struct {
	casino *Service
	pages  map[string]stream.Page
	// read is the number of pages read.
	read int
	// agents are the agents of players whose events don't name one.
	agents map[wallet.Address]string
}

func (c *Service) webhookReader() *webhookReader {
	return &webhookReader{casino: c, pages: map[string]stream.Page{}, agents: map[wallet.Address]string{}}
}

// pagesRemembered is the maximum number of cached pages. Endpoints far apart share none.
const pagesRemembered = 4

// eventsAfter returns the page of all events after a cursor.
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
	clear(r.agents) // a player may have been bound to another agent
	r.pages[key] = page
	return page, nil
}

// visibleEvent returns the part of an event that the endpoint's agent may see. It reports
// false if there is none, or if the endpoint doesn't subscribe to it.
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
	return r.casino.events.AgentEventFilter(e.Agent, stream.Event.ToAgent)(ctx, named)
}

// restoredEvent returns the announcement of a restore, which every endpoint gets. The
// endpoint's cursor is stored in the database and was restored too, so it names no lost
// event, but the agent's server received events that are lost. The announcement is sent
// once the next epoch has begun; if the service was opened without one, nothing was lost.
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

// hasEvents reports whether an endpoint has an event to send after a cursor, as far as one
// page shows. Otherwise it returns the cursor up to which there is none. It also reports
// true if there are more pages, or if the cursor can no longer be read.
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
