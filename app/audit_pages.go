package app

import (
	"context"
	"slices"
	"sort"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// pageRows is how many rows an audit reads at one moment: so many take milliseconds.
const pageRows = 2_000

// spooledPage is up to where a page of a part stands for keys, and the heads of its
// moment.
type spooledPage struct {
	last  string
	heads []hashchain.Head
}

// spool reads all rows that change, a page at a time, and the sums in the end. Their
// heads are those up to which blocks are read: no page has later ones.
func (a *Auditor) spool(ctx context.Context) (err error) {
	for _, part := range ports.LedgerParts() {
		for after, more := a.roundsAfter(part), true; more; {
			page, err := a.pages.LedgerPage(ctx, part, after, pageRows)
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
	if a.sums, err = a.pages.LedgerSums(ctx); err != nil {
		return err
	}
	a.ordered = len(a.sums.Heads) < 2
	return nil
}

// covers are the heads of the page that stands for a key.
func (a *Auditor) covers(part ports.LedgerPart, key string) cut {
	if a.still {
		return cut{all: true}
	}
	pages := a.spooled[part]
	at := sort.Search(len(pages)-1, func(i int) bool { return pages[i].last >= key })
	return cut{heads: pages[at].heads}
}

// cut is the moment of a page.
type cut struct {
	all   bool
	heads []hashchain.Head
}

// late reports whether a block came after the moment.
func (c cut) late(at place) bool {
	if c.all {
		return false
	}
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
		if err := a.add(thingKey(thing), rowRecord, func(p *packed) { p.event(thing) }); err != nil {
			return err
		}
	}
	switch part {
	case ports.LedgerPairs:
		return a.add(pairKey(row.Key), rowRecord, func(p *packed) { p.integer(row.Next) })
	case ports.LedgerBalances, ports.LedgerHolds:
		a.report.Accounts++
		return a.add(balanceKey(holding{row.Balance.Account, row.Balance.Token}), rowRecord, func(p *packed) {
			p.total(row.Balance.Amount)
			if p.flag(row.Tallied); row.Tallied {
				p.tally(row.Tally)
			}
		})
	case ports.LedgerFigures:
		return a.add(figureKey(row.Figure.Key), rowRecord, func(p *packed) { p.cell(row.Figure.Cell) })
	case ports.LedgerProviderRounds:
		return a.add(roundKey(row.Round.ID), rowRecord, func(p *packed) {
			p.text(begun(row.Round))
			p.integer(int64(row.Round.Balance))
			p.integer(int64(row.Round.Payout))
			p.integer(int64(row.Round.Credits))
		})
	case ports.LedgerVoteSums, ports.LedgerCreditors:
		return a.add(votesKey(part, row.Key), rowRecord, func(p *packed) {
			p.total(row.Sum)
			p.moment(row.Last)
		})
	}
	return nil
}

// atRest reads a store that has no pages: everything in one page of its part. It must
// not change meanwhile.
type atRest struct{ AuditStore }

// LedgerPage serves ports.LedgerPages.
func (s atRest) LedgerPage(ctx context.Context, part ports.LedgerPart, _ string, _ int) (page ports.LedgerPage, err error) {
	add := func(row ports.LedgerRow) error { page.Rows = append(page.Rows, row); return nil }
	switch part {
	case ports.LedgerBalances:
		err = s.LiabilityBalances(ctx, func(b ledger.Balance) error { return add(ports.LedgerRow{Balance: b}) })
	case ports.LedgerFigures:
		var daily []ports.DailyFigure
		daily, err = s.Daily(ctx, "0000-01-01", "9999-12-31")
		for _, f := range daily {
			page.Rows = append(page.Rows, ports.LedgerRow{Figure: f})
		}
	case ports.LedgerProviderRounds:
		err = s.ProviderRounds(ctx, func(r seamless.Round) error { return add(ports.LedgerRow{Round: r}) })
	case ports.LedgerPairs:
		nonces := map[string]int64{}
		if err = s.Nonces(ctx, func(pair string, next int64) error { nonces[pair] = next; return nil }); err == nil {
			err = s.things(ctx, part, func(row ports.LedgerRow) error {
				row.Next = nonces[row.Key]
				return add(row)
			})
		}
	case ports.LedgerHolds, ports.LedgerVoteSums, ports.LedgerCreditors: // are among the balances, or not there
	default:
		err = s.things(ctx, part, add)
	}
	return page, err
}

func (s atRest) things(ctx context.Context, part ports.LedgerPart, add func(ports.LedgerRow) error) error {
	for _, kind := range event.Kinds() {
		if of, _ := ports.PartOfThing(kind, ""); of != part {
			continue
		}
		if err := s.Things(ctx, kind, func(row event.Event) error {
			return add(ports.LedgerRow{Key: row.ID, Things: []event.Event{row}})
		}); err != nil {
			return err
		}
	}
	return nil
}

// LedgerSums serves ports.LedgerPages.
func (s atRest) LedgerSums(ctx context.Context) (sums ports.LedgerSums, err error) {
	if sums.Heads, err = s.Heads(ctx); err != nil {
		return sums, err
	}
	if sums.Totals, err = s.Totals(ctx); err != nil {
		return sums, err
	}
	if sums.Funds, err = s.FundsOf(ctx, ""); err != nil {
		return sums, err
	}
	for after := ""; ; {
		open, err := s.OpenDeliveries(ctx, after, deliveriesAtOnce)
		if err != nil {
			return sums, err
		}
		if sums.Open = append(sums.Open, open...); len(open) < deliveriesAtOnce {
			return sums, nil
		}
		after = open[len(open)-1].ID
	}
}

// BlocksAfter serves ports.LedgerPages, with every block that there is.
func (s atRest) BlocksAfter(ctx context.Context, after, _ []hashchain.Head, visit func(ports.Block) error) error {
	return s.Blocks(ctx, func(b ports.Block) error {
		if slices.ContainsFunc(after, func(h hashchain.Head) bool { return h.Lane == b.Lane && h.Seq >= b.Seq }) {
			return nil
		}
		return visit(b)
	})
}
