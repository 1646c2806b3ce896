package audit

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
)

// keyOfPosting parses a key written by postingKey.
func keyOfPosting(key []byte) ledger.Key {
	kind, rest, _ := cutText(string(key[1:]))
	scope, id, _ := cutText(rest)
	return ledger.Key{Kind: ledger.KeyKind(kind), Scope: scope, ID: id}
}

// nonces is a run of successive nonces of a pair that rounds of one lane used.
type nonces struct {
	cut
	first, next int64
	epoch       int64
	at          place  // of the first nonce
	round       string // the first round
	// from and to are the positions of the first and the last nonce in reading order.
	from, to int
	// isLate means that all came after the pair's row was read.
	isLate bool
}

// addNonce adds a nonce that a round used when it was drawn or opened. Within a lane, a
// pair's nonces rise, each is used once, and all belong to the epoch in which the pair was
// made.
func (a *Auditor) addNonce(at place, epoch int64, d drawn) error {
	a.drawn++
	n := a.nonces[d.pair]
	late := n != nil && n.cut.isLate(at)
	if n != nil && n.next == d.nonce && n.at.lane == at.lane && n.epoch == epoch && n.isLate == late {
		n.next, n.to = n.next+1, a.drawn
		return nil
	}
	next := &nonces{first: d.nonce, next: d.nonce + 1, epoch: epoch, at: at, round: d.round, from: a.drawn, to: a.drawn}
	if n == nil {
		next.cut = a.coveredHeads(ports.LedgerPairs, d.pair)
		next.isLate = next.cut.isLate(at)
	} else {
		next.cut, next.isLate = n.cut, late
		if err := a.addNonces(d.pair, n); err != nil {
			return err
		}
	}
	a.nonces[d.pair] = next
	if len(a.nonces) < atOnce {
		return nil
	}
	return a.flushNonces()
}

func (a *Auditor) addNonces(pair string, n *nonces) error {
	return a.addRecord(nonceKey(pair, n.first), factRecord, func(p *packed) {
		p.integer(n.first)
		p.integer(n.next)
		p.integer(n.epoch)
		p.place(n.at)
		p.text(n.round)
		p.integer(int64(n.from))
		p.integer(int64(n.to))
		p.flag(n.isLate)
	})
}

func (a *Auditor) flushNonces() error {
	for _, pair := range slices.Sorted(maps.Keys(a.nonces)) {
		if err := a.addNonces(pair, a.nonces[pair]); err != nil {
			return err
		}
	}
	clear(a.nonces)
	return nil
}

// pairGroup proves the nonces of a pair. Its records come sorted by nonce.
type pairGroup struct {
	id   string
	rows []int64
	next int64 // one above the highest used nonce
	// gap means that missing is unused; above counts the nonces beyond it.
	gap     bool
	missing int64
	above   int64
	played  int64
	epoch   int64
	begun   bool
	last    map[int]nonces // by lane
	wrong   []func(*Auditor)
	ends    pairEnd
}

func (g *pairGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, from.integer())
		return
	}
	switch kind {
	case carriedRecord:
		g.takeOver(from)
		return
	case closedRecord, revealedRecord, openedRecord, endedRecord:
		g.ends.add(kind, from)
		return
	}
	n := nonces{first: from.integer(), next: from.integer(), epoch: from.integer(), at: from.place(), round: from.text()}
	n.from, n.to, n.isLate = int(from.integer()), int(from.integer()), from.flag()
	g.takeNonces(n)
}

// takeNonces adds used nonces. Findings are reported by end, because only the auditor knows
// whether blocks are ordered.
func (g *pairGroup) takeNonces(n nonces) {
	if !g.begun {
		g.begun, g.epoch, g.last = true, n.epoch, map[int]nonces{}
	}
	if next := g.next; n.first != next {
		g.wrong = append(g.wrong, func(a *Auditor) {
			switch {
			case a.ordered:
				a.addFinding("%s: round %s has nonce %d, %d is next", n.at, n.round, n.first, next)
			case n.first < next:
				a.addFinding("%s: round %s has nonce %d, which its pair has used", n.at, n.round, n.first)
			}
		})
	}
	if n.epoch != g.epoch {
		epoch := g.epoch
		g.wrong = append(g.wrong, func(a *Auditor) {
			a.addFinding("%s: round %s of epoch %d is drawn from a pair of epoch %d", n.at, n.round, n.epoch, epoch)
		})
	}
	if before, seen := g.last[n.at.lane]; seen && n.from < before.to {
		g.wrong = append(g.wrong, func(a *Auditor) {
			a.addFinding("%s: round %s has nonce %d after nonce %d", before.at, before.round, before.first, n.next-1)
		})
	}
	g.last[n.at.lane] = n
	if !g.gap && n.first > g.next {
		g.gap, g.missing = true, g.next
	}
	if g.gap {
		g.above += n.next - n.first
	}
	g.next = max(g.next, n.next)
	if !n.isLate {
		g.played = g.next
	}
}

func (g *pairGroup) end(a *Auditor) {
	for _, wrong := range g.wrong {
		wrong(a)
	}
	played := g.played
	if g.gap && !a.ordered {
		a.addFinding("pair %s: no round has nonce %d, and %d rounds have higher ones", g.id, g.missing, g.above)
		played = min(played, g.missing)
	}
	g.ends.checkEnd(a, g.id, g.next)
	g.leave(a)
	for _, next := range g.rows {
		if next != played {
			a.addFinding("pair %s goes on with nonce %d, its rounds took %d", g.id, next, played)
		}
	}
}
