package events

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// EventsInterval is how often commits of other instances are looked for while there are
// listeners. Commits of this instance are read at once.
const EventsInterval = 50 * time.Millisecond

const (
	// broadcastAtOnce and eventsAtOnce are the page sizes of the broadcast and of a listener
	// that reads for itself.
	broadcastAtOnce = 2_000
	eventsAtOnce    = 500
	// waitingMax is the maximum number of events that wait for a listener. A listener further
	// behind reads for itself until it has caught up, so it delays no other and uses no
	// memory.
	waitingMax = 512
)

// broadcast reads each commit once for all listeners of this instance, and passes each
// event to the listeners that want it. Its Step is repeated by a worker; without listeners
// it reads nothing.
type broadcast struct {
	events ports.Events
	public func(*stream.Event) (PublicBet, bool, error)
	feed   *feed
	woken  News

	mu sync.Mutex
	// at is the cursor up to which listeners got their events. It is set while there are
	// listeners.
	at        stream.Cursor
	listening int
	listeners map[*Listener]struct{}
	// players are the listeners by player's wallet; those of all players have an empty one.
	players map[wallet.Address]map[*Listener]struct{}
	// taps get each page.
	taps map[*tap]struct{}
	// given are the listeners with an event from the present page. They are woken after the
	// whole page, so that its events are sent together.
	given map[*Listener]struct{}
}

func newBroadcast(events ports.Events, clock ports.Clock, public func(*stream.Event) (PublicBet, bool, error)) *broadcast {
	return &broadcast{
		events: events, public: public, feed: newFeed(clock), woken: make(News, 1), listeners: map[*Listener]struct{}{},
		players: map[wallet.Address]map[*Listener]struct{}{}, given: map[*Listener]struct{}{}, taps: map[*tap]struct{}{},
	}
}

// News wakes a worker, so that a commit is read at once.
type News chan struct{}

// Wake wakes a waiting receiver, if there is one.
func (n News) Wake() {
	select {
	case n <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// Step passes the next events to the listeners.
func (b *broadcast) Step(ctx context.Context) (worked bool, err error) {
	b.mu.Lock()
	at, idle := b.at, b.listening == 0
	b.mu.Unlock()
	if idle {
		return false, nil
	}
	page, err := b.events.After(ctx, at, stream.Filter{}, broadcastAtOnce)
	if err != nil {
		return false, err
	}
	if !b.handOut(at, page) {
		return false, nil
	}
	return page.More, b.publishBets(page.Events)
}

// handOut passes a page to the listeners. It reports false if the page isn't the next one,
// because all earlier listeners have left.
func (b *broadcast) handOut(at stream.Cursor, page stream.Page) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listening == 0 || !b.at.Equal(at) {
		return false
	}
	b.at = page.Next
	for i := range page.Events {
		b.handEvent(&page.Events[i])
	}
	for l := range b.given {
		l.wakeUp()
	}
	clear(b.given)
	for t := range b.taps {
		t.hear(page.Events)
	}
	return true
}

// publishBets passes the bets among the events to the public feed.
func (b *broadcast) publishBets(some []stream.Event) error {
	if !b.feed.isWatched() {
		return nil
	}
	var bets []PublicBet
	for i := range some {
		bet, public, err := b.public(&some[i])
		if err != nil {
			return err
		}
		if public {
			bets = append(bets, bet)
		}
	}
	b.feed.addBets(bets)
	b.feed.showDue()
	return nil
}

func (b *broadcast) handEvent(e *stream.Event) {
	if e.Type == stream.LedgerRestored {
		// A listener's own cursor tells which of its events are lost.
		for l := range b.listeners {
			l.fallBehind()
		}
		b.recheckListeners("")
		return
	}
	for l := range b.players[""] {
		b.giveEvent(l, e)
	}
	if e.Wallet != "" {
		for l := range b.players[e.Wallet] {
			b.giveEvent(l, e)
		}
	}
	if owner, may := e.ChangesAccess(); may {
		b.recheckListeners(owner)
	}
}

// recheckListeners makes the listeners of a wallet, or all if it is empty, check whether
// they may still get events, whatever their filters.
func (b *broadcast) recheckListeners(owner wallet.Address) {
	for l := range b.listeners {
		if owner == "" || l.owner == owner {
			l.changed.Store(true)
			l.doubted.Store(true)
			b.given[l] = struct{}{}
		}
	}
}

func (b *broadcast) giveEvent(l *Listener, e *stream.Event) {
	if l.filter.Keeps(e) {
		l.addEvent(e)
		b.given[l] = struct{}{}
	}
}

// startListening adds a listener. For the first one it sets the cursor to the newest event;
// what a listener then reads for itself reaches further. It returns the newest cursor, and
// whether all later events are still to be passed on.
func (b *broadcast) startListening(ctx context.Context, listens func()) (newest stream.Cursor, ahead bool, err error) {
	if newest, err = b.events.Newest(ctx); err != nil {
		return newest, false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listening == 0 {
		b.at = newest
	}
	b.listening++
	listens()
	return newest, newest.Later(b.at).Equal(newest), nil
}

// newListener returns a listener for the events after a cursor, or after now if it is nil.
// The owner is the listening wallet, empty for an embedder.
func (b *broadcast) newListener(ctx context.Context, f stream.Filter, owner wallet.Address, after *stream.Cursor, show eventFilter) (*Listener, error) {
	l := &Listener{from: b, filter: f, owner: owner, show: show, news: make(chan struct{}, 1)}
	newest, ahead, err := b.startListening(ctx, func() { b.addListener(l) })
	if err != nil {
		return nil, err
	}
	if after == nil {
		l.at, l.begun, l.reads = newest, newest, !ahead
		return l, nil
	}
	l.at, l.begun, l.reads = *after, *after, true
	// Report a cursor that can't be read now, not at the first Next.
	if l.unseen, err = l.takeNow(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// newFeedListener returns a listener of the public feed.
func (b *broadcast) newFeedListener(ctx context.Context) (*FeedListener, error) {
	l := &FeedListener{from: b, news: make(chan struct{}, 1)}
	_, _, err := b.startListening(ctx, func() {
		b.feed.mu.Lock()
		defer b.feed.mu.Unlock()
		b.feed.watchers[l] = struct{}{}
	})
	return l, err
}

// removeFeedListener removes a listener of the public feed.
func (b *broadcast) removeFeedListener(l *FeedListener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.feed.mu.Lock()
	defer b.feed.mu.Unlock()
	if _, watches := b.feed.watchers[l]; watches {
		delete(b.feed.watchers, l)
		b.listening--
	}
}

// tap is a function that gets each page of events, in order.
type tap struct{ hear func([]stream.Event) }

// addTap adds a tap. It must be quick, and must not call the broadcast.
func (b *broadcast) addTap(ctx context.Context, hear func([]stream.Event)) (remove func(), err error) {
	t := &tap{hear}
	if _, _, err := b.startListening(ctx, func() { b.taps[t] = struct{}{} }); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.taps, t)
		b.listening--
	}), nil
}

func (b *broadcast) addListener(l *Listener) {
	b.listeners[l] = struct{}{}
	of := b.players[l.filter.Wallet]
	if of == nil {
		of = map[*Listener]struct{}{}
		b.players[l.filter.Wallet] = of
	}
	of[l] = struct{}{}
}

func (b *broadcast) removeListener(l *Listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, listens := b.listeners[l]; !listens {
		return
	}
	b.listening--
	of := b.players[l.filter.Wallet]
	delete(b.listeners, l)
	if delete(of, l); len(of) == 0 {
		delete(b.players, l.filter.Wallet)
	}
}
