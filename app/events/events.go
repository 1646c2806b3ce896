// Package events hands what was committed to whoever listens, and shows bets to the public.
package events

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of events. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	// pseudonyms are the players' names in public.
	pseudonyms pseudonyms
	broadcast  *broadcast
}

// New returns the use cases of events. From then on the writer of core wakes the broadcast.
func New(core *kernel.Kernel) *Service {
	c := &Service{core: core, pseudonyms: newPseudonyms(core.Seals, core.Entropy)}
	c.broadcast = newBroadcast(core.Store.Events, core.Clock, c.publicEvent)
	core.Store.Writer = WakingWriter{core.Store.Writer, c.broadcast.woken}
	return c
}

// Events returns a page of at most limit events after a place, everything that was
// committed in its order. It is for whoever embeds the casino: nothing is left out.
func (c *Service) Events(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	return c.core.Store.Events.After(ctx, after, f, limit)
}

// Listen returns a listener for the events after a place, nil for what is committed from
// now on. The casino's workers run meanwhile (EventsWorker): they hand out what is
// committed. Whoever listens closes the listener.
func (c *Service) Listen(ctx context.Context, f stream.Filter, after *stream.Cursor) (*Listener, error) {
	return c.broadcast.newListener(ctx, f, "", after, func(_ context.Context, e stream.Event) (stream.Event, bool, error) { return e, true, nil })
}

// Subscribe calls hear with each event after a place, in order, until ctx ends or hear
// returns an error, and returns that error. Whoever keeps an event's Cursor with what they
// made of it goes on there and hears no event twice. It runs on the caller's goroutine;
// a slow hear holds up nobody else.
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

// OwnEvents returns a listener for what concerns a player, as the player may see it.
func (c *Service) OwnEvents(ctx context.Context, caller kernel.Caller, types []stream.Type, after *stream.Cursor) (*Listener, error) {
	return c.broadcast.newListener(ctx, stream.Filter{Wallet: caller.Wallet, Types: types}, caller.Wallet, after,
		func(_ context.Context, e stream.Event) (stream.Event, bool, error) {
			own, may := e.Own(caller.Wallet)
			return own, may, nil
		})
}

// AdminEvents returns a listener for what an admin may hear: a role that is bound to an
// agent hears what concerns the agent's players, and one that may not read the audit log
// hears of players what they hear themselves. The listener ends when the role changes.
func (c *Service) AdminEvents(ctx context.Context, caller kernel.Caller, f stream.Filter, after *stream.Cursor) (*Listener, error) {
	admin, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	l, err := c.broadcast.newListener(ctx, f, caller.Wallet, after, c.heardBy(admin))
	if err == nil {
		l.Until(func(ctx context.Context) error { return c.core.Reauthorize(ctx, caller, rbac.AdminRead, admin) })
	}
	return l, err
}

// eventPagesAtOnce is how many pages of events are read for one page of an admin, who may
// hear little of each.
const eventPagesAtOnce = 20

// AdminEventPage returns a page of at most limit of these events. One that has few or none
// and More goes on at Next.
func (c *Service) AdminEventPage(ctx context.Context, caller kernel.Caller, f stream.Filter, after stream.Cursor, limit int) (stream.Page, error) {
	admin, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return stream.Page{}, err
	}
	show := c.heardBy(admin)
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

// heardBy is what an admin may see of events.
func (c *Service) heardBy(admin rbac.Assignment) shows {
	seen := func(e stream.Event) (stream.Event, bool) {
		if _, is := e.Data.(stream.Alarm); is { // who may list them may hear them
			return e, true
		}
		return e.Own(e.Wallet)
	}
	if c.core.Policy.Check(admin, rbac.AuditRead) == nil {
		seen = func(e stream.Event) (stream.Event, bool) { return e, true }
	}
	return c.HeardWithin(admin.AgentCode, seen)
}

// HeardWithin is what may be heard of the events that concern an agent, of all events with
// an empty code: seen says what of each. It is the one place where events are kept from
// other agents' admins and endpoints.
func (c *Service) HeardWithin(agent string, seen func(stream.Event) (stream.Event, bool)) shows {
	return func(ctx context.Context, e stream.Event) (stream.Event, bool, error) {
		if own, may := e.Own(""); may {
			return own, true, nil // everybody's
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

// Ledger is the id of the ledger, which its events name as their source. It is empty
// where the store keeps none.
func (c *Service) Ledger(ctx context.Context) (string, error) {
	state, err := c.core.Store.Controls.State(ctx)
	return state.Ledger, err
}

// WatchBets returns a listener of the bets at the house's own games that everybody may see,
// as they are played: at most FeedRate a second, the newest.
func (c *Service) WatchBets(ctx context.Context) (*FeedListener, error) {
	return c.broadcast.newFeedListener(ctx)
}

// publicEvent is the bet that everybody may see of an event, and false of any other.
func (c *Service) publicEvent(e *stream.Event) (PublicBet, bool, error) {
	settled, played := e.Data.(stream.Settled)
	if !played {
		return PublicBet{}, false, nil
	}
	bet, err := c.publicBet(settled.Round)
	return bet, true, err
}

// EventsWorker hands out what was committed.
func (c *Service) EventsWorker() kernel.Worker {
	return kernel.Worker{Name: kernel.EventsWorker, Interval: EventsInterval, WhileRestored: true, Wake: c.broadcast.woken, Step: c.broadcastStep}
}

// broadcastStep is a step of EventsWorker.
func (c *Service) broadcastStep(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(kernel.EventsWorker)
	return c.broadcast.Step(ctx)
}

// WakingWriter has those who listen hear at once what this instance commits.
type WakingWriter struct {
	ports.Writer
	News News
}

// Commit serves ports.Writer.
func (w WakingWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := w.Writer.Commit(ctx, item)
	w.News.Wake()
	return receipt, err
}
