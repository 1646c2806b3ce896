package app

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/hashchain"
)

// lanes finds out whether the blocks have one order.
func (a *Auditor) lanes(ctx context.Context) error {
	heads, err := a.store.Heads(ctx)
	a.ordered = len(heads) < 2
	return err
}

// nonces are the nonces of one pair, as its rounds are read.
type nonces struct {
	epoch int64          // of its rounds
	next  int64          // all below it were seen
	ahead map[int64]bool // those above next that were seen
	last  map[int]int64  // the highest of each lane
}

// follows checks that a block may come next in its lane. Where an epoch begins, numbers
// are left out: those of blocks that a restore lost, and a margin. A head that was kept
// of one of them is no block of the ledger any more, and named.
func (a *Auditor) follows(name string, previous, next hashchain.Link) {
	switch {
	case next.Epoch < previous.Epoch:
		a.found("%s is of epoch %d, and follows block %d of epoch %d", name, next.Epoch, previous.Seq, previous.Epoch)
	case !next.Follows(previous):
		a.found("%s follows block %d: blocks are missing", name, previous.Seq)
	case next.Seq != previous.Seq+1:
		for kept := range a.keep {
			if kept.lane == next.Lane && kept.seq > previous.Seq && kept.seq < next.Seq {
				a.found("block %d:%d was kept, and was lost by the restore after which epoch %d began", kept.lane, kept.seq, next.Epoch)
				delete(a.keep, kept)
			}
		}
	}
	a.report.Epoch = max(a.report.Epoch, next.Epoch)
}

// nonce records a round's nonce. Within a lane nonces rise, a pair uses each once, and
// all in the epoch it was made in.
func (a *Auditor) nonce(block string, lane int, epoch int64, r bet.Round) {
	pair := a.nonces[r.PairID]
	if pair == nil {
		pair = &nonces{epoch: epoch, ahead: map[int64]bool{}, last: map[int]int64{}}
		a.nonces[r.PairID] = pair
	}
	if pair.epoch != epoch {
		a.found("%s: round %s of epoch %d is drawn from a pair of epoch %d", block, r.ID, epoch, pair.epoch)
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
