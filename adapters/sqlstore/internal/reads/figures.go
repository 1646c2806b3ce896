package reads

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

var _ ports.Figures = (*Reads)(nil)

// Totals serves ports.Figures.
func (r *Reads) Totals(ctx context.Context) ([]ledger.Balance, error) {
	return r.totals(ctx, from(r, rows.TotalsBy("kind", "owner", "token")).group("l.kind, l.owner, l.token"), "read totals")
}

// totals are the sums of a query, by account and token.
func (r *Reads) totals(ctx context.Context, q *query[rows.TotalRow], doing string) ([]ledger.Balance, error) {
	found, err := q.kept(ctx, doing)
	all := make([]ledger.Balance, len(found))
	for i, t := range found {
		all[i] = ledger.Balance{Token: t.Token, Amount: t.Total()}
		var wrong error
		all[i].Account, wrong = account(t.Kind, t.Owner)
		err = errors.Join(err, wrong)
	}
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
func (r *Reads) Daily(ctx context.Context, first, last string) ([]ports.DailyFigure, error) {
	const by = "d.day, d.token, d.source, d.game, d.agent"
	return from(r, rows.FiguresBy("day", "token", "source", "game", "agent")).where("d.day >= ? AND d.day <= ?", first, last).
		group(by).order(by).all(ctx, "read daily figures")
}
