package reads

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

var _ ports.LedgerPages = (*Reads)(nil)

// pageAsk is what a page of an audit is asked for.
type pageAsk struct {
	part  ports.LedgerPart
	after string
	limit int
	uuid  bool // after is an id that is kept as a UUID
	timed bool // the last text of after is a number
}

// page narrows a query to what comes after a key, of as many columns as texts.
func (q *query[T]) page(ask *pageAsk, key string) *query[T] {
	columns := strings.Count(key, ",") + 1
	after := make([]any, columns)
	for i, text := range strings.SplitN(ask.after+strings.Repeat("\x00", columns), "\x00", columns+1)[:columns] {
		if after[i] = text; ask.timed && i == columns-1 {
			after[i], _ = strconv.ParseInt(text, 10, 64) // 0 before the first one
		}
	}
	q.limit(ask.limit)
	if ask.uuid {
		return q.where(key+" "+beyond(ask.after)+" ?", q.reads.db.Dialect.ID(ask.after))
	}
	return q.where("("+key+") > (?"+strings.Repeat(", ?", columns-1)+")", after...)
}

// LedgerPage serves ports.LedgerPages.
func (r *Reads) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (page ports.LedgerPage, err error) {
	err = r.moment(ctx, "read "+string(part), func(r *Reads) (err error) {
		if page.Heads, err = r.Heads(ctx); err != nil {
			return err
		}
		return r.ledgerPage(ctx, pageAsk{part: part, after: after, limit: limit}, &page)
	})
	return page, err
}

// partOf are the kinds of things that a part of the ledger has one table of.
var partOf = map[ports.LedgerPart]event.Kind{
	ports.LedgerPlayers: event.Player, ports.LedgerOpenRounds: event.OpenRound, ports.LedgerLogins: event.Login,
	ports.LedgerRequests: event.Request, ports.LedgerVotes: event.Vote,
}

func (r *Reads) ledgerPage(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	if kind, known := partOf[ask.part]; known {
		ask.uuid, ask.timed = ask.part == ports.LedgerOpenRounds, ask.part == ports.LedgerVotes
		err := thingTables[kind](ctx, r, "read "+string(ask.part), &ask, func(thing event.Event) error {
			_, key := ports.PartOfThing(kind, thing.ID)
			page.Rows = append(page.Rows, ports.LedgerRow{Key: key, Things: []event.Event{thing}})
			return nil
		})
		ask.ends(page)
		return err
	}
	switch ask.part {
	case ports.LedgerPairs:
		ask.uuid = true
		return pageOf(ctx, from(r, rows.PairStates).page(&ask, "p.id").order("p.id"), ask, page, func(p rows.PairState) (ports.LedgerRow, error) {
			id, next := p.Next()
			return ports.LedgerRow{Key: id, Things: []event.Event{p.Covered()}, Next: next}, nil
		})
	case ports.LedgerProviderRounds:
		ask.uuid = true
		return pageOf(ctx, from(r, rows.ProviderRounds).page(&ask, "r.id").order("r.id"), ask, page, func(round seamless.Round) (ports.LedgerRow, error) {
			return ports.LedgerRow{Key: round.ID, Round: round}, nil
		})
	case ports.LedgerBalances:
		first, _, _ := strings.Cut(ask.after, "\x00") // once more, for the index
		q := from(r, rows.CountedBalances.ByWallet()).where("b.wallet = w.key AND b.hold = '' AND w.wallet >= ?", first).
			page(&ask, "w.wallet, b.kind, b.token").order("w.wallet, b.kind, b.token")
		return pageOf(ctx, q, ask, page, func(stored rows.Balance) (ports.LedgerRow, error) {
			row, err := balanceRow(stored)
			row.Tally, row.Tallied = stored.Tally(), row.Balance.Account.Kind == ledger.Player
			return row, err
		})
	case ports.LedgerHolds:
		return pageOf(ctx, from(r, rows.Balances).where("b.kind = 'hold'").page(&ask, "b.hold, b.token").order("b.hold, b.token"), ask, page, balanceRow)
	case ports.LedgerTransactions:
		return r.pageOfTransactions(ctx, ask, page)
	case ports.LedgerAdministration:
		return r.pageOfAdministration(ctx, page)
	case ports.LedgerFigures:
		return r.pageOfFigures(ctx, ask.after, page)
	case ports.LedgerVoteSums:
		return r.pageOfVoteSums(ctx, ask, page)
	case ports.LedgerCreditors:
		return r.pageOfCreditors(ctx, ask, page)
	}
	return nil
}

// beyond compares UUIDs with the one that a page begins after. The first page has the least:
// there is none that every id comes after.
func beyond(after string) string {
	if after == "" {
		return ">="
	}
	return ">"
}

// pageOf reads a page by a query.
func pageOf[T any](ctx context.Context, q *query[T], ask pageAsk, page *ports.LedgerPage, row func(T) (ports.LedgerRow, error)) error {
	err := q.each(ctx, "read "+string(ask.part), func(v T) error {
		made, err := row(v)
		page.Rows = append(page.Rows, made)
		return err
	})
	ask.ends(page)
	return err
}

// ends says up to where a page stands, and whether there may be more.
func (ask pageAsk) ends(page *ports.LedgerPage) {
	if page.More = len(page.Rows) == ask.limit; len(page.Rows) > 0 {
		page.Last = page.Rows[len(page.Rows)-1].Key
	}
}

func balanceRow(stored rows.Balance) (ports.LedgerRow, error) {
	b, err := balance(stored)
	_, key := ports.PartOfBalance(b.Account, b.Token)
	return ports.LedgerRow{Key: key, Balance: b}, err
}

// pageOfTransactions reads a page of transactions, with the approvals and attempts of the
// withdrawals among them. Attempts of a withdrawal that isn't there are of the page that
// it would be of.
func (r *Reads) pageOfTransactions(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	lines, err := from(r, rows.Transactions).where("t.id > ?", ask.after).order("t.id").limit(ask.limit).all(ctx, "read transactions")
	if err != nil {
		return err
	}
	attempts := from(r, rows.Attempts).where("a.withdrawal_id > ?", ask.after).order("a.withdrawal_id, a.number")
	if page.More = len(lines) == ask.limit; page.More {
		page.Last = lines[len(lines)-1].ID
		attempts.where("a.withdrawal_id <= ?", page.Last)
	}
	given, err := r.approvalsGiven(ctx, ask.after, page.Last)
	if err != nil {
		return err
	}
	for _, t := range lines {
		page.Rows = append(page.Rows, ports.LedgerRow{Key: t.ID, Things: []event.Event{t.Covered(given[t.ID])}})
	}
	return attempts.each(ctx, "read payout attempts", func(a rows.Attempt) error {
		row := ports.LedgerRow{Key: a.WithdrawalID, Things: []event.Event{a.Covered()}}
		if dead, found := a.CoveredDead(); found {
			row.Things = append(row.Things, dead)
		}
		page.Rows = append(page.Rows, row)
		return nil
	})
}

// pageOfAdministration reads who is what, and the alarms: at once, because there is little
// of it.
func (r *Reads) pageOfAdministration(ctx context.Context, page *ports.LedgerPage) error {
	for _, kind := range event.Kinds() {
		if part, _ := ports.PartOfThing(kind, ""); part != ports.LedgerAdministration {
			continue
		}
		if err := r.Things(ctx, kind, func(row event.Event) error {
			_, key := ports.PartOfThing(kind, row.ID)
			page.Rows = append(page.Rows, ports.LedgerRow{Key: key, Things: []event.Event{row}})
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// daysOfPage is how many days of figures are one page.
const daysOfPage = 31

// pageOfFigures reads the figures of some days.
func (r *Reads) pageOfFigures(ctx context.Context, after string, page *ports.LedgerPage) error {
	after, _, _ = strings.Cut(after, "\x01")
	var first, last sql.NullString
	if err := r.rows(ctx, "read days", "SELECT min(f.day), max(f.day) FROM daily_figures AS f WHERE f.day > ?", []any{after},
		func(row *sql.Rows) error { return row.Scan(&first, &last) }); err != nil || !first.Valid {
		return err
	}
	until := last.String
	if from, err := time.Parse(time.DateOnly, first.String); err == nil {
		until = min(until, from.AddDate(0, 0, daysOfPage).Format(time.DateOnly))
	}
	daily, err := r.Daily(ctx, first.String, until)
	for _, f := range daily {
		page.Rows = append(page.Rows, ports.LedgerRow{Key: ports.KeyOfFigure(f.Key), Figure: f})
	}
	page.Last, page.More = until+"\x01", until < last.String
	return err
}

// LedgerSums serves ports.LedgerPages.
func (r *Reads) LedgerSums(ctx context.Context) (sums ports.LedgerSums, err error) {
	err = r.moment(ctx, "read sums", func(r *Reads) (err error) {
		if sums.Heads, err = r.Heads(ctx); err != nil {
			return err
		}
		if sums.Totals, err = r.Totals(ctx); err != nil {
			return err
		}
		if sums.Funds, err = r.FundsOf(ctx, ""); err != nil {
			return err
		}
		if sums.Open, err = from(r, rows.Deliveries).where(openDeliveries).order("p.id").all(ctx, "read routes"); err != nil {
			return err
		}
		sums.Exposures, err = r.exposures(ctx)
		return err
	})
	return sums, err
}
