package reads

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

var _ ports.Reports = (*Reads)(nil)

// grouped are the columns of figures, those that don't group left out.
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

// Sums serves ports.Reports.
func (r *Reads) Sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	return sharedRows(ctx, r, func(ctx context.Context) ([]ports.DailyFigure, error) { return r.sums(ctx, filter, by) }, "sums", filter, by)
}

func (r *Reads) sums(ctx context.Context, filter ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	columns := grouped(by)
	q := from(r, rows.FiguresBy(columns...)).group("d." + strings.Join(columns, ", d."))
	for _, narrow := range [...]struct{ condition, value string }{
		{"d.day >= ?", filter.From}, {"d.day <= ?", filter.To}, {"d.token = ?", string(filter.Token)}, {"d.agent = ?", filter.Agent},
	} {
		if narrow.value != "" {
			q.where(narrow.condition, narrow.value)
		}
	}
	found, err := q.kept(ctx, "add figures up")
	slices.SortFunc(found, func(x, y ports.DailyFigure) int { return rows.CompareFigures(x.Key, y.Key) })
	return found, err
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
	owed := from(r, rows.TotalsBy("kind", "token")).where("l.kind IN ('player', 'hold', 'unclaimed', 'stake')").group("l.kind, l.token")
	if agent != "" {
		owed.where("l.agent = ?", agent)
	}
	if answer.Owed, err = r.totals(ctx, owed, "read what is owed"); err != nil {
		return answer, err
	}
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
