package httpapi_test

import (
	"net/http"
	"testing"
)

// TestARoundTellsTheBalancesAroundIt plays several rounds: each begins with the final
// balance of the one before.
func TestARoundTellsTheBalancesAroundIt(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{capital: 1 << 40})
	h.funded("alice", sol, 1_000_000)
	balance := int64(1_000_000)
	for range 6 {
		played := h.post("alice", "/play", object{"gameType": "coinflip", "wager": minimum, "token": sol}).ok(http.StatusOK)
		round := h.get("alice", "/history/"+played.text_("round", "id")).ok(http.StatusOK)
		after := balance - round.integer("round", "wager") + round.integer("round", "payout")
		if round.integer("round", "balanceBefore") != balance || round.integer("round", "balanceAfter") != after || played.integer("balance") != after {
			t.Errorf("from %d: %s", balance, round.text)
		}
		balance = after
	}
}
