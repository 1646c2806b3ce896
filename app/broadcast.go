package app

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
	woken  news

	mu sync.Mutex
	// at is the place up to which listeners were given what they wait for, known while
	// somebody listens.
	at        stream.Cursor
	listening int
	players   map[wallet.Address]map[*Listener]struct{}
	everybody map[*Listener]struct{}
	// given are the listeners that a page has something for: they are woken once it is
	// handed out, so that what it has for one is sent together.
	given map[*Listener]struct{}
}

func newBroadcast(events ports.Events, clock ports.Clock, public func(*stream.Event) (PublicBet, bool, error)) *broadcast {
	return &broadcast{
		events: events, public: public, feed: newFeed(clock), woken: make(news, 1),
		players: map[wallet.Address]map[*Listener]struct{}{}, everybody: map[*Listener]struct{}{}, given: map[*Listener]struct{}{},
	}
}

// news wakes a worker: what was just committed is read at once.
type news chan struct{}

func (n news) wake() {
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
	return page.More, b.publish(page.Events)
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
		b.hand(&page.Events[i])
	}
	for l := range b.given {
		l.wake()
	}
	clear(b.given)
	return true
}

// publish shows the bets among events to those who watch the public feed.
func (b *broadcast) publish(some []stream.Event) error {
	if !b.feed.watched() {
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
	b.feed.add(bets)
	b.feed.show()
	return nil
}

func (b *broadcast) hand(e *stream.Event) {
	if e.Type == stream.LedgerRestored {
		b.restored()
		return
	}
	for l := range b.everybody {
		b.give(l, e)
	}
	for l := range b.players[e.Wallet] {
		b.give(l, e)
	}
}

func (b *broadcast) give(l *Listener, e *stream.Event) {
	if l.filter.Keeps(e) {
		l.put(e)
		b.given[l] = struct{}{}
	}
}

// restored has everybody read for themselves: what a listener has heard, and which of it is
// gone, its own place says.
func (b *broadcast) restored() {
	for l := range b.everybody {
		l.fallBehind()
		b.given[l] = struct{}{}
	}
	for _, of := range b.players {
		for l := range of {
			l.fallBehind()
			b.given[l] = struct{}{}
		}
	}
}

// begin has somebody more listen. Where it is the first, the place is that of now: what a
// listener reads for itself afterwards reaches further. It returns what is newest, and whether
// everything after that is still to be handed out.
func (b *broadcast) begin(ctx context.Context, listens func()) (newest stream.Cursor, ahead bool, err error) {
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

// listen returns a listener for what comes after a place, nil for now.
func (b *broadcast) listen(ctx context.Context, f stream.Filter, after *stream.Cursor, show shows) (*Listener, error) {
	l := &Listener{from: b, filter: f, show: show, news: make(chan struct{}, 1)}
	newest, ahead, err := b.begin(ctx, func() { b.add(l) })
	if err != nil {
		return nil, err
	}
	if after == nil {
		l.at, l.begun, l.reads = newest, newest, !ahead
		return l, nil
	}
	l.at, l.begun, l.reads = *after, *after, true
	// A place that can't be read is refused now rather than by the first Next.
	if l.unseen, err = l.now(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// watch returns a listener of the public feed.
func (b *broadcast) watch(ctx context.Context) (*FeedListener, error) {
	l := &FeedListener{from: b, news: make(chan struct{}, 1)}
	_, _, err := b.begin(ctx, func() {
		b.feed.mu.Lock()
		defer b.feed.mu.Unlock()
		b.feed.watchers[l] = struct{}{}
	})
	return l, err
}

// leave ends a listener of the public feed.
func (b *broadcast) leave(l *FeedListener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.feed.mu.Lock()
	defer b.feed.mu.Unlock()
	if _, watches := b.feed.watchers[l]; watches {
		delete(b.feed.watchers, l)
		b.listening--
	}
}

func (b *broadcast) add(l *Listener) {
	if l.filter.Wallet == "" {
		b.everybody[l] = struct{}{}
		return
	}
	of := b.players[l.filter.Wallet]
	if of == nil {
		of = map[*Listener]struct{}{}
		b.players[l.filter.Wallet] = of
	}
	of[l] = struct{}{}
}

func (b *broadcast) end(l *Listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := b.everybody
	if l.filter.Wallet != "" {
		of = b.players[l.filter.Wallet]
	}
	if _, listens := of[l]; !listens {
		return
	}
	delete(of, l)
	b.listening--
	if l.filter.Wallet != "" && len(of) == 0 {
		delete(b.players, l.filter.Wallet)
	}
}

// shows is what somebody may see of an event.
type shows func(context.Context, stream.Event) (stream.Event, bool, error)

// Listener hears events from a place on, each once and in order. It is for one goroutine,
// and must be closed.
type Listener struct {
	from   *broadcast
	filter stream.Filter
	// show returns an event as whoever listens may see it, and false for none of theirs.
	show shows
	// unseen are events that were taken and not yet looked at.
	unseen []stream.Event
	// begun is the place that it began at.
	begun stream.Cursor
	// at is the place after them, or where there are none after what Next returned last.
	at stream.Cursor
	// reads says that the listener reads for itself: it has not caught up yet.
	reads bool

	news    chan struct{}
	mu      sync.Mutex
	waiting []stream.Event
	// behind says that more came than may wait.
	behind bool
}

// put has an event wait for the listener, who is to be woken.
func (l *Listener) put(e *stream.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.behind || len(l.waiting) >= waitingMax {
		l.waiting, l.behind = nil, true
		return
	}
	l.waiting = append(l.waiting, *e)
}

// fallBehind drops what waits: the listener reads it for itself.
func (l *Listener) fallBehind() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting, l.behind = nil, true
}

func (l *Listener) wake() {
	select {
	case l.news <- struct{}{}:
	default: // it is woken already
	}
}

// take takes what waits; behind says that some of it was dropped.
func (l *Listener) take() (some []stream.Event, behind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	some, behind = l.waiting, l.behind
	l.waiting, l.behind = nil, false
	return some, behind
}

// Next returns the next events, at least one. It waits for them until ctx ends, whose
// error it returns then. An error loses nothing: the next call goes on.
func (l *Listener) Next(ctx context.Context) ([]stream.Event, error) {
	for {
		if len(l.unseen) == 0 {
			some, err := l.now(ctx)
			if err != nil {
				return nil, err
			}
			l.unseen = some
		}
		if some, err := l.shown(ctx); err != nil || len(some) > 0 {
			return some, err
		}
		if l.reads {
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.news:
		}
	}
}

// now returns what there is, which may be nothing.
func (l *Listener) now(ctx context.Context) ([]stream.Event, error) {
	if l.reads {
		page, err := l.from.events.After(ctx, l.at, l.filter, eventsAtOnce)
		if err != nil {
			return nil, err
		}
		l.at, l.reads = page.Next, page.More
		return page.Events, nil
	}
	waited, behind := l.take()
	if behind {
		l.reads = true
		return nil, ctx.Err()
	}
	some := waited[:0]
	for _, e := range waited {
		if l.at.Passed(&e) {
			continue // it was read already
		}
		l.at = l.at.Later(e.Cursor)
		e.Cursor = l.at
		some = append(some, e)
	}
	return some, nil
}

// shown takes what may be seen of the events that are unseen. Where that can't be found out
// of one, it and those after it stay unseen, and the error is for the call that begins with it.
func (l *Listener) shown(ctx context.Context) (seen []stream.Event, err error) {
	seen = make([]stream.Event, 0, len(l.unseen))
	for i, e := range l.unseen {
		shown, may, err := l.show(ctx, e)
		if err != nil {
			if l.unseen = l.unseen[i:]; len(seen) > 0 {
				return seen, nil
			}
			return nil, err
		}
		if may {
			seen = append(seen, shown)
		}
	}
	l.unseen = nil
	return seen, nil
}

// Begun is the place after which the listener hears everything: whoever has heard nothing
// yet goes on there.
func (l *Listener) Begun() stream.Cursor { return l.begun }

// Close ends the listener.
func (l *Listener) Close() { l.from.end(l) }
