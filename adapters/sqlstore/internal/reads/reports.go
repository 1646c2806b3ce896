package reads

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var _ ports.Reports = (*Reads)(nil)

// grouped are the columns of figures, those that don't group left out.
func grouped(by ports.Grouping) string {
	columns := []string{"token"}
	for _, c := range []struct {
		wanted bool
		name   string
	}{{by.Day, "day"}, {by.Game, "source"}, {by.Game, "game"}, {by.Agent, "agent"}} {
		if c.wanted {
			columns = append(columns, c.name)
		}
	}
	return strings.Join(columns, ", ")
}

// Sums serves ports.Reports. High parts of variances are added in two pieces:
// each may be at its bound, and a database's sum stops at 2^63.
func (r *Reads) Sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	return sharedRows(ctx, r, func(ctx context.Context) ([]ports.DailyFigure, error) { return r.sums(ctx, filter, by) }, "sums", filter, by)
}

func (r *Reads) sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	var c conditions
	if filter.From != "" {
		c.add("day >= ?", filter.From)
	}
	if filter.To != "" {
		c.add("day <= ?", filter.To)
	}
	c.equals("token", string(filter.Token))
	c.equals("agent", filter.Agent)
	columns := grouped(by)
	found := []ports.DailyFigure{}
	err := r.kept(ctx, "add figures up", "SELECT "+columns+`, sum(rounds), sum(wagered_hi), sum(wagered_lo), sum(paid_hi), sum(paid_lo),
		sum(expected_hi), sum(expected_lo), sum(variance_hi >> 20), sum(variance_hi & 1048575), sum(variance_lo)
		FROM daily_figures`+c.where()+" GROUP BY "+columns, c.arguments, func(row *sql.Rows) error {
		f, err := scanSum(row, by)
		found = append(found, f)
		return err
	})
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return rows.CompareFigures(x.Key, y.Key) })
	return found, err
}

func scanSum(row *sql.Rows, by ports.Grouping) (f ports.DailyFigure, err error) {
	into := []any{&f.Token}
	for _, field := range []struct {
		wanted bool
		into   *string
	}{{by.Day, &f.Day}, {by.Game, &f.Source}, {by.Game, &f.Game}, {by.Agent, &f.Agent}} {
		if field.wanted {
			into = append(into, field.into)
		}
	}
	var parts [9]int64
	into = append(into, &f.Rounds)
	for i := range parts {
		into = append(into, &parts[i])
	}
	err = row.Scan(into...)
	f.Wagered = money.TotalFromParts(parts[0], parts[1])
	f.Paid = money.TotalFromParts(parts[2], parts[3])
	f.Expected = money.TotalFromParts(parts[4], parts[5])
	f.Variance = money.TotalOfProduct(uint64(parts[6]), 1<<60).Add(money.TotalFromParts(parts[7], parts[8]))
	f.Cell = figure.Cell{}.Add(f.Cell) // a variance stays within its bound
	return f, err
}

// Counts serves ports.Reports.
func (r *Reads) Counts(ctx context.Context, agent string) (ports.Counts, error) {
	counts, err := shared(ctx, r, func(ctx context.Context) (ports.Counts, error) { return r.counts(ctx, agent) }, "counts", agent)
	counts.Owed, counts.Withdrawals = slices.Clone(counts.Owed), maps.Clone(counts.Withdrawals)
	return counts, err
}

func (r *Reads) counts(ctx context.Context, agent string) (ports.Counts, error) {
	answer := ports.Counts{Owed: []ledger.Balance{}, Withdrawals: map[withdrawal.Status]int64{}}
	var of conditions
	of.equals("agent", agent)
	err := r.kept(ctx, "count players", "SELECT coalesce(sum(players), 0), (SELECT count(*) FROM provider_games) FROM lane_players"+of.where(),
		of.arguments, func(row *sql.Rows) error { return row.Scan(&answer.Players, &answer.ProviderGames) })
	if err != nil {
		return answer, err
	}
	owed := of
	owed.texts = append(slices.Clip(owed.texts), "kind IN ('player', 'hold', 'unclaimed', 'stake')")
	err = r.kept(ctx, "read what is owed", "SELECT kind, token, sum(hi), sum(lo) FROM lane_totals"+owed.where()+" GROUP BY kind, token",
		owed.arguments, func(row *sql.Rows) error {
			var kind string
			var hi, lo int64
			var b ledger.Balance
			if err := row.Scan(&kind, &b.Token, &hi, &lo); err != nil {
				return err
			}
			var err error
			b.Account, err = account(kind, "")
			b.Amount = money.TotalFromParts(hi, lo)
			answer.Owed = append(answer.Owed, b)
			return err
		})
	if err != nil {
		return answer, err
	}
	slices.SortFunc(answer.Owed, compareBalances)
	holding := of
	holding.texts = append(slices.Clip(holding.texts), "type = 'withdrawal'", "status IN ('pending', 'approved', 'sending', 'failed')")
	err = r.kept(ctx, "count withdrawals", "SELECT status, count(*) FROM transactions"+holding.where()+" GROUP BY status",
		holding.arguments, func(row *sql.Rows) error {
			var status string
			var n int64
			err := row.Scan(&status, &n)
			answer.Withdrawals[withdrawal.Status(status)] = n
			return err
		})
	return answer, err
}
