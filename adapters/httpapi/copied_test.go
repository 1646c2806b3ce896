package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

type stored = ports.Rounds

// countedFeed counts how often the feed is read, and fails while away is set.
type countedFeed struct {
	stored
	reads int
	away  error
}

func (c *countedFeed) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	c.reads++
	if c.away != nil {
		return nil, c.away
	}
	return c.stored.RecentRounds(ctx, n)
}

// TestTheFeedIsACopyOfASecond: requests within a second share one copy, the next second has
// a new one, and errors are not cached.
func TestTheFeedIsACopyOfASecond(t *testing.T) {
	t.Parallel()
	feed := &countedFeed{}
	h := openHouse(t, setup{deps: func(d *app.Deps) { feed.stored, d.Store.Rounds = d.Store.Rounds, feed }})
	h.funded("alice", sol, 50_000)
	play := func() {
		h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	}
	shows := func(bets, reads int) {
		t.Helper()
		list, _ := h.get("", "/recent-bets").ok(http.StatusOK).at("bets").([]any)
		if len(list) != bets || feed.reads != reads {
			t.Errorf("%d bets after %d reads, want %d after %d", len(list), feed.reads, bets, reads)
		}
	}
	feed.away = fault.New(fault.Unavailable, "away")
	h.get("", "/recent-bets").ok(http.StatusServiceUnavailable)
	feed.away = nil
	play()
	shows(1, 2)
	play()
	h.clock.Advance(time.Second - time.Millisecond)
	shows(1, 2)
	h.clock.Advance(time.Millisecond)
	shows(2, 3)
	h.clock.Advance(-time.Hour)
	shows(2, 4)
}
