package audit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// pageRows is the number of rows that an audit reads at one moment, which takes
// milliseconds.
const pageRows = 2_000

// spooledPage is the last key of a page and the heads when it was read.
type spooledPage struct {
	last  string
	heads []hashchain.Head
}

// readRows reads all rows that change, in pages, and then the sums. Blocks are read up to
// the heads of the sums, because no page has later ones.
func (a *Auditor) readRows(ctx context.Context) (err error) {
	for _, part := range ports.LedgerParts() {
		for after, more := a.roundsAfter(part), true; more; {
			page, err := a.store.LedgerPage(ctx, part, after, pageRows)
			if err != nil {
				return err
			}
			for i := range page.Rows {
				if err := a.spoolRow(part, &page.Rows[i]); err != nil {
					return err
				}
			}
			a.spooled[part] = append(a.spooled[part], spooledPage{page.Last, page.Heads})
			after, more = page.Last, page.More
		}
	}
	if a.sums, err = a.store.LedgerSums(ctx); err != nil {
		return err
	}
	a.ordered = len(a.sums.Heads) < 2
	return nil
}

// coveredHeads returns the heads of the page that contains a key.
func (a *Auditor) coveredHeads(part ports.LedgerPart, key string) cut {
	pages := a.spooled[part]
	at := sort.Search(len(pages)-1, func(i int) bool { return pages[i].last >= key })
	return cut{heads: pages[at].heads}
}

// cut is the moment of a page.
type cut struct{ heads []hashchain.Head }

// isLate reports whether a block came after the moment.
func (c cut) isLate(at place) bool {
	for _, h := range c.heads {
		if h.Lane == at.lane {
			return at.seq > h.Seq
		}
	}
	return true
}

func (a *Auditor) spoolRow(part ports.LedgerPart, row *ports.LedgerRow) error {
	for _, thing := range row.Things {
		a.report.Things++
		if err := a.addRecord(thingKey(thing), rowRecord, func(p *packed) { p.event(thing) }); err != nil {
			return err
		}
	}
	switch part {
	case ports.LedgerPairs:
		return a.addRecord(pairKey(row.Key), rowRecord, func(p *packed) { p.integer(row.Next) })
	case ports.LedgerBalances, ports.LedgerHolds:
		a.report.Accounts++
		return a.addRecord(balanceKey(holding{row.Balance.Account, row.Balance.Token}), rowRecord, func(p *packed) {
			p.total(row.Balance.Amount)
			if p.flag(row.Tallied); row.Tallied {
				p.tally(row.Tally)
			}
		})
	case ports.LedgerFigures:
		return a.addRecord(figureName{part, ports.KeyOfFigure(row.Figure.Key)}.recordKey(), rowRecord, func(p *packed) { p.cell(row.Figure.Cell) })
	case ports.LedgerPlayerDays:
		return a.addRecord(figureName{part, ports.KeyOfPlayerDay(row.Played.PlayerKey)}.recordKey(), rowRecord, func(p *packed) { p.cell(row.Played.Cell) })
	case ports.LedgerProviderRounds:
		return a.addRecord(roundKey(row.Round.ID), rowRecord, func(p *packed) {
			p.text(roundBeginning(row.Round))
			p.text(row.Round.TxnID)
			p.integer(int64(row.Round.Balance))
			p.integer(int64(row.Round.Wager))
			p.integer(int64(row.Round.Payout))
			p.integer(int64(row.Round.Credits))
			p.flag(row.Round.RolledBack)
		})
	case ports.LedgerVoteSums, ports.LedgerCreditors:
		return a.addRecord(votesKey(part, row.Key), rowRecord, func(p *packed) {
			p.total(row.Sum)
			p.moment(row.Last)
		})
	}
	return nil
}

// NewSorter returns a ports.Sorter that holds everything in memory.
func NewSorter() ports.Sorter { return &sorter{} }

type sorter struct{ records [][2][]byte }

// Add implements ports.Sorter.
func (s *sorter) Add(key, value []byte) error {
	s.records = append(s.records, [2][]byte{bytes.Clone(key), bytes.Clone(value)})
	return nil
}

// Sorted implements ports.Sorter.
func (s *sorter) Sorted(ctx context.Context, visit func(key, value []byte) error) error {
	slices.SortStableFunc(s.records, func(x, y [2][]byte) int { return bytes.Compare(x[0], y[0]) })
	for _, r := range s.records {
		if err := errors.Join(ctx.Err(), visit(r[0], r[1])); err != nil {
			return err
		}
	}
	return nil
}

// Close implements ports.Sorter.
func (s *sorter) Close() error {
	s.records = nil
	return nil
}
