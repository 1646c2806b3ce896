package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
)

// hearCrash returns a function that waits for news that fit.
func hearCrash(h eventTest) (next func(what string, fits func(api.CrashNews) bool) api.CrashNews) {
	heard := make(chan api.CrashNews, 1000)
	ctx, cancel := context.WithCancel(h.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = client.New(h.url, h.http).CrashStream(ctx, func(n api.CrashNews) error {
			heard <- n
			return nil
		})
	}()
	h.Cleanup(func() {
		cancel()
		<-ended
	})
	return func(what string, fits func(api.CrashNews) bool) api.CrashNews {
		h.Helper()
		limit := time.After(20 * time.Second)
		for {
			select {
			case n := <-heard:
				if fits(n) {
					return n
				}
			case <-limit:
				h.Fatalf("nothing came: %s", what)
			}
		}
	}
}

// TestTheStreamTellsWhatChanges: first all, then the bet, its cash-out, the states of the round
// and the next round. It names no wallet, and no secret before the crash.
func TestTheStreamTellsWhatChanges(t *testing.T) {
	t.Parallel()
	events := newEventTest(t, setup{})
	h := crashHouse{events.house, events.casino.Crash.Driver()}
	h.funded("alice", sol, 100_000_000)
	h.until(crash.Betting)
	next := hearCrash(events)
	first := next("the snapshot", func(api.CrashNews) bool { return true })
	if first.Chain == nil || first.Round == nil || first.Bets == nil || first.BettingMs != 5000 || first.Round.ClosesAt != first.Round.OpenedAt+5000 {
		t.Fatalf("the first message is %+v", first)
	}
	var bet string
	placed := false
	flying := h.flight(3*time.Second, func() {
		bet = h.post("alice", "/crash/bets", crashBet(1_000_000, "50")).ok(http.StatusCreated).text_("bet", "id")
		found := next("the bet", func(n api.CrashNews) bool { return len(n.Bets) == 1 && n.Bets[0].ID == bet })
		if b := found.Bets[0]; b.CashOut != "50.00" || b.CashedOut != "" || b.Wager != 1_000_000 || len(b.Player) != 16 || found.Chain != nil {
			t.Errorf("the bet is told as %+v", found)
		}
		placed = true
	})
	started := next("the start", func(n api.CrashNews) bool {
		return n.Round != nil && n.Round.Status == string(crash.Flying) && n.Round.Number == flying.Number
	})
	if started.Round.Hash != "" || started.Round.Point != "" || started.Round.StartedAt != flying.StartedAt.UnixMilli() || started.Bets != nil || !placed {
		t.Errorf("the start is told as %+v", started.Round)
	}
	h.at(flying, 2000)
	h.post("alice", "/crash/cashout", object{"bet": bet}).ok(http.StatusOK)
	out := next("the cash-out", func(n api.CrashNews) bool { return len(n.Bets) == 1 && n.Bets[0].CashedOut != "" })
	if out.Bets[0].ID != bet || out.Bets[0].CashedOut != "1.12" {
		t.Errorf("the cash-out is told as %+v", out.Bets)
	}
	h.until(crash.Settled)
	over := next("the crash", func(n api.CrashNews) bool { return n.Round != nil && n.Round.Hash != "" }) // perhaps settled already
	if over.Round.Point == "" || over.Round.Number != flying.Number {
		t.Errorf("the crash is told as %+v", over.Round)
	}
	h.until(crash.Betting)
	again := next("the next round", func(n api.CrashNews) bool { return n.Round != nil && n.Round.Number == flying.Number+1 })
	if again.Round.Status != string(crash.Betting) || again.Round.PreviousHash != over.Round.Hash || again.Bets != nil {
		t.Errorf("the next round is told as %+v", again)
	}
}

// heldWriter is a connection of a listener.
type heldWriter struct {
	mu     sync.Mutex
	text   bytes.Buffer
	header http.Header
	grown  chan struct{}
}

func (w *heldWriter) Header() http.Header              { return w.header }
func (w *heldWriter) WriteHeader(int)                  {}
func (w *heldWriter) SetReadDeadline(time.Time) error  { return nil }
func (w *heldWriter) SetWriteDeadline(time.Time) error { return nil }
func (w *heldWriter) Flush()                           { w.grown <- struct{}{} }
func (w *heldWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(text)
}

// TestManyListenersHearTheSame has 500 listeners of one address, as settings allow.
func TestManyListenersHearTheSame(t *testing.T) {
	t.Parallel()
	const listeners = 500
	events := newEventTest(t, setup{config: func(c *httpapi.Config) {
		manyLogins(c)
		c.Streams, c.StreamsPerAddress = 3*listeners, listeners
	}})
	h := crashHouse{events.house, events.casino.Crash.Driver()}
	h.funded("alice", sol, 100_000_000)
	h.until(crash.Betting)
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	all := make([]*heldWriter, listeners)
	for i := range all {
		all[i] = &heldWriter{header: http.Header{}, grown: make(chan struct{}, 100)}
		wait.Go(func() {
			h.api.ServeHTTP(all[i], h.request(question{method: http.MethodGet, path: "/crash/stream"}).WithContext(ctx))
		})
	}
	for _, w := range all { // a comment that begins the stream, and the snapshot
		<-w.grown
		<-w.grown
	}
	h.get("", "/crash/stream").is(http.StatusTooManyRequests, "RATE_LIMITED")
	bet := h.post("alice", "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated).text_("bet", "id")
	var same string
	for i, w := range all {
		<-w.grown
		w.mu.Lock()
		text := w.text.String()
		w.mu.Unlock()
		parts := strings.Split(strings.TrimSpace(text), "\n\n")
		told := parts[len(parts)-1]
		if i == 0 {
			same = told
		}
		var n api.CrashNews
		if err := json.Unmarshal([]byte(strings.TrimPrefix(told, "data: ")), &n); err != nil || len(n.Bets) != 1 || n.Bets[0].ID != bet || told != same {
			t.Fatalf("listener %d heard %q, %v", i, text, err)
		}
	}
}

// TestNewsAreEncodedOnce encodes news for many listeners, in both forms of amounts.
func TestNewsAreEncodedOnce(t *testing.T) {
	t.Parallel()
	encode := httpapi.CrashTexts()
	news := make([]*sharedcrash.News, 10)
	for i := range news {
		news[i] = &sharedcrash.News{Now: time.UnixMilli(int64(i)), Bets: []sharedcrash.PublicBet{{ID: fmt.Sprint("b", i), Token: money.SOL, Wager: 7, Auto: 150}}}
	}
	whole := sharedcrash.Snapshot{Now: time.UnixMilli(50), Round: crash.Round{Number: 1}}
	for range 3 {
		for i, n := range news { // listeners are at different places
			for asText, wager := range map[bool]string{false: "7", true: `"7"`} {
				want := fmt.Sprintf("data: {\"now\":%d,\"bets\":[{\"id\":\"b%d\",\"player\":\"\",\"token\":%q,\"wager\":%s,\"cashOut\":1.50}]}\n\n", i, i, money.SOL, wager)
				if text, _ := encode(n, asText); text != want {
					t.Errorf("%q, want %q", text, want)
				}
			}
		}
		copied := whole // as each listener gets it
		encode(&sharedcrash.News{Whole: &copied, Now: whole.Now}, false)
	}
	if _, made := encode(news[0], false); made != 2*len(news)+1 {
		t.Errorf("%d messages were encoded %d times", 2*len(news)+1, made)
	}
	later := whole
	later.Round.Number = 2
	if _, made := encode(&sharedcrash.News{Whole: &later, Now: whole.Now}, false); made != 2*len(news)+2 {
		t.Error("another snapshot of the same moment was taken for the first")
	}
}
