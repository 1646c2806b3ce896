package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// LedgerPage serves ports.LedgerPages.
func (s *Store) LedgerPage(_ context.Context, part ports.LedgerPart, after string, limit int) (ports.LedgerPage, error) {
	defer s.locked()()
	rows := slices.DeleteFunc(s.partRows(part), func(row ports.LedgerRow) bool { return row.Key <= after })
	slices.SortStableFunc(rows, func(x, y ports.LedgerRow) int { return strings.Compare(x.Key, y.Key) })
	page := ports.LedgerPage{Rows: rows, Heads: s.newest()}
	if len(rows) > limit {
		end := limit
		for end < len(rows) && rows[end].Key == rows[limit-1].Key {
			end++
		}
		page.Rows, page.Last, page.More = rows[:end], rows[limit-1].Key, true
	}
	return page, nil
}

func (s *Store) partRows(part ports.LedgerPart) (rows []ports.LedgerRow) {
	switch part {
	case ports.LedgerBalances, ports.LedgerHolds:
		for _, b := range s.book.Balances() {
			if !b.Account.Kind.Liability() {
				continue
			}
			if of, key := ports.PartOfBalance(b.Account, b.Token); of == part {
				row := ports.LedgerRow{Key: key, Balance: b, Tallied: b.Account.Kind == ledger.Player}
				if row.Tallied {
					row.Tally = s.view(wallet.Address(b.Account.Owner)).Tallies[b.Token]
				}
				rows = append(rows, row)
			}
		}
	case ports.LedgerFigures:
		for key, cell := range s.figures {
			rows = append(rows, ports.LedgerRow{Key: ports.KeyOfFigure(key), Figure: ports.DailyFigure{Key: key, Cell: cell}})
		}
	case ports.LedgerPlayerDays:
		for key, cell := range s.playerDays {
			rows = append(rows, ports.LedgerRow{Key: ports.KeyOfPlayerDay(key), Played: ports.PlayerDay{PlayerKey: key, Cell: cell}})
		}
	case ports.LedgerProviderRounds:
		for _, r := range s.providerRounds {
			rows = append(rows, ports.LedgerRow{Key: r.ID, Round: r})
		}
	case ports.LedgerVoteSums:
		rows = s.voteSums()
	case ports.LedgerCreditors:
		rows = s.creditors()
	default:
		next := s.nextNonces()
		for _, kind := range event.Kinds() {
			if of, _ := ports.PartOfThing(kind, ""); of != part {
				continue
			}
			for _, row := range s.thingsOf(kind) {
				_, key := ports.PartOfThing(kind, row.ID)
				rows = append(rows, ports.LedgerRow{Key: key, Things: []event.Event{row}, Next: next[row.ID]})
			}
		}
	}
	return rows
}

// LedgerSums serves ports.LedgerPages.
func (s *Store) LedgerSums(context.Context) (ports.LedgerSums, error) {
	defer s.locked()()
	sums := ports.LedgerSums{Heads: s.newest(), Totals: s.totals(), Funds: s.fundsOf("")}
	for _, d := range s.deliveries {
		if d.Status.Open() {
			sums.Open = append(sums.Open, d)
		}
	}
	for _, token := range slices.Sorted(maps.Keys(s.exposed)) {
		line := ports.ExposureLine{Token: token, Kept: s.exposed[token]}
		for id, w := range s.open {
			if open := s.wallets[w].OpenRounds[id]; open.Token == token {
				line.Open = line.Open.AddAmount(open.Exposure)
			}
		}
		sums.Exposures = append(sums.Exposures, line)
	}
	return sums, nil
}

// BlocksAfter serves ports.LedgerPages. It visits the blocks that existed when it was
// called; visit may call the store.
func (s *Store) BlocksAfter(ctx context.Context, after, until []hashchain.Head, visit func(ports.Block) error) error {
	s.mu.Lock()
	blocks := slices.Clone(s.blocks)
	s.mu.Unlock()
	slices.SortStableFunc(blocks, func(x, y ports.Block) int { return cmp.Compare(x.Lane, y.Lane) })
	seq := func(heads []hashchain.Head, lane int) int64 {
		if at := slices.IndexFunc(heads, func(h hashchain.Head) bool { return h.Lane == lane }); at >= 0 {
			return heads[at].Seq
		}
		return 0
	}
	for _, b := range blocks {
		if b.Seq <= seq(after, b.Lane) || b.Seq > seq(until, b.Lane) {
			continue
		}
		if err := cmp.Or(ctx.Err(), visit(b)); err != nil {
			return err
		}
	}
	return nil
}
