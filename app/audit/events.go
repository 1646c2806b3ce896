package audit

import (
	"errors"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// addEvents adds the events of a block.
func (a *Auditor) addEvents(at place, made []event.Event) error {
	for _, e := range made {
		a.report.Events++
		if e.Kind.Fact() {
			continue
		}
		a.verifySignatures(e)
		if err := errors.Join(a.addVotes(at, e), a.addCrashEvent(at, e)); err != nil {
			return err
		}
		late := a.coveredHeads(ports.PartOfThing(e.Kind, e.ID)).isLate(at)
		if err := a.addRecord(thingKey(e), factRecord, func(p *packed) {
			p.flag(late)
			p.event(e)
		}); err != nil {
			return err
		}
	}
	return nil
}

// verifySignatures verifies the admins' signatures under approvals of a withdrawal. They
// can't be forged with the database and the keys of the service.
func (a *Auditor) verifySignatures(e event.Event) {
	if e.Kind != event.Withdrawal {
		return
	}
	for _, by := range withdrawal.WronglySigned(e) {
		a.addFinding("%s %s: the signature under the approval of %s does not match the wallet and the withdrawal", e.Kind, e.ID, by)
	}
}

// thing is the result of one thing's events. Lanes are read one after the other, so an
// event may be read before its predecessor.
type thing struct {
	// ends are the states without a later event. At the end, a sound thing has one, or none
	// if it was deleted.
	ends []state
	// followed are the digests of states that have a later event but were not read yet.
	followed []string
}

// state is the state of a thing after an event.
type state struct {
	event.Event
	digest string
}

// followEvent adds an event of the thing.
func (t *thing) followEvent(e event.Event) {
	if e.Was != "" {
		if at := slices.IndexFunc(t.ends, func(s state) bool { return s.digest == e.Was }); at >= 0 {
			t.ends = slices.Delete(t.ends, at, at+1)
		} else {
			t.followed = append(t.followed, e.Was)
		}
	}
	made := state{e, e.Digest()}
	if made.digest == "" {
		return
	}
	if at := slices.Index(t.followed, made.digest); at >= 0 {
		t.followed = slices.Delete(t.followed, at, at+1)
	} else {
		t.ends = append(t.ends, made)
	}
}

// isSound reports whether the events form one chain from the thing's first.
func (t *thing) isSound() bool { return len(t.ends) < 2 && len(t.followed) == 0 }

// thingGroup compares the stored row of a thing with its events. A thing with events must
// have exactly one row, except sign-ins with a message too old to be used again.
type thingGroup struct {
	kind event.Kind
	id   string
	rows []event.Event
	// known is the state when the row was read, newest the state at the last block.
	known, newest thing
	// shown are the states that an open round showed after its actions, folded the states
	// computed from its revealed seeds.
	shown, folded []string
}

func newThingGroup(name string) *thingGroup {
	kind, id, _ := cutText(name)
	return &thingGroup{kind: event.Kind(kind), id: id}
}

func (g *thingGroup) add(kind byte, from *unpacked) {
	if kind == rowRecord {
		g.rows = append(g.rows, from.event())
		return
	}
	if kind == carriedRecord {
		g.takeOver(from)
		return
	}
	if kind == foldRecord {
		for range from.integer() {
			g.folded = append(g.folded, from.text())
		}
		return
	}
	late, e := from.flag(), from.event()
	if shown := bet.ShownIn(e); shown != "" {
		g.shown = append(g.shown, shown)
	}
	g.newest.followEvent(e)
	if !late {
		g.known.followEvent(e)
	}
}

func (g *thingGroup) end(a *Auditor) {
	g.leave(a)
	g.checkShown(a)
	if len(g.rows) == 0 {
		g.reportMissing(a)
	}
	for i, row := range g.rows {
		switch {
		case i > 0 || g.known.isSound() && len(g.known.ends) == 0:
			a.addFinding("%s %s: there is a row that no block covers", g.kind, g.id)
		case !g.known.isSound():
			a.addFinding("%s %s: its events don't follow one another", g.kind, g.id)
		case g.known.ends[0].digest != row.Digest():
			a.addFinding("%s %s: its row was changed: %s", g.kind, g.id, strings.Join(row.Differences(g.known.ends[0].Event), ", "))
		}
	}
}

func (g *thingGroup) reportMissing(a *Auditor) {
	switch {
	case !g.known.isSound():
		a.addFinding("%s %s: its events don't follow one another", g.kind, g.id)
	case len(g.known.ends) == 1 && (g.kind != event.Login || a.isUsable(g.known.ends[0].Event)):
		a.addFinding("%s %s: its row is missing", g.kind, g.id)
	}
}

// isUsable reports whether a sign-in's message would still be accepted if its row were
// missing.
func (a *Auditor) isUsable(login event.Event) bool {
	until, known := login.Moment("keepUntil")
	return known && !a.now.IsZero() && until.After(a.now)
}

// cutText splits a key after its first text.
func cutText(key string) (text, rest string, found bool) { return strings.Cut(key, "\x00") }

// checkFacts compares the balance facts of a block with its bookings: each booking that
// moved a player's balance, and isn't recorded elsewhere, has one fact with its amount.
// Other facts aren't compared.
func (a *Auditor) checkFacts(at place, c hashchain.Content) {
	booked := bookedFacts(c)
	for _, e := range c.Events {
		if !e.Kind.Fact() {
			continue
		}
		if e.Was != "" || len(e.Fields) == 0 {
			a.addFinding("%s: %s %s is a fact, and follows another", at, e.Kind, e.ID)
		}
		if e.Kind != event.Balance {
			continue
		}
		said := movedBalance{e.Wallet, money.Token(e.Value("token")), money.TotalOfInt(e.Number("amount"))}
		if was, ok := booked[e.ID]; !ok || was != said {
			a.addFinding("%s: %s %s says %v of %s to %s, which was not booked", at, e.Kind, e.ID, said.by, said.token, said.wallet)
		}
		delete(booked, e.ID)
	}
	for id, was := range booked {
		a.addFinding("%s: no event says that the balance of %s changed by %v of %s (%s)", at, was.wallet, was.by, was.token, id)
	}
}

// movedBalance is the change of a player's balance by a posting.
type movedBalance struct {
	wallet wallet.Address
	token  money.Token
	by     money.Total
}

// bookedFacts returns the facts that the postings of a block must have, by id. Rounds
// played in one call and providers' transactions record the balance themselves.
func bookedFacts(c hashchain.Content) map[string]movedBalance {
	booked := map[string]movedBalance{}
	var steps map[string]bool
	for i := range c.Rounds {
		if c.Rounds[i].Stepped() {
			if steps == nil {
				steps = map[string]bool{}
			}
			steps[c.Rounds[i].ID] = true
		}
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		switch p.Key.Kind {
		case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview, ledger.ProviderRollback:
			continue
		case ledger.Round:
			if !steps[p.Key.ID] {
				continue
			}
		}
		for _, t := range p.Transfers {
			add := func(of ledger.Account, by money.Total) {
				if of.Kind != ledger.Player {
					return
				}
				id := player.BalanceFactID(p.Key, t.Token)
				was := booked[id]
				if booked[id] = (movedBalance{wallet.Address(of.Owner), t.Token, was.by.Add(by)}); booked[id].by.Sign() == 0 {
					delete(booked, id)
				}
			}
			add(t.Debit, money.TotalOf(t.Amount).Neg())
			add(t.Credit, money.TotalOf(t.Amount))
		}
	}
	return booked
}
