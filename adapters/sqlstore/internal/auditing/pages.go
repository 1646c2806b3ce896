package auditing

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/approvals"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/figures"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/reporting"
	"github.com/casino-service/casino/adapters/sqlstore/internal/steps"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// LedgerPage implements ports.LedgerPages.
func (s *Store) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (page ports.LedgerPage, err error) {
	err = s.Moment(ctx, "read "+string(part), func(r *read.Reads) (err error) {
		if page.Heads, err = (&archive.Store{Reads: r}).Heads(ctx); err != nil {
			return err
		}
		return (&Store{s.At(r)}).ledgerPage(ctx, read.PageAsk{Part: part, After: after, Limit: limit}, &page)
	})
	return page, err
}

// partOf maps parts of the ledger to their kind of thing, for parts with one table.
var partOf = map[ports.LedgerPart]event.Kind{
	ports.LedgerPlayers: event.Player, ports.LedgerOpenRounds: event.OpenRound, ports.LedgerLogins: event.Login,
	ports.LedgerRequests: event.Request, ports.LedgerVotes: event.Vote,
	ports.LedgerCrashRounds: event.CrashRound,
}

func (s *Store) ledgerPage(ctx context.Context, ask read.PageAsk, page *ports.LedgerPage) error {
	if kind, known := partOf[ask.Part]; known {
		ask.UUID, ask.Timed = ask.Part == ports.LedgerOpenRounds, ask.Part == ports.LedgerVotes || ask.Part == ports.LedgerCrashRounds
		err := thingTables[kind](ctx, s.Reads, "read "+string(ask.Part), &ask, func(thing event.Event) error {
			_, key := ports.PartOfThing(kind, thing.ID)
			page.Rows = append(page.Rows, ports.LedgerRow{Key: key, Things: []event.Event{thing}})
			return nil
		})
		ends(ask, page)
		return err
	}
	switch ask.Part {
	case ports.LedgerPairs:
		ask.UUID = true
		return pageOf(ctx, read.From(s.Reads, play.PairStates).Page(&ask, "p.id").Order("p.id"), ask, page, func(p play.PairState) (ports.LedgerRow, error) {
			id, next := p.Next()
			return ports.LedgerRow{Key: id, Things: []event.Event{p.Covered()}, Next: next}, nil
		})
	case ports.LedgerProviderRounds:
		ask.UUID = true
		return pageOf(ctx, read.From(s.Reads, provider.ProviderRounds).Page(&ask, "r.id").Order("r.id"), ask, page, func(round seamless.Round) (ports.LedgerRow, error) {
			return ports.LedgerRow{Key: round.ID, Round: round}, nil
		})
	case ports.LedgerBalances:
		first, _, _ := strings.Cut(ask.After, "\x00") // in a condition of its own, for the index
		q := read.From(s.Reads, accounts.CountedBalances.ByWallet()).Where("b.wallet = w.key AND b.hold = '' AND w.wallet >= ?", first).
			Page(&ask, "w.wallet, b.kind, b.token").Order("w.wallet, b.kind, b.token")
		return pageOf(ctx, q, ask, page, func(stored accounts.Balance) (ports.LedgerRow, error) {
			row, err := balanceRow(stored)
			row.Tally, row.Tallied = stored.Tally(), row.Balance.Account.Kind == ledger.Player
			return row, err
		})
	case ports.LedgerHolds:
		return pageOf(ctx, read.From(s.Reads, accounts.Balances).Where("b.kind = 'hold'").Page(&ask, "b.hold, b.token").Order("b.hold, b.token"), ask, page, balanceRow)
	case ports.LedgerTransactions:
		return s.pageOfTransactions(ctx, ask, page)
	case ports.LedgerAdministration:
		return s.pageOfAdministration(ctx, page)
	case ports.LedgerFigures:
		return s.pageOfFigures(ctx, ask.After, page)
	case ports.LedgerPlayerDays:
		var err error
		if page.Heads, err = reporting.CountedBlocks(ctx, s.Reads); err != nil {
			return err
		}
		return pageOf(ctx, reporting.PageOfDays(s.Reads, ask.After, ask.Limit), ask, page, func(d ports.PlayerDay) (ports.LedgerRow, error) {
			return ports.LedgerRow{Key: ports.KeyOfPlayerDay(d.PlayerKey), Played: d}, nil
		})
	case ports.LedgerVoteSums:
		return s.pageOfVoteSums(ctx, ask, page)
	case ports.LedgerCreditors:
		return s.pageOfCreditors(ctx, ask, page)
	}
	return nil
}

// pageOf reads a page with a query.
func pageOf[T any](ctx context.Context, q *read.Query[T], ask read.PageAsk, page *ports.LedgerPage, row func(T) (ports.LedgerRow, error)) error {
	err := q.Each(ctx, "read "+string(ask.Part), func(v T) error {
		made, err := row(v)
		page.Rows = append(page.Rows, made)
		return err
	})
	ends(ask, page)
	return err
}

// ends sets the last key of a page, and whether there may be more.
func ends(ask read.PageAsk, page *ports.LedgerPage) {
	if page.More = len(page.Rows) == ask.Limit; len(page.Rows) > 0 {
		page.Last = page.Rows[len(page.Rows)-1].Key
	}
}

func balanceRow(stored accounts.Balance) (ports.LedgerRow, error) {
	b := stored.Owed()
	_, key := ports.PartOfBalance(b.Account, b.Token)
	return ports.LedgerRow{Key: key, Balance: b}, nil
}

// pageOfTransactions reads a page of transactions, with the approvals and attempts of its
// withdrawals. Attempts of a missing withdrawal are on the page where it would be.
func (s *Store) pageOfTransactions(ctx context.Context, ask read.PageAsk, page *ports.LedgerPage) error {
	lines, err := read.From(s.Reads, payments.Transactions).Where("t.id > ?", ask.After).Order("t.id").Limit(ask.Limit).All(ctx, "read transactions")
	if err != nil {
		return err
	}
	attempts := read.From(s.Reads, payouts.Attempts).Where("a.withdrawal_id > ?", ask.After).Order("a.withdrawal_id, a.number")
	if page.More = len(lines) == ask.Limit; page.More {
		page.Last = lines[len(lines)-1].ID
		attempts.Where("a.withdrawal_id <= ?", page.Last)
	}
	given, err := s.approvalsGiven(ctx, ask.After, page.Last)
	if err != nil {
		return err
	}
	for _, t := range lines {
		page.Rows = append(page.Rows, ports.LedgerRow{Key: t.ID, Things: []event.Event{t.Covered(given[t.ID])}})
	}
	return attempts.Each(ctx, "read payout attempts", func(a payouts.Attempt) error {
		row := ports.LedgerRow{Key: a.WithdrawalID, Things: []event.Event{a.Covered()}}
		if dead, found := a.CoveredDead(); found {
			row.Things = append(row.Things, dead)
		}
		page.Rows = append(page.Rows, row)
		return nil
	})
}

// pageOfAdministration reads the roles, alarms and crash chains, all at once, because there are few.
func (s *Store) pageOfAdministration(ctx context.Context, page *ports.LedgerPage) error {
	for _, kind := range event.Kinds() {
		if part, _ := ports.PartOfThing(kind, ""); part != ports.LedgerAdministration {
			continue
		}
		if err := s.Things(ctx, kind, func(row event.Event) error {
			_, key := ports.PartOfThing(kind, row.ID)
			page.Rows = append(page.Rows, ports.LedgerRow{Key: key, Things: []event.Event{row}})
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// daysOfPage is how many days of figures are on one page.
const daysOfPage = 31

// pageOfFigures reads the figures of some days.
func (s *Store) pageOfFigures(ctx context.Context, after string, page *ports.LedgerPage) error {
	after, _, _ = strings.Cut(after, "\x01")
	var first, last sql.NullString
	if err := s.Rows(ctx, "read days", "SELECT min(f.day), max(f.day) FROM daily_figures AS f WHERE f.day > ?", []any{after},
		func(row *sql.Rows) error { return row.Scan(&first, &last) }); err != nil || !first.Valid {
		return err
	}
	until := last.String
	if from, err := time.Parse(time.DateOnly, first.String); err == nil {
		until = min(until, from.AddDate(0, 0, daysOfPage).Format(time.DateOnly))
	}
	daily, err := (&figures.Store{Reads: s.Reads}).Daily(ctx, first.String, until)
	for _, f := range daily {
		page.Rows = append(page.Rows, ports.LedgerRow{Key: ports.KeyOfFigure(f.Key), Figure: f})
	}
	page.Last, page.More = until+"\x01", until < last.String
	return err
}

// LedgerSums implements ports.LedgerPages.
func (s *Store) LedgerSums(ctx context.Context) (sums ports.LedgerSums, err error) {
	err = s.Moment(ctx, "read sums", func(r *read.Reads) (err error) {
		if sums.Heads, err = (&archive.Store{Reads: r}).Heads(ctx); err != nil {
			return err
		}
		if sums.Totals, err = (&figures.Store{Reads: r}).Totals(ctx); err != nil {
			return err
		}
		if sums.Funds, err = (&provider.Store{Changes: s.At(r)}).FundsOf(ctx, ""); err != nil {
			return err
		}
		if sums.Open, err = read.From(r, provider.Deliveries).Where(provider.OpenDeliveries).Order("p.id").All(ctx, "read routes"); err != nil {
			return err
		}
		sums.Exposures, err = steps.ReadExposures(ctx, r)
		return err
	})
	return sums, err
}

// pageOfVoteSums reads a page of the sums of votes.
func (s *Store) pageOfVoteSums(ctx context.Context, ask read.PageAsk, page *ports.LedgerPage) error {
	q := read.From(s.Reads, approvals.VoteSums).Order("v.sort, v.name, v.token, v.credit, v.slot").Limit(ask.Limit)
	if after := strings.Split(ask.After, "\x00"); len(after) == 5 {
		slot, err := strconv.ParseInt(after[4], 10, 64)
		if err != nil {
			return err
		}
		q.Where("(v.sort, v.name, v.token, v.credit, v.slot) > (?, ?, ?, ?, ?)", after[0], after[1], after[2], after[3] == "1", slot)
	}
	return pageOf(ctx, q, ask, page, func(s approvals.VoteSum) (ports.LedgerRow, error) {
		return ports.LedgerRow{Key: ports.KeyOfVoteSum(s.VoteTally), Sum: s.Total()}, nil
	})
}

// pageOfCreditors reads a page of the admins who credited players.
func (s *Store) pageOfCreditors(ctx context.Context, ask read.PageAsk, page *ports.LedgerPage) error {
	q := read.From(s.Reads, approvals.Creditors.ByWallet()).Where("c.wallet = w.key").Order("w.wallet, c.by_wallet, c.granted_by, c.granted_at").Limit(ask.Limit)
	if after := strings.Split(ask.After, "\x00"); len(after) == 4 {
		granted, err := strconv.ParseInt(after[3], 10, 64)
		if err != nil {
			return err
		}
		q.Where("w.wallet >= ? AND (w.wallet, c.by_wallet, c.granted_by, c.granted_at) > (?, ?, ?, ?)", after[0], after[0], after[1], after[2], granted)
	}
	return pageOf(ctx, q, ask, page, func(c approvals.CreditorRow) (ports.LedgerRow, error) {
		return ports.LedgerRow{Key: ports.KeyOfCreditor(c.Creditor()), Last: c.At}, nil
	})
}
