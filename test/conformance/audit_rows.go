package conformance

import (
	"errors"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/test/fakes"
)

// AuditRows is the suite of ports.AuditRows.
func AuditRows(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, auditRowsCases)
}

var auditRowsCases = []story{
	{"each thing is visited once, as its newest event made it", Rows, func(b *bench) {
		b.everyThing()
		b.reopen()
		count := b.soundThings()
		for _, kind := range event.Kinds() {
			if count[kind] == 0 && kind != event.Request && kind != event.Vote && kind != event.Login {
				b.Errorf("there is no %s", kind)
			}
		}
	}},
	{"an error of visit ends the walk and is returned", Logic, func(b *bench) {
		b.everyThing()
		enough := errors.New("enough")
		visits := 0
		count := func() error { visits++; return enough }
		for _, walk := range []func() error{
			func() error {
				return b.Things(background, event.Withdrawal, func(event.Event) error { return count() })
			},
			func() error { return b.Things(background, event.Player, func(event.Event) error { return count() }) },
			func() error { return b.SealedSeeds(background, func(string, error) error { return count() }) },
		} {
			visits = 0
			if err := walk(); !errors.Is(err, enough) || visits != 1 {
				b.Errorf("%d visits, %v", visits, err)
			}
		}
	}},
	{"each seed that is not revealed is opened and held against its commitment", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.commit(b.rotate(alice, "mine"))
		pair := must(b.ActivePair(background, alice))(b)
		got := map[string]bool{}
		b.ok(b.SealedSeeds(background, func(id string, wrong error) error {
			got[id] = wrong == nil
			return nil
		}))
		b.same("seeds", got, map[string]bool{pair.ID: true, pair.Next.ID: true})
	}},
}

// things leads each thing's events to what they make of it.
func (b *bench) things() map[event.Kind]map[string]event.Event {
	b.Helper()
	type step struct {
		made event.Event
		last bool
	}
	all := map[event.Kind]map[string][]step{}
	for _, block := range b.chained() {
		for _, e := range block.Events {
			if all[e.Kind] == nil {
				all[e.Kind] = map[string][]step{}
			}
			all[e.Kind][e.ID] = append(all[e.Kind][e.ID], step{e, true})
		}
	}
	newest := map[event.Kind]map[string]event.Event{}
	for kind, things := range all {
		newest[kind] = map[string]event.Event{}
		for id, steps := range things {
			// Each is followed by at most one, whichever lane that is in.
			for _, later := range steps {
				if later.made.Was == "" {
					continue
				}
				at := slices.IndexFunc(steps, func(s step) bool { return s.last && s.made.Digest() == later.made.Was })
				if at < 0 {
					b.Errorf("%s %s was %s, which no event made it", kind, id, later.made.Was)
					continue
				}
				steps[at].last = false
			}
			for _, s := range steps {
				if !s.last || len(s.made.Fields) == 0 {
					continue
				}
				if _, twice := newest[kind][id]; twice {
					b.Errorf("%s %s has two newest events", kind, id)
				}
				newest[kind][id] = s.made
			}
		}
	}
	return newest
}

// soundThings holds the rows of things against their events.
func (b *bench) soundThings() map[event.Kind]int {
	b.Helper()
	newest, count := b.things(), map[event.Kind]int{}
	for _, kind := range event.Kinds() {
		b.ok(b.Things(background, kind, func(row event.Event) error {
			made, there := newest[kind][row.ID]
			delete(newest[kind], row.ID)
			count[kind]++
			switch {
			case !there:
				b.Errorf("%s %s: no event made it, or it comes twice", kind, row.ID)
			case row.Digest() != made.Digest() || row.Kind != kind:
				b.Errorf("%s %s differs in %v: %+v, its event made it %+v", kind, row.ID, row.Differences(made), row, made)
			case row.Was != "":
				b.Errorf("%s %s was %s", kind, row.ID, row.Was)
			}
			return nil
		}))
		if kind == event.Login { // messages that can't be used again are forgotten
			continue
		}
		for id := range newest[kind] {
			b.Errorf("%s %s has events and no row", kind, id)
		}
	}
	return count
}

// everyThing makes at least one thing of each kind, most in several states.
func (b *bench) everyThing() {
	b.Helper()
	b.signIn(alice, 100_000)
	b.signIn(bob, 1_000)
	b.grant(admin, "superadmin")
	b.grant(carol, "finance")
	b.grant(carol, "support")
	b.grant(bob, "finance")
	b.revoke(bob)
	b.commit(b.rotate(alice, "mine"))
	b.commit(b.play(alice, 100))
	b.commit(b.adjust(alice, -5))
	b.commit(b.claim(alice, b.id(), usd, deposit.Verdict{Status: deposit.Review}))
	b.commit(b.withdraw(bob, 10))
	w := *b.commit(b.withdraw(alice, 100)).Change.Withdrawal
	b.commit(b.approve(w, admin))
	b.commit(b.sign(w, 1))
	b.commit(b.settle(w, 1, dead))
	b.commit(b.sign(w, 2))
	b.commit(b.settle(w, 2, finalized))
	open := b.opened(alice, 100, doubles)
	b.commit(b.steps(open, fakes.Double))
	b.commit(b.steps(b.opened(alice, 100), fakes.CashOut))
	b.raised(b.alarmed(alarm.LowFees, "SOL"))
	b.over(b.raised(b.alarmed(alarm.Insolvent, "SOL")))
}
