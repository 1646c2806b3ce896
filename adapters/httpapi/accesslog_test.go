package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// taking is a limiter that delays requests.
type taking struct {
	ports.Limiter
	clock *fakes.Clock
	time  time.Duration
}

func (l *taking) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	l.clock.Advance(l.time)
	return l.Limiter.Take(ctx, key, rule)
}

// logged opens a house that logs at the default level, and returns a function that counts
// the request lines with a text.
func logged(t *testing.T) (h *house, limiter *taking, lines func(of string) int) {
	t.Helper()
	log := &lockedBuffer{}
	limiter = &taking{}
	h = openHouse(t, setup{config: func(c *httpapi.Config) {
		limiter.Limiter, c.Limiter = c.Limiter, limiter
		c.Logger = slog.New(slog.NewTextHandler(log, nil))
	}})
	limiter.clock = h.clock
	return h, limiter, func(of string) (n int) {
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, of) {
				n++
			}
		}
		return n
	}
}

// TestRequestsThatSucceedAreNotLogged at the default level, unless they are slow.
func TestRequestsThatSucceedAreNotLogged(t *testing.T) {
	t.Parallel()
	h, limiter, lines := logged(t)
	h.funded("alice", sol, 1_000_000)
	h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	h.get("", "/public/tokens").ok(http.StatusOK)
	if n := lines("msg=request"); n != 0 {
		t.Errorf("%d lines of requests that succeeded", n)
	}
	limiter.time = time.Second
	h.get("", "/public/tokens").ok(http.StatusOK)
	if n := lines("route=/public/tokens status=200"); n != 1 {
		t.Errorf("%d lines of a slow request", n)
	}
}

// TestRefusalsOfOneClientAreLoggedInPart: of a wallet's and of an address's rejected
// requests ten a minute are logged, independently of others', and then the number left out.
func TestRefusalsOfOneClientAreLoggedInPart(t *testing.T) {
	t.Parallel()
	h, _, lines := logged(t)
	for range 30 {
		h.get("alice", "/history/nothing").is(http.StatusNotFound, "NOT_FOUND")
		h.ask(question{method: http.MethodGet, path: "/balance", from: attacker}).is(http.StatusUnauthorized, "MISSING_AUTH")
	}
	h.get("bob", "/history/nothing").is(http.StatusNotFound, "NOT_FOUND")
	for of, want := range map[string]int{"wallet=" + address("alice"): 10, "client=192.0.2.1 ": 10, "wallet=" + address("bob"): 1} {
		if n := lines(of); n != want {
			t.Errorf("%d lines with %s, want %d", n, of, want)
		}
	}
	h.clock.Advance(time.Minute)
	h.forget()
	h.get("alice", "/history/nothing").is(http.StatusNotFound, "NOT_FOUND")
	if n := lines("wallet=" + address("alice")); n != 11 {
		t.Errorf("%d lines of alice after a minute", n)
	}
	if lines(`msg="refused requests left out of the log" requests=40 `) != 1 {
		t.Error("the log doesn't say how many were left out")
	}
}
