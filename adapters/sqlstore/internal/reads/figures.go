package reads

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

var _ ports.Figures = (*Reads)(nil)

// Totals serves ports.Figures.
func (r *Reads) Totals(ctx context.Context) ([]ledger.Balance, error) {
	all := []ledger.Balance{}
	err := r.rows(ctx, "read totals", "SELECT kind, owner, token, sum(hi), sum(lo) FROM lane_totals GROUP BY kind, owner, token",
		nil, func(row *sql.Rows) error {
			var kind, owner string
			var hi, lo int64
			var b ledger.Balance
			if err := row.Scan(&kind, &owner, &b.Token, &hi, &lo); err != nil {
				return err
			}
			var err error
			if b.Account, err = account(kind, owner); err != nil {
				return err
			}
			b.Amount = money.TotalFromParts(hi, lo)
			all = append(all, b)
			return nil
		})
	slices.SortFunc(all, compareBalances)
	return all, err
}

// compareBalances orders by account and token.
func compareBalances(x, y ledger.Balance) int {
	return cmp.Or(strings.Compare(x.Account.String(), y.Account.String()), strings.Compare(string(x.Token), string(y.Token)))
}

// account is an account, or a bucket, as its columns tell it.
func account(kind, owner string) (ledger.Account, error) {
	for _, k := range ledger.Kinds() {
		if k.String() == kind {
			return ledger.Account{Kind: k, Owner: owner}, nil
		}
	}
	return ledger.Account{}, db.Defect("an account of kind %q is stored", kind)
}

// Bankroll serves ports.Figures.
func (r *Reads) Bankroll(ctx context.Context, token money.Token) (money.Total, error) {
	var kinds []string
	for _, k := range ledger.Kinds() {
		if k.Bankroll() {
			kinds = append(kinds, k.String())
		}
	}
	var hi, lo int64
	err := r.db.Read.QueryRowContext(ctx, "SELECT coalesce(sum(hi), 0), coalesce(sum(lo), 0) FROM lane_totals WHERE token = ? AND kind IN (?)",
		string(token), bun.List(kinds)).Scan(&hi, &lo)
	return money.TotalFromParts(hi, lo), r.db.Unreachable("read bankroll", err)
}

// Daily serves ports.Figures.
func (r *Reads) Daily(ctx context.Context, from, to string) ([]ports.DailyFigure, error) {
	found := []ports.DailyFigure{}
	err := r.rows(ctx, "read daily figures", `SELECT day, token, source, game, agent, sum(rounds), sum(wagered_hi), sum(wagered_lo),
		sum(paid_hi), sum(paid_lo), sum(expected_hi), sum(expected_lo), sum(variance_hi), sum(variance_lo) FROM daily_figures
		WHERE day >= ? AND day <= ? GROUP BY day, token, source, game, agent ORDER BY day, token, source, game, agent`,
		[]any{from, to}, func(row *sql.Rows) error {
			var f ports.DailyFigure
			var parts [4][2]int64
			if err := row.Scan(&f.Day, &f.Token, &f.Source, &f.Game, &f.Agent, &f.Rounds, &parts[0][0], &parts[0][1],
				&parts[1][0], &parts[1][1], &parts[2][0], &parts[2][1], &parts[3][0], &parts[3][1]); err != nil {
				return err
			}
			for i, total := range []*money.Total{&f.Wagered, &f.Paid, &f.Expected, &f.Variance} {
				*total = money.TotalFromParts(parts[i][0], parts[i][1])
			}
			f.Cell = figure.Cell{}.Add(f.Cell) // several lanes' variances stay within their bound
			found = append(found, f)
			return nil
		})
	return found, err
}
