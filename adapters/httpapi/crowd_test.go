package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// slowDoor is a limiter that delays rotations until it is opened.
type slowDoor struct {
	ports.Limiter
	inside sync.WaitGroup // waiting requests
	opened chan struct{}
}

// Take waits.
func (d *slowDoor) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	if strings.HasPrefix(key, "rotate:") {
		d.inside.Done()
		<-d.opened
	}
	return d.Limiter.Take(ctx, key, rule)
}

// TestOneWalletHasSoManyRequestsAtOnce: any further request is rejected at once, other
// wallets are served, and the wallet is served again when its requests have ended.
func TestOneWalletHasSoManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	door := &slowDoor{opened: make(chan struct{})}
	h := openHouse(t, setup{config: func(c *httpapi.Config) {
		door.Limiter = c.Limiter
		c.Limiter = door
	}})
	h.token("alice")
	const atOnce = 32
	door.inside.Add(atOnce)
	var rotating sync.WaitGroup
	for range atOnce {
		rotating.Go(func() { h.post("alice", "/seed/rotate", object{}) })
	}
	door.inside.Wait()
	for _, path := range []string{"/balance", "/history", "/admin/me"} {
		h.get("alice", path).is(http.StatusTooManyRequests, "RATE_LIMITED")
	}
	h.get("bob", "/balance").ok(http.StatusOK)
	h.get("", "/health").ok(http.StatusOK)
	h.post("alice", "/auth/logout", nil).ok(http.StatusNoContent) // not prevented by a thief's requests
	close(door.opened)
	rotating.Wait()
	h.clock.Advance(time.Second)
	h.forget()
	h.get("alice", "/balance").ok(http.StatusOK)
}

// slowBody is a body that arrives when it is opened.
type slowBody struct {
	asked  func()
	opened chan struct{}
}

// Read waits.
func (b *slowBody) Read([]byte) (int, error) {
	b.asked()
	<-b.opened
	return 0, io.EOF
}

// TestAnEndedSessionTakesNotAllPlaces: a thief with a signed-out token takes at most a
// quarter of the wallet's places, even with requests that check the session last and never
// end their body. A forged token takes none.
func TestAnEndedSessionTakesNotAllPlaces(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stolen := h.token("alice")
	h.post("alice", "/auth/logout", nil).ok(http.StatusNoContent)
	h.forget()
	h.clock.Advance(time.Second)
	const atOnce, ended, read = 32, 8, 0
	opened, events := make(chan struct{}), make(chan int, 2*atOnce)
	var playing sync.WaitGroup
	play := func(bearer string) int { // the status, or that its body is read
		event := make(chan int, 2)
		r := h.request(question{method: http.MethodPost, path: "/play", body: "", header: map[string]string{"Authorization": "Bearer " + bearer}})
		r.Body = io.NopCloser(&slowBody{asked: sync.OnceFunc(func() { event <- read }), opened: opened})
		playing.Go(func() {
			recorder := httptest.NewRecorder()
			h.api.ServeHTTP(recorder, r)
			event <- recorder.Code
		})
		return <-event
	}
	plays := func(bearer string) map[int]int {
		var asking sync.WaitGroup
		for range atOnce {
			asking.Go(func() { events <- play(bearer) })
		}
		asking.Wait()
		got := map[int]int{}
		for range atOnce {
			got[<-events]++
		}
		return got
	}
	if got := plays(stolen[:len(stolen)-4] + "AAAA"); got[http.StatusUnauthorized] != atOnce {
		t.Errorf("forged tokens: %v", got)
	}
	if got := plays(stolen); got[read] != ended || got[http.StatusUnauthorized] != atOnce-ended {
		t.Errorf("an ended session: %v", got)
	}
	h.get("alice", "/balance").ok(http.StatusOK)
	if got := plays(h.token("alice")); got[read] != atOnce-ended || got[http.StatusTooManyRequests] != ended {
		t.Errorf("beside an ended session: %v", got)
	}
	close(opened)
	playing.Wait()
	h.get("alice", "/balance").ok(http.StatusOK)
}
