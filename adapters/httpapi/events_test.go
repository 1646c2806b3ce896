package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// eventTest is a casino with event listeners: its API on a real connection, and its workers.
type eventTest struct {
	*house
	url  string
	http *http.Client
}

func newEventTest(t *testing.T, s setup) eventTest {
	t.Helper()
	h := openHouse(t, s)
	// Connections have deadlines by the machine's clock, and the test's clock stands still.
	h.clock.Advance(time.Since(h.clock.Now()) + time.Hour)
	running, err := workers.Start(nil, slices.DeleteFunc(h.casino.Workers(), func(w app.Worker) bool { return w.Name != kernel.EventsWorker })...)
	h.must(err)
	t.Cleanup(running.Stop)
	server := httptest.NewServer(h.api)
	t.Cleanup(server.Close)
	t.Cleanup(h.api.(*httpapi.API).EndStreams)
	return eventTest{h, server.URL + base, server.Client()}
}

// signedIn returns a player's client over the connection.
func (h eventTest) signedIn(name string) *client.Client {
	h.Helper()
	return client.New(h.url, h.http).WithToken(h.token(name))
}

// receivedEvent is an event with the position after it.
type receivedEvent struct {
	id string
	api.Event
}

var errEnough = errors.New("enough")

// hear listens until it has received n events.
func (h eventTest) hear(as *client.Client, f api.EventsParams, n int) (all []receivedEvent) {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), 20*time.Second)
	defer cancel()
	err := as.Events(ctx, f, func(id string, e api.Event) error {
		if all = append(all, receivedEvent{id, e}); len(all) == n {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		h.Fatalf("%d of %d events were heard: %v", len(all), n, err)
	}
	return all
}

func types(all []receivedEvent) (names []string) {
	for _, e := range all {
		names = append(names, e.Type)
	}
	return names
}

// TestPlayersHearTheirOwnAndGoOn: a bet's event is sent on commit, only to its player. A
// client that was disconnected continues from the last id and misses nothing.
func TestPlayersHearTheirOwnAndGoOn(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	ctx := t.Context()
	h.funded("alice", sol, 1_000_000)
	h.funded("bob", sol, 1_000_000)
	alice, bob := h.signedIn("alice"), h.signedIn("bob")
	h.role("ada", "admin", "")
	play := func(as *client.Client) string {
		played, err := as.Play(ctx, api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
		h.must(err)
		return played.Round.ID
	}
	page, err := h.signedIn("ada").AdminEvents(ctx, api.AdminEventsParams{Limit: 500})
	h.must(err)
	from := api.EventsParams{Cursor: page.NextCursor}
	first := play(alice)
	play(bob)
	second := play(alice)
	all := h.hear(alice, from, 4)
	if got := types(all); !slices.Equal(got, []string{"casino.round.settled", "casino.balance.changed", "casino.round.settled", "casino.balance.changed"}) ||
		all[0].Subject != first || all[2].Subject != second {
		t.Errorf("heard %+v", all)
	}
	if again := h.hear(alice, api.EventsParams{Cursor: all[1].id}, 2); !slices.Equal(types(again), types(all[2:])) || again[1].id != all[3].id {
		t.Errorf("going on: %+v, want %+v", again, all[2:])
	}
	if own := h.hear(alice, api.EventsParams{Cursor: page.NextCursor, Types: all[1].Type}, 2); own[0].ID != all[1].ID || own[1].ID != all[3].ID {
		t.Errorf("one type alone: %+v", own)
	}
	page, err = h.signedIn("ada").AdminEvents(ctx, api.AdminEventsParams{Types: from.Types, Cursor: from.Cursor, Wallet: string(fakes.Wallet("bob"))})
	h.must(err)
	if len(page.Events) != 2 || page.More {
		t.Errorf("the admin's page has %+v", page)
	}
}

// TestAStreamEndsWithItsSession and with the service, and none begins if too many are open.
func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	open := func() (io.ReadCloser, int) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+"/events", nil)
		h.must(err)
		request.Header.Set("Authorization", "Bearer "+h.token("alice"))
		sent, err := h.http.Do(request)
		h.must(err)
		return sent.Body, sent.StatusCode
	}
	type started struct {
		*bufio.Reader
		io.Closer
	}
	var streams []started
	for range 4 {
		body, status := open()
		begun := bufio.NewReader(body)
		if line, err := begun.ReadString('\n'); err != nil || status != http.StatusOK || !strings.HasPrefix(line, "id: ") {
			t.Fatalf("%d, %q, %v", status, line, err)
		}
		streams = append(streams, started{begun, body})
	}
	if body, status := open(); status != http.StatusTooManyRequests {
		t.Errorf("a fifth stream: %d", status)
	} else {
		h.must(body.Close())
	}
	h.must(streams[3].Close())
	h.funded("alice", sol, 1_000_000)
	for _, s := range streams[:3] { // until each stream has checked the session for the first time
		for line := ""; !strings.Contains(line, "casino."); {
			var err error
			line, err = s.ReadString('\n')
			h.must(err)
		}
	}
	h.must(h.signedIn("alice").Logout(t.Context()))
	for _, s := range streams[:3] {
		rest, err := io.ReadAll(s) // until it ends
		if err != nil || !strings.Contains(string(rest), "session.ended") {
			t.Errorf("the end of the session shows as %q, %v", rest, err)
		}
	}
}

// failingAfterStart is a store that can't read players once a stream has begun.
type failingAfterStart struct {
	ports.Players
	ports.Events
	away  atomic.Bool
	asked chan struct{}
}

func (s *failingAfterStart) Newest(ctx context.Context) (stream.Cursor, error) {
	defer s.away.Store(true)
	return s.Events.Newest(ctx)
}

func (s *failingAfterStart) Player(ctx context.Context, w wallet.Address) (player.Player, error) {
	if !s.away.Load() {
		return s.Players.Player(ctx, w)
	}
	select {
	case s.asked <- struct{}{}:
	default:
	}
	return player.Player{}, fault.New(fault.Unavailable, "the database is gone")
}

// TestAnUnreadableDatabaseEndsNoStream at once: the stream continues when the database is
// back, and ends if it stays away.
func TestAnUnreadableDatabaseEndsNoStream(t *testing.T) {
	t.Parallel()
	store := &failingAfterStart{asked: make(chan struct{})}
	h := newEventTest(t, setup{deps: func(d *app.Deps) {
		store.Players, store.Events = d.Store.Players, d.Store.Events
		d.Store.Players, d.Store.Events = store, store
	}})
	h.funded("alice", sol, 1_000_000)
	alice := h.signedIn("alice")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	begin := func() *bufio.Reader {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+"/events", nil)
		h.must(err)
		request.Header.Set("Authorization", "Bearer "+h.token("alice"))
		sent, err := h.http.Do(request)
		h.must(err)
		t.Cleanup(func() { _ = sent.Body.Close() })
		for range 12 { // more often than one call of the listener checks
			select {
			case <-store.asked:
			case <-ctx.Done():
				t.Fatal("the stream has ended")
			}
		}
		return bufio.NewReader(sent.Body)
	}
	goesOn := begin()
	store.away.Store(false)
	_, err := alice.Play(ctx, api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
	h.must(err)
	for line := ""; !strings.Contains(line, "casino.round.settled"); {
		line, err = goesOn.ReadString('\n')
		h.must(err)
	}
	ends := begin()
	h.clock.Advance(time.Minute)
	_, err = io.ReadAll(ends)
	h.must(err)
}

// TestAStreamBeginsWithItsPlace: a client that lost the connection before the first event
// continues there, and misses nothing.
func TestAStreamBeginsWithItsPlace(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	h.funded("alice", sol, 1_000_000)
	alice := h.signedIn("alice")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url+"/events", nil)
	h.must(err)
	request.Header.Set("Authorization", "Bearer "+h.token("alice"))
	sent, err := h.http.Do(request)
	h.must(err)
	line, err := bufio.NewReader(sent.Body).ReadString('\n')
	h.must(errors.Join(err, sent.Body.Close()))
	played, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
	h.must(err)
	place := strings.TrimSpace(strings.TrimPrefix(line, "id: "))
	if all := h.hear(alice, api.EventsParams{Cursor: place}, 2); all[0].Subject != played.Round.ID || all[0].Type != "casino.round.settled" {
		t.Errorf("after %q comes %+v", line, all)
	}
}

// TestStreamsLeaveRoom: if all places are taken, a new client is told to wait, and gets a
// place once another has left. The public feed takes none of the players' places.
func TestStreamsLeaveRoom(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{config: func(c *httpapi.Config) { c.Streams = 4 }})
	feed := func() *http.Response {
		got, err := h.http.Get(h.url + "/public/feed")
		h.must(err)
		return got
	}
	first := feed()
	second := feed()
	if second.StatusCode != http.StatusServiceUnavailable || second.Header.Get("Retry-After") == "" {
		t.Errorf("one stream too many: %d, to come again after %q", second.StatusCode, second.Header.Get("Retry-After"))
	}
	h.must(second.Body.Close())
	h.role("ada", "admin", "")
	page, err := h.signedIn("ada").AdminEvents(t.Context(), api.AdminEventsParams{Limit: 500})
	h.must(err)
	h.funded("alice", sol, 1_000_000)
	h.hear(h.signedIn("alice"), api.EventsParams{Cursor: page.NextCursor}, 1)
	h.must(first.Body.Close())
	for {
		again := feed()
		h.must(again.Body.Close())
		if again.StatusCode == http.StatusOK {
			break
		}
	}
}

// TestStreamsEndWithTheService: a server that shuts down waits for none of them.
func TestStreamsEndWithTheService(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	ended := make(chan error, 1)
	began := make(chan struct{})
	once := sync.OnceFunc(func() { close(began) })
	go func() {
		ended <- client.New(h.url, h.http).Feed(context.Background(), func(api.RecentBet) error {
			once()
			return nil
		})
	}()
	h.funded("alice", sol, 1_000_000)
	alice := h.signedIn("alice")
	for shown := false; !shown; {
		_, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
		h.must(err)
		select {
		case <-began:
			shown = true
		default:
		}
	}
	h.api.(*httpapi.API).EndStreams()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("the feed ended with %v", err)
	}
}
