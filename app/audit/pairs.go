package audit

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
)

// Kinds of records about the end of a pair, which are sorted with those of its nonces.
const (
	closedRecord   = 'd' // the pair is closed to new nonces
	revealedRecord = 'v'
	openedRecord   = 'o' // a stepped round was opened
	endedRecord    = 'e' // a stepped round ended
)

// pairEnds adds the ends of pairs in a block, and the stepped rounds drawn from them.
func (a *Auditor) pairEnds(at place, c hashchain.Content) error {
	for i := range c.Rounds {
		if r := &c.Rounds[i]; r.Stepped() && !r.IsShared() {
			if err := a.addEnd(r.PairID, endedRecord, at, r.ID, 0); err != nil {
				return err
			}
		}
	}
	for _, e := range c.Events {
		switch {
		case e.Kind == event.OpenRound && e.Was == "":
			pair, _, known := bet.DrawnFrom(e)
			if !known {
				continue
			}
			if err := a.addEnd(pair, openedRecord, at, e.ID, 0); err != nil {
				return err
			}
		case e.Kind == event.Pair:
			is, kind := fairness.FromCovered(e), byte(revealedRecord)
			switch is.State {
			case fairness.ClosingState:
				kind = closedRecord
			case fairness.RetiredState:
			default:
				continue
			}
			if err := a.addEnd(e.ID, kind, at, "", is.Rounds); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Auditor) addEnd(pair string, kind byte, at place, round string, rounds int64) error {
	return a.addRecord(pairKey(pair), kind, func(p *packed) {
		p.place(at)
		p.text(round)
		p.integer(rounds)
	})
}

// pairEnd is the end of a pair, with its stepped rounds.
type pairEnd struct {
	// closed is one more than the number of rounds at the closing; 0 if the pair didn't
	// close.
	closed   int64
	revealed *place
	opened   map[string]place // by round, rounds that may be open
	ended    map[string]place
}

func (e *pairEnd) add(kind byte, from *unpacked) {
	at, round, rounds := from.place(), from.text(), from.integer()
	switch kind {
	case closedRecord:
		e.closed = rounds + 1
	case revealedRecord:
		e.revealed = &at
	case openedRecord:
		setEntry(&e.opened, round, at)
	default:
		setEntry(&e.ended, round, at)
	}
}

// checkEnd finds pairs that used a nonce after closing, and pairs that were revealed while
// rounds drawn from them were open, so that players knew the next draws. The order of two
// blocks is known only within a lane.
func (e *pairEnd) checkEnd(a *Auditor, pair string, next int64) {
	if e.closed > 0 && next > e.closed-1 {
		a.addFinding("pair %s closed with %d rounds, and took nonce %d", pair, e.closed-1, next-1)
	}
	if e.revealed == nil {
		return
	}
	for _, round := range slices.Sorted(maps.Keys(e.ended)) {
		at := e.ended[round]
		if at.lane == e.revealed.lane && at.seq > e.revealed.seq {
			a.addFinding("%s: round %s ended after its pair was revealed", at, round)
		}
	}
	for _, round := range slices.Sorted(maps.Keys(e.opened)) {
		at := e.opened[round]
		if _, ended := e.ended[round]; !ended && a.ordered {
			a.addFinding("%s: round %s is open, and its pair is revealed", at, round)
		}
	}
}

func setEntry[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}
