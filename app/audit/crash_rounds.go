package audit

import (
	"encoding/binary"
	"fmt"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
)

// The records of a shared crash round, after those of its chain, which has number 0.
const (
	crashEvent = 'e' // of the round, or of the chain
	crashBet   = 'b' // a bet as it was placed
	crashEnd   = 's' // a settled bet
)

func crashKey(on bet.Shared) []byte {
	return binary.BigEndian.AppendUint64(aboutKey(aboutCrash, on.Chain, ""), uint64(on.Number))
}

// addCrashEvent adds an event of a chain or of a round, or the placing of a bet.
func (a *Auditor) addCrashEvent(at place, e event.Event) error {
	switch e.Kind {
	case event.CrashChain:
		return a.addRecord(crashKey(bet.Shared{Chain: e.ID}), crashEvent, func(p *packed) { p.place(at); p.event(e) })
	case event.CrashRound:
		r := crash.FromCovered(e)
		return a.addRecord(crashKey(bet.Shared{Chain: r.Chain, Number: r.Number}), crashEvent, func(p *packed) { p.place(at); p.event(e) })
	case event.OpenRound:
		open, ok := bet.FromCovered(e)
		if !ok || e.Was != "" || !open.IsShared() {
			return nil
		}
		placed, _, err := crash.BetOf(open)
		if err != nil {
			return nil //nolint:nilerr // checkCrashOpening reports it
		}
		return a.addRecord(crashKey(open.Shared), crashBet, func(p *packed) { p.place(at); p.crashBet(placed) })
	}
	return nil
}

// addCrashEnd adds a settled bet.
func (a *Auditor) addCrashEnd(at place, r *bet.Round) error {
	return a.addRecord(crashKey(crash.SharedOf(*r)), crashEnd, func(p *packed) {
		p.place(at)
		p.text(r.ID)
		p.text(crash.OutcomeText(*r))
	})
}

func (p *packed) crashBet(b crash.Bet) {
	p.text(b.ID)
	p.text(string(b.Token))
	p.integer(int64(b.Wager))
	p.integer(int64(b.Auto))
}

func (u *unpacked) crashBet() crash.Bet {
	return crash.Bet{ID: u.text(), Token: money.Token(u.text()), Wager: money.Amount(u.integer()), Auto: uint64(u.integer())}
}

// crashProgress is what an auditor knows of the chain whose rounds it checks.
type crashProgress struct {
	chain crash.Commitment
	last  *crash.Round
}

// crashGroup has the records of a round, or of a chain.
type crashGroup struct {
	on     bet.Shared
	states thing
	// over reports that an earlier audit checked the round after its end.
	over    bool
	stopped place // of the commit that stopped the bets, if it was read
	bets    []crash.Bet
	placed  []place // of the bets
	ends    map[string]string
	ended   []string // ids of settled bets, in their order
}

func newCrashGroup(key string) *crashGroup {
	n := len(key) - 8
	return &crashGroup{
		on:   bet.Shared{Chain: key[:n-1], Number: int64(binary.BigEndian.Uint64([]byte(key[n:])))},
		ends: map[string]string{},
	}
}

func (g *crashGroup) add(kind byte, from *unpacked) {
	if kind == carriedRecord {
		kind = byte(from.integer())
		g.over = g.over || from.flag()
	}
	at := from.place()
	switch kind {
	case crashEvent:
		e := from.event()
		g.states.followEvent(e)
		if g.stopped == (place{}) && e.Value("stopped") != "" {
			g.stopped = at
		}
	case crashBet:
		g.bets, g.placed = append(g.bets, from.crashBet()), append(g.placed, at)
	default:
		id := from.text()
		g.ends[id] = from.text()
		g.ended = append(g.ended, id)
	}
}

func (g *crashGroup) end(a *Auditor) {
	if !g.states.isSound() || len(g.states.ends) != 1 {
		a.addFinding("crash round %d of %s: its events are not one chain", g.on.Number, g.on.Chain)
		return
	}
	now := g.states.ends[0]
	if g.on.Number == 0 {
		a.crash = crashProgress{}
		var err error
		if a.crash.chain, err = crash.ParseCommitment(now.Value("commitment")); err != nil || a.crash.chain.Chain != g.on.Chain {
			a.addFinding("crash chain %s: its commitment can't be read: %v", g.on.Chain, err)
		}
		g.leaveCrash(a, now, false)
		return
	}
	r := crash.FromCovered(now.Event)
	final := r.Status == crash.Settled || r.Status == crash.Cancelled && len(g.ends) == len(g.bets)
	if finding := g.check(a, r); finding != "" {
		a.addFinding("crash round %d of %s: %s", g.on.Number, g.on.Chain, finding)
	}
	a.crash.last = &r
	g.leaveCrash(a, now, final || g.over)
}

// check returns what is wrong with the round, empty for nothing.
func (g *crashGroup) check(a *Auditor, r crash.Round) string {
	if g.over {
		if len(g.bets)+len(g.ended) > 0 {
			return "it had ended, and has further bets or results"
		}
		return ""
	}
	if a.crash.chain.Chain != g.on.Chain {
		return "its chain was not published"
	}
	if last := a.crash.last; last != nil && last.Status == crash.Cancelled && last.Closing == "" {
		return "it follows a round that a restore ended"
	}
	if err := r.Check(a.crash.chain, a.crash.last, g.bets); err != nil {
		return err.Error()
	}
	placed := map[string]bool{}
	for i, b := range g.bets {
		placed[b.ID] = true
		if at := g.placed[i]; g.stopped != (place{}) && at.lane == g.stopped.lane && at.seq >= g.stopped.seq {
			return fmt.Sprintf("bet %s was taken in %s, after the bets were stopped", b.ID, at)
		}
	}
	for _, id := range g.ended {
		if !placed[id] || !r.Decides(g.ends[id]) {
			return fmt.Sprintf("the result of bet %s is none of it", id)
		}
	}
	if r.Status == crash.Settled && len(g.ends) != len(g.bets) {
		return fmt.Sprintf("it is settled, and %d of its bets have no result", len(g.bets)-len(g.ends))
	}
	return ""
}

// leaveCrash writes the state for the next audit, and the bets of a round that isn't over.
func (g *crashGroup) leaveCrash(a *Auditor, now state, over bool) {
	leave := func(kind byte, at place, write func(*packed)) {
		a.leaveRecord(crashKey(g.on), func(p *packed) {
			p.integer(int64(kind))
			p.flag(over)
			p.place(at)
			write(p)
		})
	}
	now.Was = ""
	leave(crashEvent, g.stopped, func(p *packed) { p.event(now.Event) })
	if over {
		return
	}
	for i, b := range g.bets {
		leave(crashBet, g.placed[i], func(p *packed) { p.crashBet(b) })
	}
	for _, id := range g.ended {
		leave(crashEnd, place{}, func(p *packed) { p.text(id); p.text(g.ends[id]) })
	}
}
