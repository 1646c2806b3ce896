package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// slowDoor is a limiter that keeps rotations waiting until it is opened.
type slowDoor struct {
	ports.Limiter
	inside sync.WaitGroup // those who wait
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

// TestOneWalletHasSoManyRequestsAtOnce: one more is refused at once, whatever it asks,
// others are served, and when the wallet's requests have ended it is served again.
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
	close(door.opened)
	rotating.Wait()
	h.get("alice", "/balance").ok(http.StatusOK)
}
