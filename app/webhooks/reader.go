package webhooks

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
)

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

// after returns the page of all events after a place.
func (r *webhookReader) after(ctx context.Context, at stream.Cursor) (stream.Page, error) {
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

// shown is what an endpoint's agent may hear of an event, and false for nothing, or for what
// the endpoint doesn't want.
func (r *webhookReader) shown(ctx context.Context, e *webhook.Endpoint, of *stream.Event) (stream.Event, bool, error) {
	if of.Type == stream.LedgerClosed {
		return r.restored(ctx, of)
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

// restored is what every endpoint hears where the database was found to have gone back: its
// place is kept in the database and went back too, so that it names nothing that is gone,
// while its server was sent what was lost. It is heard when the next epoch has begun: where
// the service was opened without one nothing was lost.
func (r *webhookReader) restored(ctx context.Context, closed *stream.Event) (stream.Event, bool, error) {
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

// hears reports whether something comes after a place that an endpoint hears, as far as one
// page says, and without that the place up to which there is nothing. Whoever is behind a
// page, or at a place that can't be read any more, has something to do.
func (r *webhookReader) hears(ctx context.Context, e *webhook.Endpoint, at stream.Cursor) (stream.Cursor, bool, error) {
	if _, known := r.pages[at.String()]; !known && r.read >= webhookPages {
		return at, true, nil
	}
	page, err := r.after(ctx, at)
	if err != nil {
		if fault.Is(err, fault.InvalidState) {
			return at, true, nil
		}
		return at, false, err
	}
	for i := range page.Events {
		if _, heard, err := r.shown(ctx, e, &page.Events[i]); err != nil || heard {
			return at, heard, err
		}
	}
	if page.More {
		return at, true, nil
	}
	return page.Next, false, nil
}
