package reads

import (
	"context"
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
	for into, of := range map[*map[money.Token]money.Total]source[rows.Exposure]{&kept: rows.Exposures, &open: rows.OpenExposures} {
		lanes, err := from(r, of).all(ctx, "read what open rounds may cost")
		if err != nil {
			return nil, err
		}
		for _, e := range lanes {
			(*into)[e.Token] = (*into)[e.Token].Add(e.Total())
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
	lanes, err := from(r, rows.Exposures).where("l.token = ?", token).all(ctx, "read what open rounds may cost")
	for _, e := range lanes {
		sum = sum.Add(e.Total())
	}
	return sum, err
}
