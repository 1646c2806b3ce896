package audit

import (
	"context"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/ports"
)

// Records are what an audit leaves to the one that goes on from it. An error of visit ends
// the walk and is returned.
type Records func(visit func(key, value []byte) error) error

// carriedRecord is a record that an earlier audit left.
const carriedRecord = 'c'

// aboutLedger are the carried records of the ledger as a whole, by their second letter.
const (
	aboutLedger = '0'
	aboutLane   = 'l'
	aboutTotal  = 't'
	aboutRounds = 'r'
)

// Since makes the auditor go on from what an earlier audit that held left to it: blocks
// before that are not read again. Whoever calls it knows that the records are that
// audit's own. It doesn't see
//
//   - what was changed in blocks before, rounds, transfers and records of the audit log
//     among them, whose effects it takes from the records,
//   - a posting that was booked before and again,
//   - whether rounds before are what their seeds decide, where those were revealed since,
//   - rounds of providers that began before.
//
// All rows that change are held against their events, transfers and rounds as in any audit.
func (a *Auditor) Since(left Records) *Auditor {
	a.left = left
	return a
}

// LeaveTo makes the auditor leave records for the audit that goes on from it. They are
// worth something only when nothing was found.
func (a *Auditor) LeaveTo(put func(key, value []byte) error) *Auditor {
	a.leaves = put
	return a
}

// takeOver reads what an earlier audit left.
func (a *Auditor) takeOver(context.Context) error {
	if a.left == nil {
		return nil
	}
	err := a.left(func(key, value []byte) error {
		if len(key) < 2 || len(value) < 1 || value[0] != carriedRecord {
			return errBroken
		}
		if key[0] != aboutLedger {
			return a.sorter.Add(key, value)
		}
		from := unpacked{raw: value[1:]}
		switch key[1] {
		case aboutLane:
			at := from.place()
			link := hashchain.Link{Head: hashchain.Head{Lane: at.lane, Seq: at.seq}, Epoch: from.integer()}
			copy(link.Hash[:], from.text())
			a.last[at.lane], a.since = link, append(a.since, link.Head)
			a.report.Epoch = max(a.report.Epoch, link.Epoch)
		case aboutTotal:
			of := holding{ledger.Account{Kind: ledger.Kind(from.integer()), Owner: from.text()}, money.Token(from.text())}
			a.book.totals[of] = from.total()
		case aboutRounds:
			a.roundsFrom = from.text()
			a.roundsTo = a.roundsFrom
		}
		return brokenError(from)
	})
	a.report.Since = a.since
	return err
}

// leaveRecord gives a record to the next audit.
func (a *Auditor) leaveRecord(key []byte, write func(*packed)) {
	if a.leaves == nil || a.leaving != nil {
		return
	}
	p := packed{[]byte{carriedRecord}}
	write(&p)
	a.leaving = a.leaves(key, p.raw)
}

// leaveLedger leaves what is known of the ledger as a whole.
func (a *Auditor) leaveLedger(context.Context) error {
	for lane, link := range a.last {
		a.leaveRecord(aboutKey(aboutLedger, string(rune(aboutLane)), place{lane, link.Seq}.String()), func(p *packed) {
			p.place(place{lane, link.Seq})
			p.integer(link.Epoch)
			p.text(string(link.Hash[:]))
		})
	}
	for of, sum := range a.book.totals {
		a.leaveRecord(aboutKey(aboutLedger, string(rune(aboutTotal)), of.account.String(), string(of.token)), func(p *packed) {
			p.integer(int64(of.account.Kind))
			p.text(of.account.Owner)
			p.text(string(of.token))
			p.total(sum)
		})
	}
	a.leaveRecord(aboutKey(aboutLedger, string(rune(aboutRounds))), func(p *packed) { p.text(a.roundsTo) })
	return a.leaving
}

// leave leaves up to which nonce a pair's rounds went.
func (g *pairGroup) leave(a *Auditor) {
	if g.begun {
		a.leaveRecord(pairKey(g.id), func(p *packed) {
			p.integer(g.next)
			p.integer(g.epoch)
			p.integer(g.ends.closed)
		})
	}
}

func (g *pairGroup) takeOver(from *unpacked) {
	g.next, g.epoch, g.ends.closed = from.integer(), from.integer(), from.integer()
	g.played, g.begun, g.last = g.next, true, map[int]nonces{}
}

// leave leaves what a thing is, by its digest; of a sign-in until its message can't be used
// any more and its row is gone. Rows of expired ones are there until the service prunes them.
func (g *thingGroup) leave(a *Auditor) {
	for _, end := range g.newest.ends {
		end.Was = ""
		if len(g.rows) == 0 && !a.now.IsZero() && !a.isUsable(end.Event) {
			if _, login := end.Moment("keepUntil"); login {
				continue
			}
		}
		a.leaveRecord(thingKey(end.Event), func(p *packed) {
			p.text(end.digest)
			p.event(end.Event)
		})
	}
}

func (g *thingGroup) takeOver(from *unpacked) {
	was := state{digest: from.text()}
	was.Event = from.event()
	g.known.ends, g.newest.ends = append(g.known.ends, was), append(g.newest.ends, was)
}

func (g *balanceGroup) leave(a *Auditor) {
	if g.sum.Sign() != 0 || g.tally != (session.Tally{}) {
		a.leaveRecord(balanceKey(g.holding), func(p *packed) {
			p.total(g.sum)
			if g.account.Kind == ledger.Player {
				p.tally(g.tally)
			}
		})
	}
}

func (g *figureGroup) leave(a *Auditor) {
	if g.newest != (figure.Cell{}) {
		a.leaveRecord(figureKey(g.Key), func(p *packed) { p.cell(g.newest) })
	}
}

// roundsAfter is the key after which rows of a part are read: of providers' rounds those
// that began since.
func (a *Auditor) roundsAfter(part ports.LedgerPart) string {
	if part == ports.LedgerProviderRounds {
		return a.roundsFrom
	}
	return ""
}
