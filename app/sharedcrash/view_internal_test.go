package sharedcrash

import (
	"testing"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
)

// TestBetsBeforeTheirRoundsOpening passes bets to a listener before the opening of their round. The
// listener reads a snapshot, so that it misses none of them.
func TestBetsBeforeTheirRoundsOpening(t *testing.T) {
	t.Parallel()
	on := func(chain string, number int64) PublicBet {
		return PublicBet{ID: chain, Round: bet.Shared{Chain: chain, Number: number}}
	}
	for _, c := range []struct {
		bets    []PublicBet
		left    int
		missing bool
	}{
		{[]PublicBet{on("b", 5)}, 1, false},
		{[]PublicBet{on("b", 4), on("b", 5), on("a", 9)}, 1, false},
		{[]PublicBet{on("b", 4)}, 0, false},
		{[]PublicBet{on("b", 5), on("b", 6)}, 0, true},
		{[]PublicBet{on("c", 1)}, 0, true},
	} {
		l := &Listener{round: crash.Round{Chain: "b", Number: 5, Status: crash.Settled}}
		left, missing := l.unknown(&News{Bets: c.bets})
		if missing != c.missing || left == nil && c.left > 0 || left != nil && len(left.Bets) != c.left {
			t.Errorf("%v: %+v, %v", c.bets, left, missing)
		}
	}
}
