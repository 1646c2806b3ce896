package httpapi_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/fakes"
)

// TestClientSignsInWithAWrongClock: after a stale timestamp the client signs once more,
// with the service's time; after other errors it doesn't.
func TestClientSignsInWithAWrongClock(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	for i, off := range []time.Duration{2*time.Minute + time.Second, -3 * time.Minute, 24 * time.Hour} {
		name := []string{"alice", "bob", "carol"}[i]
		_, session, err := h.client().SignIn(t.Context(), fakes.Key(name), h.clock.Now().Add(off))
		if err != nil || session.Wallet != string(fakes.Wallet(name)) {
			t.Errorf("%v off: %v", off, err)
		}
	}
	at := h.clock.Now()
	if _, _, err := h.client().SignIn(t.Context(), fakes.Key("dave"), at); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.client().SignIn(t.Context(), fakes.Key("dave"), at); client.CodeOf(err) != "REPLAYED_LOGIN" {
		t.Errorf("a message used twice: %v", err)
	}
}
