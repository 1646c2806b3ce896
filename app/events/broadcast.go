package events

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// EventsInterval is how often what other instances committed is looked for while somebody
// listens. What this one commits is looked for at once.
const EventsInterval = 50 * time.Millisecond

const (
	// broadcastAtOnce and eventsAtOnce are how many events a page has that the broadcast, or
	// a listener for itself, reads.
	broadcastAtOnce = 2_000
	eventsAtOnce    = 500
	// waitingMax is how many events wait for a listener. One that is further behind reads
	// for itself until it has caught up: it holds nobody back and fills no memory.
	waitingMax = 512
)

// broadcast reads what is committed once for everybody who listens at this instance, and
// hands each event to those whom it is for. It is a step that a worker repeats; while
// nobody listens it reads nothing.
type broadcast struct {
	events ports.Events
	public func(*stream.Event) (PublicBet, bool, error)
	feed   *feed
	woken  News

	mu sync.Mutex
	// at is the place up to which listeners were given what they wait for, known while
	// somebody listens.
	at        stream.Cursor
	listening int
	listeners map[*Listener]struct{}
	// players are those of one player's events by wallet, and everybody's under the empty one.
	players map[wallet.Address]map[*Listener]struct{}
	// given are the listeners that a page has something for: they are woken once it is
	// handed out, so that what it has for one is sent together.
	given map[*Listener]struct{}
}

func newBroadcast(events ports.Events, clock ports.Clock, public func(*stream.Event) (PublicBet, bool, error)) *broadcast {
	return &broadcast{
		events: events, public: public, feed: newFeed(clock), woken: make(News, 1), listeners: map[*Listener]struct{}{},
		players: map[wallet.Address]map[*Listener]struct{}{}, given: map[*Listener]struct{}{},
	}
}

// News wakes a worker: what was just committed is read at once.
type News chan struct{}

// Wake wakes who waits for news, if somebody does.
func (n News) Wake() {
	select {
	case n <- struct{}{}:
	default: // it is woken already
	}
}

// Step hands the next events to those who listen.
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

// handOut hands a page to those who listen, and reports false where it isn't what comes
// next for them: all who listened have left since.
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
	return true
}

// publishBets shows the bets among events to those who watch the public feed.
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
		// What a listener has heard, and which of it is gone, its own place says.
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
	if whose, may := e.ChangesAccess(); may {
		b.recheckListeners(whose)
	}
}

// recheckListeners has a wallet's listeners, everybody's where it is empty, find out whether they may
// still hear something, whatever their filters leave out.
func (b *broadcast) recheckListeners(whose wallet.Address) {
	for l := range b.listeners {
		if whose == "" || l.owner == whose {
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

// startListening has somebody more listen. Where it is the first, the place is that of now: what a
// listener reads for itself afterwards reaches further. It returns what is newest, and whether
// everything after that is still to be handed out.
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

// newListener returns a listener for what comes after a place, nil for now. The owner is who
// listens, empty for an embedder.
func (b *broadcast) newListener(ctx context.Context, f stream.Filter, owner wallet.Address, after *stream.Cursor, show shows) (*Listener, error) {
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
	// A place that can't be read is refused now rather than by the first Next.
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

// removeFeedListener ends a listener of the public feed.
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
