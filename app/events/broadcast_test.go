package events_test

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
	"github.com/casino-service/casino/test/apptest"
)

// handOutEvents runs the worker until no event is left.
func (h *house) handOutEvents() {
	h.T.Helper()
	all := h.Workers()
	at := slices.IndexFunc(all, func(w app.Worker) bool { return w.Name == kernel.EventsWorker })
	for apptest.OK(all[at].Step(h.Ctx))(h.T) {
	}
}

// ids returns the ids of events.
func ids(events []stream.Event) (all []string) {
	for _, e := range events {
		all = append(all, e.ID)
	}
	return all
}

// waitForEvents reads from a listener until it has n events.
func waitForEvents(t interface {
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

// checkSilent fails the test if a listener has an event.
func checkSilent(t *testing.T, l *appevents.Listener) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if some, err := l.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it hears %v, %v", ids(some), err)
	}
}

// TestListenersHearTheirOwn: from now or from a cursor, each event once, and no events of
// other players.
func TestListenersHearTheirOwn(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, bob := h.NewPlayer("alice", 10_000), h.NewPlayer("bob", 10_000)
	before := len(h.CommittedEvents(stream.Filter{Wallet: alice.Wallet}))
	now := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	defer now.Close()
	beginning := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{Wallet: alice.Wallet}, &stream.Cursor{}))(t)
	defer beginning.Close()
	everybody := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{}, &stream.Cursor{}))(t)
	defer everybody.Close()
	for range 3 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
		apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Flip(100)))(t)
		h.handOutEvents()
	}
	own := h.CommittedEvents(stream.Filter{Wallet: alice.Wallet})
	if before == 0 || len(own) <= before {
		t.Fatalf("%d events, %d before the plays", len(own), before)
	}
	if got := ids(waitForEvents(t, now, len(own)-before)); !slices.Equal(got, ids(own[before:])) {
		t.Errorf("from now on: %v, want %v", got, ids(own[before:]))
	}
	if got := ids(waitForEvents(t, beginning, len(own))); !slices.Equal(got, ids(own)) {
		t.Errorf("from the beginning: %v, want %v", got, ids(own))
	}
	all := h.CommittedEvents(stream.Filter{})
	if got := ids(waitForEvents(t, everybody, len(all))); !slices.Equal(got, ids(all)) {
		t.Errorf("everybody's: %v, want %v", got, ids(all))
	}
	for _, l := range []*appevents.Listener{now, beginning, everybody} {
		checkSilent(t, l)
	}
}

// TestAListenerGoesOnWhereItStopped: in any order of bets, worker steps, listening, leaving
// and returning, each event comes once and in order.
func TestAListenerGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	h := open(t)
	players := []app.Caller{h.NewPlayer("alice", 1_000_000), h.NewPlayer("bob", 1_000_000)}
	filter := stream.Filter{Wallet: players[0].Wallet}
	rapid.Check(t, func(t *rapid.T) {
		begin := apptest.OK(h.Deps.Store.Events.Newest(h.Ctx))(h.T)
		from := begin
		var got []stream.Event
		l := apptest.OK(h.Events.Listen(h.Ctx, filter, &from))(h.T)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				for range rapid.IntRange(1, 5).Draw(t, "plays") {
					apptest.OK(h.Play.Play(h.Ctx, players[rapid.IntRange(0, 1).Draw(t, "player")], apptest.Flip(100)))(h.T)
				}
			case 1:
				h.handOutEvents()
			case 2:
				h.handOutEvents()
				if want := len(h.CommittedEventsAfter(begin, filter)) - len(got); want > 0 {
					got = append(got, waitForEvents(t, l, rapid.IntRange(1, want).Draw(t, "hears"))...)
				}
			case 3: // it leaves, and returns at its last event
				l.Close()
				if len(got) > 0 {
					from = got[len(got)-1].Cursor
				}
				from = apptest.OK(stream.ParseCursor(from.String()))(h.T)
				l = apptest.OK(h.Events.Listen(h.Ctx, filter, &from))(h.T)
			}
		}
		h.handOutEvents()
		want := h.CommittedEventsAfter(begin, filter)
		got = append(got, waitForEvents(t, l, len(want)-len(got))...)
		l.Close()
		if !slices.Equal(ids(got), ids(want)) {
			t.Fatalf("heard %v, want %v", ids(got), ids(want))
		}
	})
}

// TestAListenerThatIsBehindReadsForItself: its queue is limited, and it misses nothing.
func TestAListenerThatIsBehindReadsForItself(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 100_000)
	l := apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	defer l.Close()
	h.handOutEvents()
	before := len(h.CommittedEvents(stream.Filter{Wallet: alice.Wallet}))
	checkSilent(t, l) // it has caught up, and waits
	for range 600 {
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
	h.handOutEvents()
	want := h.CommittedEvents(stream.Filter{Wallet: alice.Wallet})[before:]
	if got := ids(waitForEvents(t, l, len(want))); !slices.Equal(got, ids(want)) {
		t.Errorf("%d heard, want %d", len(got), len(want))
	}
	checkSilent(t, l)
}

// reading counts reads of events.
type reading struct {
	ports.Events
	pages atomic.Int64
}

func (r *reading) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	r.pages.Add(1)
	return r.Events.After(ctx, after, f, limit)
}

// between runs a function after the newest cursor was read.
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

// TestWhatIsHandedOutWhileSomebodyBeginsIsHeard: a new listener reads the events that were
// passed on after it read the newest cursor.
func TestWhatIsHandedOutWhileSomebodyBeginsIsHeard(t *testing.T) {
	t.Parallel()
	events := &between{}
	h := open(t, func(d *app.Deps) { events.Events, d.Store.Events = d.Store.Events, events })
	alice := h.NewPlayer("alice", 10_000)
	earlier := apptest.OK(h.Events.OwnEvents(h.Ctx, alice, nil, nil))(t)
	defer earlier.Close()
	play := func() string { return apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round.ID }
	want := make([]string, 0, 2)
	events.happens = func() {
		want = append(want, play())
		h.handOutEvents()
	}
	l := apptest.OK(h.Events.OwnEvents(h.Ctx, alice, []stream.Type{stream.RoundSettled}, nil))(t)
	defer l.Close()
	want = append(want, play())
	h.handOutEvents()
	var got []string
	for _, e := range waitForEvents(t, l, 2) {
		got = append(got, e.Subject)
	}
	if !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	checkSilent(t, l)
}

// TestWhileNobodyListensNothingIsRead, and each commit is read once for all listeners.
func TestWhileNobodyListensNothingIsRead(t *testing.T) {
	t.Parallel()
	reads := &reading{}
	h := open(t, func(d *app.Deps) {
		reads.Events = d.Store.Events
		d.Store.Events = reads
	})
	alice := h.NewPlayer("alice", 10_000)
	h.handOutEvents()
	if n := reads.pages.Load(); n != 0 {
		t.Errorf("%d pages were read for nobody", n)
	}
	listeners := make([]*appevents.Listener, 50)
	for i := range listeners {
		listeners[i] = apptest.OK(h.Events.Listen(h.Ctx, stream.Filter{Wallet: alice.Wallet}, nil))(t)
	}
	begun := reads.pages.Load()
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	h.handOutEvents()
	if n := reads.pages.Load() - begun; n != 1 {
		t.Errorf("%d pages were read for a play", n)
	}
	for _, l := range listeners {
		waitForEvents(t, l, 1)
		l.Close()
		l.Close() // doesn't end other listeners
	}
	ended := reads.pages.Load()
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	h.handOutEvents()
	if n := reads.pages.Load() - ended; n != 0 {
		t.Errorf("%d pages were read after everybody had left", n)
	}
}

// TestTheFeedShowsTheNewest bets of all players, at a limited rate.
func TestTheFeedShowsTheNewest(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 100_000)
	feed := apptest.OK(h.Events.WatchBets(h.Ctx))(t)
	defer feed.Close()
	var played []string
	play := func(n int) {
		for range n {
			played = append(played, apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t).Round.ID)
		}
		h.handOutEvents()
	}
	shown := func() (all []string) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for _, b := range apptest.OK(feed.Next(ctx))(t) {
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
	h.Clock.Advance(time.Second)
	h.handOutEvents()
	if got := shown(); !slices.Equal(got, played[len(played)-appevents.FeedRate:]) {
		t.Errorf("a second later %d are shown, want the newest that waited", len(got))
	}
}

// TestSubscribersGoOnFromTheirOwnCursor: a function gets every event, and can stop.
func TestSubscribersGoOnFromTheirOwnCursor(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 10_000)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	full := errors.New("full")
	var at stream.Cursor
	var got []string
	for range 3 {
		n := 0
		err := h.Events.Subscribe(h.Ctx, stream.Filter{}, at, func(e stream.Event) error {
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
	if want := ids(h.CommittedEvents(stream.Filter{}))[:6]; !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
}
