package httpapi_test

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/test/fakes"
)

// forgedPlaces returns positions of another ledger, in the service's format, which is not
// secret.
func forgedPlaces() map[string]stream.Cursor {
	mark := func(lane int, seq int64) stream.Mark {
		return stream.Mark{Lane: lane, Seq: seq, Check: [4]byte{1, 2, 3, 4}}
	}
	places := map[string]stream.Cursor{
		"another hash":   {Epoch: 1, Marks: []stream.Mark{mark(0, 1)}},
		"far ahead":      {Epoch: 1, Marks: []stream.Mark{mark(0, math.MaxInt32)}},
		"another epoch":  {Epoch: 99, Marks: []stream.Mark{mark(0, 2)}},
		"within a block": {Epoch: 1, Marks: []stream.Mark{{Lane: 0, Seq: 1, Check: [4]byte{9}, Row: 1 << 20, Part: 3}}},
	}
	for name, lanes := range map[string]int{"many lanes": 33, "as many lanes as may be": 512} {
		var forged stream.Cursor
		for i := range lanes {
			forged = forged.With(mark(2*i, 7))
		}
		forged.Epoch = 1
		places[name] = forged
	}
	return places
}

// TestForgedPlacesAreNoRight: with a forged position a client gets at most ledger.restored
// and then its own events; so it does with another player's position.
func TestForgedPlacesAreNoRight(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	h.funded("alice", sol, 1_000_000)
	h.funded("bob", sol, 1_000_000)
	alice, bob := h.signedIn("alice"), h.signedIn("bob")
	for _, player := range []string{"alice", "bob", "alice"} {
		_, err := h.signedIn(player).Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
		h.must(err)
	}
	h.role("ada", "admin", "")
	page, err := h.signedIn("ada").AdminEvents(t.Context(), api.AdminEventsParams{Limit: 500, Wallet: string(fakes.Wallet("bob"))})
	h.must(err)
	of := func(e api.Event) (owner struct{ Wallet string }) {
		h.must(e.Read(&owner))
		return owner
	}
	// The first position of another player.
	own := h.hear(alice, api.EventsParams{Cursor: page.Events[0].Cursor}, 4)
	for name, place := range forgedPlaces() {
		first := h.hear(alice, api.EventsParams{Cursor: place.String()}, 1)[0]
		if first.Type != "casino.ledger.restored" {
			t.Errorf("%s: first is heard %s", name, first.Type)
		}
		_, err := alice.Play(t.Context(), api.PlayRequest{GameType: "dice", Wager: minimum, Token: sol})
		h.must(err)
		if first.id == place.String() { // nothing of it exists, so all events follow from the beginning
			own = append(own, h.hear(alice, api.EventsParams{Cursor: first.id}, 1+4)[1:]...)
			continue
		}
		own = append(own, h.hear(alice, api.EventsParams{Cursor: first.id}, 2)...)
	}
	for _, e := range own {
		if got := of(e.Event).Wallet; got != string(fakes.Wallet("alice")) {
			t.Errorf("alice hears %s of %q", e.Type, got)
		}
	}
	if first := h.hear(bob, api.EventsParams{Cursor: own[0].id}, 1)[0]; of(first.Event).Wallet != string(fakes.Wallet("bob")) {
		t.Errorf("bob hears %+v", first)
	}
}

// TestWhatIsNoPlaceIsRefused, in the query and as a browser's last id.
func TestWhatIsNoPlaceIsRefused(t *testing.T) {
	t.Parallel()
	h := newEventTest(t, setup{})
	h.funded("alice", sol, 1_000_000)
	h.role("ada", "admin", "")
	real := stream.Cursor{Epoch: 1, Marks: []stream.Mark{{Seq: 1, Check: [4]byte{1}}}}.String()
	for name, text := range map[string]string{
		"a word": "yesterday", "cut": real[:len(real)-1], "a character changed": "B" + real[1:], "doubled": real + real,
		"too long": strings.Repeat("A", 16_001), "padded": real + "=",
	} {
		for path, who := range map[string]string{"/events": "alice", "/admin/events": "ada"} {
			for _, header := range []bool{false, true} {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url+path, nil)
				h.must(err)
				if request.Header.Set("Authorization", "Bearer "+h.token(who)); header {
					request.Header.Set("Last-Event-ID", text)
				} else {
					request.URL.RawQuery = "cursor=" + text
				}
				got, err := h.http.Do(request)
				h.must(err)
				body, err := io.ReadAll(io.LimitReader(got.Body, 1_000))
				h.must(err)
				h.must(got.Body.Close())
				if got.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"cursor"`) {
					t.Errorf("%s of %s, in a header %v: %d %s", name, path, header, got.StatusCode, body)
				}
			}
		}
	}
}
