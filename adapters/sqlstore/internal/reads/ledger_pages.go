package reads

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var _ ports.LedgerPages = (*Reads)(nil)

// pageAsk is what a page of an audit is asked for.
type pageAsk struct {
	part  ports.LedgerPart
	after string
	limit int
	uuid  bool // after is an id that is kept as a UUID
	twice bool // the first text of after is asked for twice
	timed bool // the last text of after is a number
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

func (r *Reads) ledgerPage(ctx context.Context, ask pageAsk, page *ports.LedgerPage) error {
	switch ask.part {
	case ports.LedgerPlayers:
		text := "SELECT " + rows.Players.Columns() + ", " + rows.Protection + " FROM " + rows.Players.From() + rows.WithProtection +
			" WHERE p.created_at IS NOT NULL AND p.wallet > ? ORDER BY p.wallet LIMIT ?"
		return pageRows(ctx, r, ask, page, text, rows.ScanProtected, func(p player.Player) (ports.LedgerRow, error) {
			return ports.LedgerRow{Key: string(p.Wallet), Things: []event.Event{p.Covered()}}, nil
		})
	case ports.LedgerPairs:
		ask.uuid = true
		return pageRows(ctx, r, ask, page, rows.SelectPairStates+" WHERE p.id "+beyond(ask.after)+" ? ORDER BY p.id LIMIT ?", rows.ScanPairState,
			func(p rows.PairState) (ports.LedgerRow, error) {
				id, next := p.Next()
				return ports.LedgerRow{Key: id, Things: []event.Event{p.Covered()}, Next: next}, nil
			})
	case ports.LedgerProviderRounds:
		ask.uuid = true
		return pageRows(ctx, r, ask, page, rows.ProviderRounds.Select()+" WHERE r.id "+beyond(ask.after)+" ? ORDER BY r.id LIMIT ?", rows.ProviderRounds.Scan,
			func(round seamless.Round) (ports.LedgerRow, error) {
				return ports.LedgerRow{Key: round.ID, Round: round}, nil
			})
	case ports.LedgerBalances:
		ask.twice = true // once for the index
		return pageRows(ctx, r, ask, page, "SELECT "+rows.CountedBalances.Columns()+" FROM players AS w CROSS JOIN "+rows.Balances.From()+` WHERE b.wallet = w.key AND b.hold = ''
			AND w.wallet >= ? AND (w.wallet, b.kind, b.token) > (?, ?, ?) ORDER BY w.wallet, b.kind, b.token LIMIT ?`, rows.CountedBalances.Scan, func(stored rows.Balance) (ports.LedgerRow, error) {
			row, err := balanceRow(stored)
			row.Tally, row.Tallied = stored.Tally(), row.Balance.Account.Kind == ledger.Player
			return row, err
		})
	case ports.LedgerHolds:
		return pageRows(ctx, r, ask, page, rows.Balances.Select()+` WHERE b.kind = 'hold' AND (b.hold, b.token) > (?, ?)
			ORDER BY b.hold, b.token LIMIT ?`, rows.Balances.Scan, balanceRow)
	case ports.LedgerTransactions:
		return r.pageOfTransactions(ctx, ask, page)
	case ports.LedgerOpenRounds:
		ask.uuid = true
		return pageThings(ctx, r, ask, page, selectOpenRounds+" WHERE r.id "+beyond(ask.after)+" ? ORDER BY r.id LIMIT ?", rows.OpenRounds.Scan, bet.Open.Covered)
	case ports.LedgerLogins:
		return pageThings(ctx, r, ask, page, rows.Logins.Select()+rows.WhereLogins+" AND (c.scope, c.id) > (?, ?) ORDER BY c.scope, c.id LIMIT ?",
			rows.Logins.Scan, rows.CoveredLogin)
	case ports.LedgerRequests:
		return pageThings(ctx, r, ask, page, rows.ApprovalRequests.Select()+" WHERE a.id > ? ORDER BY a.id LIMIT ?",
			rows.ApprovalRequests.Scan, approval.Approval.Covered)
	case ports.LedgerVotes:
		ask.timed = true
		return pageThings(ctx, r, ask, page, rows.Votes.Select()+" WHERE (y.subject, y.by_wallet, y.at) > (?, ?, ?) ORDER BY y.subject, y.by_wallet, y.at LIMIT ?",
			rows.Votes.Scan, player.Vote.Covered)
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

// pageRows reads a page by a query that is asked for what comes after a key, whose
// texts are its arguments, and for how many.
func pageRows[T any](ctx context.Context, r *Reads, ask pageAsk, page *ports.LedgerPage, text string,
	scan func(db.Row) (T, error), row func(T) (ports.LedgerRow, error),
) error {
	arguments := make([]any, strings.Count(text, "?")-1, strings.Count(text, "?"))
	parts := strings.SplitN(ask.after+strings.Repeat("\x00", len(arguments)), "\x00", len(arguments)+1)
	if ask.twice {
		parts = slices.Insert(parts, 0, parts[0])
	}
	for i, after := range parts[:len(arguments)] {
		arguments[i] = after
	}
	if ask.uuid {
		arguments[0] = r.db.Dialect.ID(ask.after)
	}
	if ask.timed {
		last := len(arguments) - 1
		arguments[last], _ = strconv.ParseInt(parts[last], 10, 64) // 0 before the first one
	}
	page.Rows = make([]ports.LedgerRow, 0, ask.limit)
	err := each(ctx, r, "read "+string(ask.part), text, append(arguments, ask.limit), scan, func(v T) error {
		made, err := row(v)
		page.Rows, page.Last = append(page.Rows, made), made.Key
		return err
	})
	page.More = len(page.Rows) == ask.limit
	return err
}

// pageThings is pageRows where rows are things.
func pageThings[T any](ctx context.Context, r *Reads, ask pageAsk, page *ports.LedgerPage, text string,
	scan func(db.Row) (T, error), covered func(T) event.Event,
) error {
	return pageRows(ctx, r, ask, page, text, scan, func(v T) (ports.LedgerRow, error) {
		thing := covered(v)
		_, key := ports.PartOfThing(thing.Kind, thing.ID)
		return ports.LedgerRow{Key: key, Things: []event.Event{thing}}, nil
	})
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
	lines, err := every(ctx, r, "read transactions", rows.Transactions.Select()+" WHERE t.id > ? ORDER BY t.id LIMIT ?",
		[]any{ask.after, ask.limit}, rows.Transactions.Scan)
	if err != nil {
		return err
	}
	which, arguments := "a.withdrawal_id > ?", []any{ask.after}
	if page.More = len(lines) == ask.limit; page.More {
		page.Last = lines[len(lines)-1].ID
		which, arguments = which+" AND a.withdrawal_id <= ?", append(arguments, page.Last)
	}
	given := map[string][]withdrawal.Approval{}
	if err := each(ctx, r, "read approvals", rows.Approvals.Select()+" WHERE "+which+" ORDER BY a.withdrawal_id, a.n", arguments,
		rows.Approvals.Scan, func(a rows.Approval) error {
			given[a.WithdrawalID] = append(given[a.WithdrawalID], a.Given())
			return nil
		}); err != nil {
		return err
	}
	for _, t := range lines {
		page.Rows = append(page.Rows, ports.LedgerRow{Key: t.ID, Things: []event.Event{t.Covered(given[t.ID])}})
	}
	return each(ctx, r, "read payout attempts", rows.Attempts.Select()+" WHERE "+which+" ORDER BY a.withdrawal_id, a.number", arguments,
		rows.Attempts.Scan, func(a rows.Attempt) error {
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
		if sums.Open, err = r.deliveries(ctx, "WHERE "+openDeliveries+" ORDER BY p.id"); err != nil {
			return err
		}
		sums.Exposures, err = r.exposures(ctx)
		return err
	})
	return sums, err
}
