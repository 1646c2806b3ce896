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

// Records calls visit for each record that an earlier audit left. An error of visit ends
// the walk and is returned.
type Records func(visit func(key, value []byte) error) error

// carriedRecord is a record of an earlier audit.
const carriedRecord = 'c'

// aboutLedger is the kind of records about the whole ledger; their second byte is listed
// below.
const (
	aboutLedger = '0'
	aboutLane   = 'l'
	aboutTotal  = 't'
	aboutRounds = 'r'
)

// Since makes the auditor continue an earlier audit without findings: it doesn't read
// earlier blocks again. The caller must know that the records are authentic. Such an audit
// misses
//
//   - changes in earlier blocks, including rounds, transfers and records of the audit log, whose
//     effects it takes from the records,
//   - a posting that was booked earlier and again,
//   - earlier rounds that don't match seeds revealed since,
//   - rounds of providers that began earlier.
//
// All rows that change are compared with their events, transfers and rounds as in any
// audit.
func (a *Auditor) Since(left Records) *Auditor {
	a.left = left
	return a
}

// LeaveTo makes the auditor write records for an audit that continues it. They are valid
// only if there are no findings.
func (a *Auditor) LeaveTo(put func(key, value []byte) error) *Auditor {
	a.leaves = put
	return a
}

// takeOver reads the records of the earlier audit.
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

// leaveRecord writes a record for the next audit.
func (a *Auditor) leaveRecord(key []byte, write func(*packed)) {
	if a.leaves == nil || a.leaving != nil {
		return
	}
	p := packed{[]byte{carriedRecord}}
	write(&p)
	a.leaving = a.leaves(key, p.raw)
}

// leaveLedger writes the records about the whole ledger.
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

// leave writes the nonces of the pair.
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

// leave writes the state of the thing with its digest. It skips a sign-in without a row
// once its message is too old to be used again.
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
		a.leaveRecord(g.recordKey(), func(p *packed) { p.cell(g.newest) })
	}
}

// roundsAfter returns the key after which rows of a part are read: for providers' rounds,
// those that began since the earlier audit.
func (a *Auditor) roundsAfter(part ports.LedgerPart) string {
	if part == ports.LedgerProviderRounds {
		return a.roundsFrom
	}
	return ""
}
