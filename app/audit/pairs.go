package audit

import (
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/hashchain"
)

// The first byte of a record about how a pair ended, beside those of its nonces.
const (
	closedRecord   = 'd' // the pair takes no further nonce
	revealedRecord = 'v'
	openedRecord   = 'o' // a round was opened that is played step by step
	endedRecord    = 'e' // and has ended
)

// pairEnds adds how pairs ended in a block, and what was open that was drawn from them.
func (a *Auditor) pairEnds(at place, c hashchain.Content) error {
	for i := range c.Rounds {
		if r := &c.Rounds[i]; r.Stepped() {
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
			is, whose := fairness.FromCovered(e), byte(revealedRecord)
			switch is.State {
			case fairness.ClosingState:
				whose = closedRecord
			case fairness.RetiredState:
			default:
				continue
			}
			if err := a.addEnd(e.ID, whose, at, "", is.Rounds); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Auditor) addEnd(pair string, whose byte, at place, round string, rounds int64) error {
	return a.addRecord(pairKey(pair), whose, func(p *packed) {
		p.place(at)
		p.text(round)
		p.integer(rounds)
	})
}

// pairEnd is how a pair ended, and what was open of it.
type pairEnd struct {
	// closed is how many rounds it had when it closed, more by one; 0 where it didn't.
	closed   int64
	revealed *place
	opened   map[string]place // by round, those that didn't end
	ended    map[string]place
}

func (e *pairEnd) add(whose byte, from *unpacked) {
	at, round, rounds := from.place(), from.text(), from.integer()
	switch whose {
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

// checkEnd finds a pair that took a nonce after it had closed, and one that was revealed while
// rounds were open that are drawn from it: their players knew what would come. Lanes have no
// order among each other, so that of two blocks the later one is known within a lane.
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
