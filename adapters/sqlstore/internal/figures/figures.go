// Package figures sums up what was played and what accounts hold.
package figures

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Figures and ports.Reports.
type Store struct{ *read.Reads }

// figureRow is a figure with the lane that stores it.
type figureRow struct {
	bun.BaseModel `bun:"table:daily_figures,alias:d"`
	Lane          int
	figure.Key
	Rounds   int64
	Wagered  table.Sum `bun:"embed:wagered_"`
	Paid     table.Sum `bun:"embed:paid_"`
	Expected table.Sum `bun:"embed:expected_"`
	Variance table.Sum `bun:"embed:variance_"`
}

var dailyFigures = table.ModelOf[figureRow, figureRow]()

// FiguresBy returns a view of the figures of all lanes, summed by columns. High parts of
// variances are summed in two pieces: each may be at its limit, and a database's sum must stay
// below 2^63.
func FiguresBy(columns ...string) table.View[ports.DailyFigure] {
	sums := dailyFigures.Only(slices.Concat(columns, []string{"rounds", "wagered_hi", "wagered_lo", "paid_hi", "paid_lo", "expected_hi", "expected_lo"})...).
		Summed(len(columns))
	return table.NewView[ports.DailyFigure](
		sums.Columns()+", sum(d.variance_hi >> 20), sum(d.variance_hi & 1048575), sum(d.variance_lo)", sums.From(),
		func(row db.Row) (ports.DailyFigure, error) {
			var high, middle, low int64
			f, err := sums.ScanWith(row, &high, &middle, &low)
			cell := figure.Cell{
				Rounds: f.Rounds, Wagered: f.Wagered.Total(), Paid: f.Paid.Total(), Expected: f.Expected.Total(),
				Variance: money.TotalOfProduct(uint64(high), 1<<60).Add(money.TotalFromParts(middle, low)),
			}
			return ports.DailyFigure{Key: f.Key, Cell: figure.Cell{}.Add(cell)}, err // limits the variance
		})
}

// A variance is capped at figure.VarianceMax, whose parts are literals here.
var addFigures = dailyFigures.Insert(`ON CONFLICT (lane, day, token, source, game, agent) DO UPDATE SET
	rounds = daily_figures.rounds + excluded.rounds, ` + table.AddUp("daily_figures", "wagered_", "paid_", "expected_") + `,
	variance_hi = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
		> 4503599627370495 THEN 4503599627370495
		ELSE daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40) END,
	variance_lo = CASE WHEN daily_figures.variance_hi + excluded.variance_hi + ((daily_figures.variance_lo + excluded.variance_lo) >> 40)
		> 4503599627370495 THEN 1099511627775
		ELSE (daily_figures.variance_lo + excluded.variance_lo) & 1099511627775 END`)

// FigurePart writes the daily figures of play.
type FigurePart struct {
	batch.NoPart
	cells map[figure.Key]figure.Cell
}

func (f *FigurePart) Stage(_ *batch.Batch, s *batch.Step) {
	if s.Change.Round != nil {
		key, cell := figure.Of(*s.Change.Round)
		batch.Put(&f.cells, key, f.cells[key].Add(cell))
	}
	if s.Change.Seamless != nil {
		if key, cell, counts := figure.OfSeamless(*s.Change.Seamless); counts {
			batch.Put(&f.cells, key, f.cells[key].Add(cell))
		}
	}
}

func (f *FigurePart) Write(b *batch.Batch) error {
	var rows [][]any
	for k, cell := range f.cells {
		rows = append(rows, addFigures.Row(&figureRow{
			Lane: b.Head.Lane, Key: k, Rounds: cell.Rounds, Wagered: table.SumOf(cell.Wagered), Paid: table.SumOf(cell.Paid),
			Expected: table.SumOf(cell.Expected), Variance: table.SumOf(cell.Variance),
		}))
	}
	b.WriteSorted("add to figures", addFigures.Query, rows)
	return nil
}

// CompareFigures orders figures by day, token, source, game and agent.
func CompareFigures(a, b figure.Key) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.Game, b.Game), cmp.Compare(a.Agent, b.Agent))
}

// Totals implements ports.Figures.
func (s *Store) Totals(ctx context.Context) ([]ledger.Balance, error) {
	return s.totals(ctx, read.From(s.Reads, TotalsBy("kind", "owner", "token")).Group("l.kind, l.owner, l.token"), "read totals")
}

// totals returns the sums of a query, by account and token.
func (s *Store) totals(ctx context.Context, q *read.Query[TotalRow], doing string) ([]ledger.Balance, error) {
	found, err := q.Kept(ctx, doing)
	all := make([]ledger.Balance, len(found))
	for i, t := range found {
		all[i] = ledger.Balance{Account: ledger.Account{Kind: t.Kind, Owner: t.Owner}, Token: t.Token, Amount: t.Total()}
	}
	slices.SortFunc(all, compareBalances)
	return all, err
}

// compareBalances orders by account and token.
func compareBalances(x, y ledger.Balance) int {
	return cmp.Or(strings.Compare(x.Account.String(), y.Account.String()), strings.Compare(string(x.Token), string(y.Token)))
}

// Bankroll implements ports.Figures.
func (s *Store) Bankroll(ctx context.Context, token money.Token) (money.Total, error) {
	var kinds []string
	for _, k := range ledger.Kinds() {
		if k.Bankroll() {
			kinds = append(kinds, k.String())
		}
	}
	var hi, lo int64
	err := s.DB.Read.QueryRowContext(ctx, "SELECT coalesce(sum(hi), 0), coalesce(sum(lo), 0) FROM lane_totals WHERE token = ? AND kind IN (?)",
		string(token), bun.List(kinds)).Scan(&hi, &lo)
	return money.TotalFromParts(hi, lo), s.DB.Unreachable("read bankroll", err)
}

// Daily implements ports.Figures.
func (s *Store) Daily(ctx context.Context, first, last string) ([]ports.DailyFigure, error) {
	const by = "d.day, d.token, d.source, d.game, d.agent"
	return read.From(s.Reads, FiguresBy("day", "token", "source", "game", "agent")).Where("d.day >= ? AND d.day <= ?", first, last).
		Group(by).Order(by).All(ctx, "read daily figures")
}

// lanePlayers is a row of lane_players: how many players of an agent a lane counted.
type lanePlayers struct {
	bun.BaseModel `bun:"table:lane_players,alias:l"`
	Lane          int
	Agent         string
	Players       int64
}

var addPlayers = table.ModelOf[lanePlayers, lanePlayers]().Insert("ON CONFLICT (lane, agent) DO UPDATE SET players = lane_players.players + excluded.players")

// NewcomerPart counts first sign-ins by agent.
type NewcomerPart struct {
	batch.NoPart
	of map[string]int64
}

func (n *NewcomerPart) Stage(_ *batch.Batch, s *batch.Step) {
	if p := s.Change.Player; p != nil && p.Known() && !s.Wallet.View.Player.Known() {
		batch.Put(&n.of, p.Agent, n.of[p.Agent]+1)
	}
	if r := s.Change.Rebinding; r != nil {
		batch.Put(&n.of, r.From, n.of[r.From]-1)
		batch.Put(&n.of, r.To, n.of[r.To]+1)
	}
}

func (n *NewcomerPart) Write(b *batch.Batch) error {
	var rows [][]any
	for agent, players := range n.of {
		rows = append(rows, addPlayers.Row(&lanePlayers{Lane: b.Head.Lane, Agent: agent, Players: players}))
	}
	b.WriteSorted("count players", addPlayers.Query, rows)
	return nil
}

// TotalRow is the total of an account, for liabilities by agent, as one lane counts it.
type TotalRow struct {
	bun.BaseModel `bun:"table:lane_totals,alias:l"`
	Lane          int
	Kind          ledger.Kind
	Owner         string
	Agent         string
	Token         money.Token
	table.Sum
}

var laneTotals = table.ModelOf[TotalRow, TotalRow]()

var addTotals = laneTotals.Insert("ON CONFLICT (lane, kind, owner, agent, token) DO UPDATE SET " + table.AddUp("lane_totals", ""))

// TotalsBy returns a model of the totals of accounts over all lanes, summed by columns.
func TotalsBy(columns ...string) *table.Model[TotalRow] {
	return laneTotals.Only(append(columns, "hi", "lo")...).Summed(len(columns))
}

// TotalPart writes the totals of accounts, and of liabilities by agent.
type TotalPart struct {
	batch.NoPart
	moved map[totalKey]money.Total
}

// totalKey identifies a row of lane_totals within its lane.
type totalKey struct {
	account ledger.Account
	agent   string
	token   money.Token
}

func (o *TotalPart) add(a ledger.Account, agent string, token money.Token, amount money.Total) {
	key := totalKey{a.Bucket(), agent, token}
	batch.Put(&o.moved, key, o.moved[key].Add(amount))
}

// Stage adds transfers and, for a player who moves to another agent, moves the player's
// liabilities.
func (o *TotalPart) Stage(_ *batch.Batch, s *batch.Step) {
	if r := s.Change.Rebinding; r != nil {
		for _, h := range r.Holdings {
			o.add(h.Account, r.From, h.Token, money.TotalOf(h.Amount).Neg())
			o.add(h.Account, r.To, h.Token, money.TotalOf(h.Amount))
		}
	}
	agent := s.Next.Player.Agent
	for _, p := range s.Change.Postings {
		for _, t := range p.Transfers {
			o.add(t.Debit, agent, t.Token, money.TotalOf(t.Amount).Neg())
			o.add(t.Credit, agent, t.Token, money.TotalOf(t.Amount))
		}
	}
}

func (o *TotalPart) Write(b *batch.Batch) error {
	var rows [][]any
	for k, sum := range o.moved {
		rows = append(rows, addTotals.Row(&TotalRow{
			Lane: b.Head.Lane, Kind: k.account.Kind, Owner: k.account.Owner, Agent: k.agent, Token: k.token, Sum: table.SumOf(sum),
		}))
	}
	b.WriteSorted("add to totals", addTotals.Query, rows)
	return nil
}

// grouped returns the columns of figures, without those that don't group.
func grouped(by ports.Grouping) []string {
	columns := []string{"token"}
	for _, c := range []struct {
		wanted bool
		name   string
	}{{by.Day, "day"}, {by.Game, "source"}, {by.Game, "game"}, {by.Agent, "agent"}} {
		if c.wanted {
			columns = append(columns, c.name)
		}
	}
	return columns
}

// Sums implements ports.Reports.
func (s *Store) Sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	return read.SharedRows(ctx, s.Reads, func(ctx context.Context) ([]ports.DailyFigure, error) { return s.sums(ctx, filter, by) }, "sums", filter, by)
}

func (s *Store) sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	columns := grouped(by)
	q := read.From(s.Reads, FiguresBy(columns...)).Group("d." + strings.Join(columns, ", d."))
	for _, narrow := range [...]struct{ condition, value string }{
		{"d.day >= ?", filter.From}, {"d.day <= ?", filter.To}, {"d.token = ?", string(filter.Token)}, {"d.agent = ?", filter.Agent},
	} {
		if narrow.value != "" {
			q.Where(narrow.condition, narrow.value)
		}
	}
	found, err := q.Kept(ctx, "add figures up")
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return CompareFigures(x.Key, y.Key) })
	return found, err
}

// Counts implements ports.Reports.
func (s *Store) Counts(ctx context.Context, agent string) (ports.Counts, error) {
	counts, err := read.Shared(ctx, s.Reads, func(ctx context.Context) (ports.Counts, error) { return s.counts(ctx, agent) }, "counts", agent)
	counts.Owed, counts.Withdrawals = slices.Clone(counts.Owed), maps.Clone(counts.Withdrawals)
	return counts, err
}

func (s *Store) counts(ctx context.Context, agent string) (ports.Counts, error) {
	answer := ports.Counts{Owed: []ledger.Balance{}, Withdrawals: map[withdrawal.Status]int64{}}
	var of read.Conditions
	of.Equals("agent", agent)
	err := s.Kept(ctx, "count players", "SELECT coalesce(sum(players), 0), (SELECT count(*) FROM provider_games) FROM lane_players"+of.Where(),
		of.Arguments, func(row *sql.Rows) error { return row.Scan(&answer.Players, &answer.ProviderGames) })
	if err != nil {
		return answer, err
	}
	owed := read.From(s.Reads, TotalsBy("kind", "token")).Where("l.kind IN ('player', 'hold', 'unclaimed', 'stake')").Group("l.kind, l.token")
	if agent != "" {
		owed.Where("l.agent = ?", agent)
	}
	if answer.Owed, err = s.totals(ctx, owed, "read liabilities"); err != nil {
		return answer, err
	}
	holding := of
	holding.Texts = append(slices.Clip(holding.Texts), "type = 'withdrawal'", "status IN ('pending', 'approved', 'sending', 'failed')")
	err = s.Kept(ctx, "count withdrawals", "SELECT status, count(*) FROM transactions"+holding.Where()+" GROUP BY status",
		holding.Arguments, func(row *sql.Rows) error {
			var status string
			var n int64
			err := row.Scan(&status, &n)
			answer.Withdrawals[withdrawal.Status(status)] = n
			return err
		})
	return answer, err
}
