package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/protection"
)

// TestRoundsWaitForTheirPace plays two games, of which slots has the longer pace, and
// repeats an answered round.
func TestRoundsWaitForTheirPace(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{capital: 1_000_000_000, deps: func(d *app.Deps) {
		d.Settings.Pace = protection.Pace{Any: 2 * time.Second, Of: map[string]time.Duration{"slots": 4500 * time.Millisecond, "limbo": 0}}
	}})
	h.funded("alice", sol, 1_000_000)
	play := func(gameType, key string) reply {
		t.Helper()
		q := question{method: http.MethodPost, path: "/play", as: "alice", body: object{"gameType": gameType, "wager": minimum, "token": sol}}
		if key != "" {
			q.header = map[string]string{"Idempotency-Key": key}
		}
		return h.ask(q)
	}
	play("dice", "first").ok(http.StatusOK)
	for gameType, wait := range map[string]string{"dice": "2", "slots": "5"} {
		refused := play(gameType, "")
		refused.is(http.StatusTooManyRequests, "RATE_LIMITED")
		if got := refused.header.Get("Retry-After"); got != wait || refused.text_("details", "reason") != "pace" {
			t.Errorf("%s: Retry-After %s: %s", gameType, got, refused.text)
		}
	}
	if again := play("dice", "first"); again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the first one again: %s", again.text)
	}
	play("limbo", "").ok(http.StatusOK)
	h.clock.Advance(2 * time.Second)
	play("dice", "").ok(http.StatusOK)
	h.clock.Advance(2 * time.Second)
	play("slots", "").is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.clock.Advance(2500 * time.Millisecond)
	play("slots", "").ok(http.StatusOK)
}
