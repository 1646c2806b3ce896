// Package events passes committed events to listeners, and publishes bets.
package events

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of events. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// pseudonyms are the public names of players.
	pseudonyms pseudonyms
	broadcast  *broadcast
}

// New returns the use cases of events. It makes the writer of core wake the broadcast.
func New(core *kernel.Kernel) *Service {
	c := &Service{core: core, pseudonyms: newPseudonyms(core.Seals, core.Entropy)}
	c.broadcast = newBroadcast(core.Store.Events, core.Clock, c.publicEvent)
	core.Store.Writer = WakingWriter{core.Store.Writer, c.broadcast.woken}
	return c
}

// Events returns a page of at most limit events after a cursor, in the order of their
// commits. It is for embedders and leaves nothing out.
func (c *Service) Events(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	return c.core.Store.Events.After(ctx, after, f, limit)
}

// Listen returns a listener for the events after a cursor, or for later commits if it is
// nil. It needs the casino's workers to run (EventsWorker), which pass on the events. The
// caller must close the listener.
func (c *Service) Listen(ctx context.Context, f stream.Filter, after *stream.Cursor) (*Listener, error) {
	return c.broadcast.newListener(ctx, f, "", after, func(_ context.Context, e stream.Event) (stream.Event, bool, error) { return e, true, nil })
}

// Subscribe calls hear for each event after a cursor, in order, until ctx ends or hear
// returns an error, and returns that error. A caller that stores each event's Cursor with
// its results can continue there and gets no event twice. It runs on the caller's
// goroutine; a slow hear delays no other listener.
func (c *Service) Subscribe(ctx context.Context, f stream.Filter, after stream.Cursor, hear func(stream.Event) error) error {
	l, err := c.Listen(ctx, f, &after)
	if err != nil {
		return err
	}
	defer l.Close()
	for {
		some, err := l.Next(ctx)
		if err != nil {
			return err
		}
		for _, e := range some {
			if err := hear(e); err != nil {
				return err
			}
		}
	}
}

// OwnEvents returns a listener for a player's events, as the player may see them.
func (c *Service) OwnEvents(ctx context.Context, caller kernel.Caller, types []stream.Type, after *stream.Cursor) (*Listener, error) {
	return c.broadcast.newListener(ctx, stream.Filter{Wallet: caller.Wallet, Types: types}, caller.Wallet, after,
		func(_ context.Context, e stream.Event) (stream.Event, bool, error) {
			own, may := e.Own(caller.Wallet)
			return own, may, nil
		})
}

// AdminEvents returns a listener for the events that an admin may see. A role bound to an
// agent gets the events of the agent's players, and a role that may not read the audit log
// gets what the players themselves get. The listener ends when the role changes.
func (c *Service) AdminEvents(ctx context.Context, caller kernel.Caller, f stream.Filter, after *stream.Cursor) (*Listener, error) {
	admin, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	l, err := c.broadcast.newListener(ctx, f, caller.Wallet, after, c.eventFilterFor(admin))
	if err == nil {
		l.Until(func(ctx context.Context) error { return c.core.Reauthorize(ctx, caller, rbac.AdminRead, admin) })
	}
	return l, err
}

// eventPagesAtOnce is the maximum number of pages read for one page of an admin, who may
// see few events of each.
const eventPagesAtOnce = 20

// AdminEventPage returns a page of at most limit events that the admin may see. A page with
// few or no events and More set continues at Next.
func (c *Service) AdminEventPage(ctx context.Context, caller kernel.Caller, f stream.Filter, after stream.Cursor, limit int) (stream.Page, error) {
	admin, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return stream.Page{}, err
	}
	show := c.eventFilterFor(admin)
	page := stream.Page{Next: after}
	for range eventPagesAtOnce {
		some, err := c.core.Store.Events.After(ctx, page.Next, f, limit-len(page.Events))
		if err != nil {
			return stream.Page{}, err
		}
		for _, e := range some.Events {
			seen, may, err := show(ctx, e)
			if err != nil {
				return stream.Page{}, err
			}
			if may {
				page.Events = append(page.Events, seen)
			}
		}
		if page.Next, page.More = some.Next, some.More; !page.More || len(page.Events) == limit {
			break
		}
	}
	return page, nil
}

// eventFilterFor returns a function that selects the events that an admin may see.
func (c *Service) eventFilterFor(admin rbac.Assignment) eventFilter {
	seen := func(e stream.Event) (stream.Event, bool) {
		if _, is := e.Data.(stream.Alarm); is { // every admin may list alarms
			return e, true
		}
		return e.Own(e.Wallet)
	}
	if c.core.Policy.Check(admin, rbac.AuditRead) == nil {
		seen = func(e stream.Event) (stream.Event, bool) { return e, true }
	}
	return c.AgentEventFilter(admin.AgentCode, seen)
}

// AgentEventFilter returns a function that selects the events of an agent, or all events if the
// code is empty; seen returns the visible part of each. It is the only place that keeps
// events from other agents' admins and endpoints.
func (c *Service) AgentEventFilter(agent string, seen func(stream.Event) (stream.Event, bool)) eventFilter {
	return func(ctx context.Context, e stream.Event) (stream.Event, bool, error) {
		if own, may := e.Own(""); may {
			return own, true, nil // an event for everyone
		}
		if agent != "" {
			of, err := c.core.AgentOf(ctx, &e)
			if err != nil || of != agent {
				return e, false, err
			}
		}
		own, may := seen(e)
		return own, may, nil
	}
}

// Ledger returns the id of the ledger, which is the source of its events. It is empty if
// the store keeps none.
func (c *Service) Ledger(ctx context.Context) (string, error) {
	state, err := c.core.Store.Controls.State(ctx)
	return state.Ledger, err
}

// Tap calls hear with all events that are committed from now on, a page at a time and in
// order, until the caller calls stop. hear must be quick and must not call the service. Like
// Listen it needs EventsWorker.
func (c *Service) Tap(ctx context.Context, hear func([]stream.Event)) (stop func(), err error) {
	return c.broadcast.addTap(ctx, hear)
}

// Pseudonym returns the public name of a player in the month of a moment.
func (c *Service) Pseudonym(w wallet.Address, at time.Time) (string, error) {
	return c.pseudonyms.pseudonymOf(w, at)
}

// WatchBets returns a listener of public bets in house games, as they are played: the
// newest, at most FeedRate a second.
func (c *Service) WatchBets(ctx context.Context) (*FeedListener, error) {
	return c.broadcast.newFeedListener(ctx)
}

// publicEvent returns the public bet of an event, and false for other events.
func (c *Service) publicEvent(e *stream.Event) (PublicBet, bool, error) {
	settled, played := e.Data.(stream.Settled)
	if !played {
		return PublicBet{}, false, nil
	}
	bet, err := c.publicBet(settled.Round)
	return bet, true, err
}

// EventsWorker returns the worker that passes on committed events.
func (c *Service) EventsWorker() kernel.Worker {
	return kernel.Worker{Name: kernel.EventsWorker, Interval: EventsInterval, WhileRestored: true, Wake: c.broadcast.woken, Step: c.broadcastStep}
}

// broadcastStep is a step of EventsWorker.
func (c *Service) broadcastStep(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(kernel.EventsWorker)
	return c.broadcast.Step(ctx)
}

// WakingWriter wakes listeners after each commit of this instance.
type WakingWriter struct {
	ports.Writer
	News News
}

// Commit implements ports.Writer.
func (w WakingWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := w.Writer.Commit(ctx, item)
	w.News.Wake()
	return receipt, err
}
