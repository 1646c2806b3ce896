package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// flooders is the number of concurrent requests of a flooding player, twice as many as a
// wallet has places in the writer's queue.
const flooders = 32

// TestAPlayersFloodHoldsNobodyOff: while one player sends bets over many connections, each
// freeze and release of this player succeeds at the first try, others sign in, withdraw and
// have their withdrawals approved, and health answers.
func TestAPlayersFloodHoldsNobodyOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.funded("alice", sol, 1<<40)
	h.funded("bob", sol, 50_000)
	h.role("olga", "admin", "")
	h.role("finn", "finance", "")
	h.token("olga")
	h.token("finn")
	var flood sync.WaitGroup
	var stop atomic.Bool
	var refused atomic.Int32
	bearer := h.token("alice")
	for range flooders {
		flood.Go(func() {
			for !stop.Load() {
				// Skip the contract's checks, which would be most of the work.
				r := httptest.NewRequest(http.MethodPost, base+"/play", strings.NewReader(`{"gameType":"dice","wager":10000,"token":"`+sol+`"}`))
				r.Header.Set("Authorization", "Bearer "+bearer)
				r.Header.Set("Content-Type", "application/json")
				answer := httptest.NewRecorder()
				h.api.ServeHTTP(answer, r)
				switch answer.Code {
				case http.StatusOK, http.StatusForbidden: // while the player is frozen
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					h.Errorf("a bet of the flood: %d %s", answer.Code, answer.Body)
				}
			}
		})
	}
	freeze := func(frozen bool) {
		h.post("olga", "/admin/players/"+address("alice")+"/freeze", object{"frozen": frozen, "reason": "a flood"}).is(http.StatusOK, "")
	}
	for range 3 {
		freeze(true)
		freeze(false)
		w := h.post("bob", "/withdraw", object{"token": sol, "amount": 1_000, "destination": address("bob")}).is(http.StatusCreated, "")
		h.post("finn", "/admin/withdraw/reject", object{"id": w.at("withdrawal", "id"), "reason": "a rehearsal"}).is(http.StatusOK, "")
		h.get("", "/health").is(http.StatusOK, "")
	}
	h.ask(question{method: http.MethodPost, path: "/auth/login", body: h.login("carol"), from: "192.0.2.77:4000"}).is(http.StatusOK, "")
	stop.Store(true)
	flood.Wait()
	t.Logf("%d bets of the flood were refused", refused.Load())
}
