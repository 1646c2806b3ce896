package app

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/bet"
)

// lanes finds out whether the blocks have one order.
func (a *Auditor) lanes(ctx context.Context) error {
	heads, err := a.store.Heads(ctx)
	a.ordered = len(heads) < 2
	return err
}

// nonces are the nonces of one pair, as its rounds are read.
type nonces struct {
	next  int64          // all below it were seen
	ahead map[int64]bool // those above next that were seen
	last  map[int]int64  // the highest of each lane
}

// nonce records a round's nonce. Within a lane nonces rise, and a pair uses each once.
func (a *Auditor) nonce(block string, lane int, r bet.Round) {
	pair := a.nonces[r.PairID]
	if pair == nil {
		pair = &nonces{ahead: map[int64]bool{}, last: map[int]int64{}}
		a.nonces[r.PairID] = pair
	}
	last, seen := pair.last[lane]
	switch {
	case a.ordered && r.Nonce != pair.next:
		a.found("%s: round %s has nonce %d, %d is next", block, r.ID, r.Nonce, pair.next)
	case r.Nonce < pair.next || pair.ahead[r.Nonce]:
		a.found("%s: round %s has nonce %d, which its pair has used", block, r.ID, r.Nonce)
	case seen && r.Nonce < last:
		a.found("%s: round %s has nonce %d after nonce %d", block, r.ID, r.Nonce, last)
	}
	pair.last[lane] = r.Nonce
	pair.take(r.Nonce, a.ordered)
}

// take counts a nonce as used. Where blocks have an order, a gap is reported where it
// occurs, and counting goes on behind it.
func (n *nonces) take(nonce int64, ordered bool) {
	if ordered {
		n.next = nonce + 1
		return
	}
	n.ahead[nonce] = true
	for n.ahead[n.next] {
		delete(n.ahead, n.next)
		n.next++
	}
}

// gaps finds the nonces that no round of any lane has.
func (a *Auditor) gaps(context.Context) error {
	for _, pair := range slices.Sorted(maps.Keys(a.nonces)) {
		if n := a.nonces[pair]; len(n.ahead) > 0 {
			a.found("pair %s: no round has nonce %d, and %d rounds have higher ones", pair, n.next, len(n.ahead))
		}
	}
	return nil
}
