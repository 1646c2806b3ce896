package reads

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var _ ports.OpenRounds = (*Reads)(nil)

// OpenRound serves ports.OpenRounds.
func (r *Reads) OpenRound(ctx context.Context, id string) (bet.Open, error) {
	missing := fault.New(fault.NotFound, "no open round %q", id)
	if !db.IsID(id) {
		return bet.Open{}, missing
	}
	return from(r, rows.StandingRounds).where("r.id = ?", r.db.Dialect.ID(id)).one(ctx, "read open round", missing)
}

// OpenRoundsOf serves ports.OpenRounds.
func (r *Reads) OpenRoundsOf(ctx context.Context, w wallet.Address) ([]bet.Open, error) {
	return from(r, rows.StandingRounds).where("r.wallet = ?", r.key(w)).order("r.id").kept(ctx, "read open rounds")
}

// UntouchedRounds serves ports.OpenRounds.
func (r *Reads) UntouchedRounds(ctx context.Context, before time.Time, after string, limit int) ([]bet.Open, error) {
	q := from(r, rows.StandingRounds).where("r.touched_at < ?", db.Micros(before)).order("r.id").limit(limit)
	if r.idFrom != nil { // one that was opened since was touched since
		q.where("r.id < ?", r.db.Dialect.ID(r.idFrom(before.Add(rows.IDSlack+time.Millisecond))))
	}
	if db.IsID(after) {
		q.where("r.id > ?", r.db.Dialect.ID(after))
	}
	return q.kept(ctx, "read untouched rounds")
}

// exposures are what open rounds may cost, as lanes keep it and as it adds up.
func (r *Reads) exposures(ctx context.Context) (lines []ports.ExposureLine, err error) {
	kept, open := map[money.Token]money.Total{}, map[money.Token]money.Total{}
	for into, text := range map[*map[money.Token]money.Total]string{
		&kept: "SELECT l.token, l.hi, l.lo FROM lane_exposures AS l",
		&open: "SELECT o.token, sum(o.exposure >> 40), sum(o.exposure & 1099511627775) FROM open_rounds AS o GROUP BY o.token",
	} {
		err = r.rows(ctx, "read what open rounds may cost", text, nil, func(row *sql.Rows) error {
			var token money.Token
			var hi, lo int64
			err := row.Scan((*string)(&token), &hi, &lo)
			(*into)[token] = (*into)[token].Add(money.TotalFromParts(hi, lo))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for token := range open {
		kept[token] = kept[token].Add(money.Total{})
	}
	for _, token := range slices.Sorted(maps.Keys(kept)) {
		lines = append(lines, ports.ExposureLine{Token: token, Kept: kept[token], Open: open[token]})
	}
	return lines, nil
}

// OpenExposure serves ports.OpenRounds.
func (r *Reads) OpenExposure(ctx context.Context, token money.Token) (sum money.Total, err error) {
	err = r.rows(ctx, "read what open rounds may cost", "SELECT l.hi, l.lo FROM lane_exposures AS l WHERE l.token = ?", []any{string(token)},
		func(row *sql.Rows) error {
			var hi, lo int64
			err := row.Scan(&hi, &lo)
			sum = sum.Add(money.TotalFromParts(hi, lo))
			return err
		})
	return sum, err
}
