package app_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/app"
	appevents "github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
)

// handedOut runs the worker that hands events to listeners until nothing is left.
func (h *house) handedOut() {
	h.t.Helper()
	all := h.Workers()
	at := slices.IndexFunc(all, func(w app.Worker) bool { return w.Name == kernel.EventsWorker })
	for ok(all[at].Step(h.ctx))(h.t) {
	}
}

// ids are the ids of events.
func ids(events []stream.Event) (all []string) {
	for _, e := range events {
		all = append(all, e.ID)
	}
	return all
}

// committed are all events of a filter.
func (h *house) committed(f stream.Filter) (all []stream.Event) {
	h.t.Helper()
	return h.committedAfter(stream.Cursor{}, f)
}

// committedAfter are those after a place.
func (h *house) committedAfter(at stream.Cursor, f stream.Filter) (all []stream.Event) {
	h.t.Helper()
	for {
		page := ok(h.Events.Events(h.ctx, at, f, 1_000))(h.t)
		if all, at = append(all, page.Events...), page.Next; !page.More {
			return all
		}
	}
}

// heard takes from a listener until it has so many events.
func heard(t interface {
	Helper()
	Fatal(...any)
}, l *appevents.Listener, n int) (all []stream.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for len(all) < n {
		some, err := l.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// silent fails the test if a listener has something to hear.
func silent(t *testing.T, l *appevents.Listener) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if some, err := l.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it hears %v, %v", ids(some), err)
	}
}

// TestListenersHearTheirOwn: from the moment that they begin or from a place, each event
// once, and nothing of other players.
func TestListenersHearTheirOwn(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.player("alice", 10_000), h.player("bob", 10_000)
	before := len(h.committed(stream.Filter{Wallet: alice.Wallet}))
	now := ok(h.Events.Listen(h.ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	defer now.Close()
	beginning := ok(h.Events.Listen(h.ctx, stream.Filter{Wallet: alice.Wallet}, &stream.Cursor{}))(t)
	defer beginning.Close()
	everybody := ok(h.Events.Listen(h.ctx, stream.Filter{}, &stream.Cursor{}))(t)
	defer everybody.Close()
	for range 3 {
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
		ok(h.Play.Play(h.ctx, bob, flip(100)))(t)
		h.handedOut()
	}
	own := h.committed(stream.Filter{Wallet: alice.Wallet})
	if before == 0 || len(own) <= before {
		t.Fatalf("%d events, %d before the plays", len(own), before)
	}
	if got := ids(heard(t, now, len(own)-before)); !slices.Equal(got, ids(own[before:])) {
		t.Errorf("from now on: %v, want %v", got, ids(own[before:]))
	}
	if got := ids(heard(t, beginning, len(own))); !slices.Equal(got, ids(own)) {
		t.Errorf("from the beginning: %v, want %v", got, ids(own))
	}
	all := h.committed(stream.Filter{})
	if got := ids(heard(t, everybody, len(all))); !slices.Equal(got, ids(all)) {
		t.Errorf("everybody's: %v, want %v", got, ids(all))
	}
	for _, l := range []*appevents.Listener{now, beginning, everybody} {
		silent(t, l)
	}
}

// TestAListenerGoesOnWhereItStopped: however plays, the worker, listening, leaving and
// coming back follow one another, each event is heard once and in order.
func TestAListenerGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	h := open(t)
	players := []app.Caller{h.player("alice", 1_000_000), h.player("bob", 1_000_000)}
	filter := stream.Filter{Wallet: players[0].Wallet}
	rapid.Check(t, func(t *rapid.T) {
		begin := ok(h.deps.Store.Events.Newest(h.ctx))(h.t)
		from := begin
		var got []stream.Event
		l := ok(h.Events.Listen(h.ctx, filter, &from))(h.t)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				for range rapid.IntRange(1, 5).Draw(t, "plays") {
					ok(h.Play.Play(h.ctx, players[rapid.IntRange(0, 1).Draw(t, "player")], flip(100)))(h.t)
				}
			case 1:
				h.handedOut()
			case 2:
				h.handedOut()
				if want := len(h.committedAfter(begin, filter)) - len(got); want > 0 {
					got = append(got, heard(t, l, rapid.IntRange(1, want).Draw(t, "hears"))...)
				}
			case 3: // it leaves, and comes back at its last event
				l.Close()
				if len(got) > 0 {
					from = got[len(got)-1].Cursor
				}
				from = ok(stream.ParseCursor(from.String()))(h.t)
				l = ok(h.Events.Listen(h.ctx, filter, &from))(h.t)
			}
		}
		h.handedOut()
		want := h.committedAfter(begin, filter)
		got = append(got, heard(t, l, len(want)-len(got))...)
		l.Close()
		if !slices.Equal(ids(got), ids(want)) {
			t.Fatalf("heard %v, want %v", ids(got), ids(want))
		}
	})
}

// TestAListenerThatIsBehindReadsForItself: what waits for it is bounded, and it misses
// nothing.
func TestAListenerThatIsBehindReadsForItself(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 100_000)
	l := ok(h.Events.Listen(h.ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	defer l.Close()
	h.handedOut()
	before := len(h.committed(stream.Filter{Wallet: alice.Wallet}))
	silent(t, l) // it has caught up, and waits
	for range 600 {
		ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	}
	h.handedOut()
	want := h.committed(stream.Filter{Wallet: alice.Wallet})[before:]
	if got := ids(heard(t, l, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("%d heard, want %d", len(got), len(want))
	}
	silent(t, l)
}

// reading counts what is read of events.
type reading struct {
	ports.Events
	pages atomic.Int64
}

func (r *reading) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	r.pages.Add(1)
	return r.Events.After(ctx, after, f, limit)
}

// between has something happen after it was found out what is newest.
type between struct {
	ports.Events
	happens func()
}

func (b *between) Newest(ctx context.Context) (stream.Cursor, error) {
	at, err := b.Events.Newest(ctx)
	if happens := b.happens; happens != nil {
		b.happens = nil
		happens()
	}
	return at, err
}

// TestWhatIsHandedOutWhileSomebodyBeginsIsHeard: what others were given between finding out
// what is newest and beginning to listen is read.
func TestWhatIsHandedOutWhileSomebodyBeginsIsHeard(t *testing.T) {
	t.Parallel()
	events := &between{}
	h := open(t, func(d *app.Deps) { events.Events, d.Store.Events = d.Store.Events, events })
	alice := h.player("alice", 10_000)
	earlier := ok(h.Events.OwnEvents(h.ctx, alice, nil, nil))(t)
	defer earlier.Close()
	play := func() string { return ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round.ID }
	want := make([]string, 0, 2)
	events.happens = func() {
		want = append(want, play())
		h.handedOut()
	}
	l := ok(h.Events.OwnEvents(h.ctx, alice, []stream.Type{stream.RoundSettled}, nil))(t)
	defer l.Close()
	want = append(want, play())
	h.handedOut()
	var got []string
	for _, e := range heard(t, l, 2) {
		got = append(got, e.Subject)
	}
	if !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	silent(t, l)
}

// TestWhileNobodyListensNothingIsRead, and what is committed is read once for all.
func TestWhileNobodyListensNothingIsRead(t *testing.T) {
	t.Parallel()
	reads := &reading{}
	h := open(t, func(d *app.Deps) {
		reads.Events = d.Store.Events
		d.Store.Events = reads
	})
	alice := h.player("alice", 10_000)
	h.handedOut()
	if n := reads.pages.Load(); n != 0 {
		t.Errorf("%d pages were read for nobody", n)
	}
	listeners := make([]*appevents.Listener, 50)
	for i := range listeners {
		listeners[i] = ok(h.Events.Listen(h.ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	}
	begun := reads.pages.Load()
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	h.handedOut()
	if n := reads.pages.Load() - begun; n != 1 {
		t.Errorf("%d pages were read for a play", n)
	}
	for _, l := range listeners {
		heard(t, l, 1)
		l.Close()
		l.Close() // ends nobody else's
	}
	ended := reads.pages.Load()
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	h.handedOut()
	if n := reads.pages.Load() - ended; n != 0 {
		t.Errorf("%d pages were read after everybody had left", n)
	}
}

// TestTheFeedShowsTheNewest, at most so many a second, of everybody's bets.
func TestTheFeedShowsTheNewest(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 100_000)
	feed := ok(h.Events.WatchBets(h.ctx))(t)
	defer feed.Close()
	var played []string
	play := func(n int) {
		for range n {
			played = append(played, ok(h.Play.Play(h.ctx, alice, flip(100)))(t).Round.ID)
		}
		h.handedOut()
	}
	shown := func() (all []string) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for _, b := range ok(feed.Next(ctx))(t) {
			all = append(all, b.ID)
		}
		return all
	}
	play(3)
	if got := shown(); !slices.Equal(got, played) {
		t.Errorf("shown are %v of %v", got, played)
	}
	play(40)
	if got := shown(); !slices.Equal(got, played[len(played)-17:]) {
		t.Errorf("shown are %d within the second", len(got))
	}
	play(40)
	h.clock.Advance(time.Second)
	h.handedOut()
	if got := shown(); !slices.Equal(got, played[len(played)-appevents.FeedRate:]) {
		t.Errorf("a second later %d are shown, want the newest that waited", len(got))
	}
}

// TestSubscribersGoOnFromTheirOwnCursor: a function hears everything, and stops when it
// wants to.
func TestSubscribersGoOnFromTheirOwnCursor(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 10_000)
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	full := errors.New("full")
	var at stream.Cursor
	var got []string
	for range 3 {
		n := 0
		err := h.Events.Subscribe(h.ctx, stream.Filter{}, at, func(e stream.Event) error {
			if n == 2 {
				return full
			}
			n++
			got, at = append(got, e.ID), e.Cursor
			return nil
		})
		if !errors.Is(err, full) {
			t.Fatal(err)
		}
	}
	if want := ids(h.committed(stream.Filter{}))[:6]; !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
}
