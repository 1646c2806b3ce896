// Package reads is what the SQL store answers without changing anything: lists,
// figures, and what is asked for by id. It serves the parts of ports that read, one
// file a resource.
package reads

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/ports"
)

// Reads serves the parts of ports that read.
type Reads struct {
	db     *db.DB
	sealer ports.Sealer
	// idFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't.
	idFrom func(time.Time) string

	players  sharedRead[player.Player]
	balances sharedRead[[]ports.TokenBalance]
	pairs    sharedRead[fairness.Pair]
	seeds    sharedRead[string]
	roles    sharedRead[rbac.List]
	same     sameQuestions

	// seals checks the seals of blocks.
	seals seal.Authenticator
	// recent has what was just committed.
	recent *rows.Recent
	// within is a transaction to read in, nil for none.
	within bun.IConn
}

// New returns the reads of a database. The sealer opens agents' secrets.
func New(d *db.DB, sealer ports.Sealer, seals seal.Authenticator, recent *rows.Recent, idFrom func(time.Time) string) *Reads {
	r := &Reads{db: d, sealer: sealer, seals: seals, recent: recent, idFrom: idFrom}
	r.players.read, r.balances.read, r.pairs.read = r.readPlayers, r.readBalances, r.readPairs
	r.seeds.read, r.roles.read = r.readSeeds, r.readRoles
	return r
}

// asks is a way to ask.
type asks func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error

// rows asks by a query, in the transaction that is read in if there is one.
func (r *Reads) rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.within == nil {
		return r.db.Rows(ctx, doing, text, arguments, scan)
	}
	return r.db.RowsOn(ctx, r.within, doing, text, arguments, scan)
}

// kept is rows for statements whose plan doesn't depend on their values.
func (r *Reads) kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.within == nil {
		return r.db.Kept(ctx, doing, text, arguments, scan)
	}
	return r.db.KeptOn(ctx, r.within, doing, text, arguments, scan)
}

// stream is rows for answers of very many rows.
func (r *Reads) stream(ctx context.Context, doing, text string, arguments []any, scan func(db.Row) error) error {
	if r.within == nil {
		return r.db.Stream(ctx, doing, text, arguments, scan)
	}
	return r.rows(ctx, doing, text, arguments, func(row *sql.Rows) error { return scan(row) })
}

// moment runs do with reads that all see one moment.
func (r *Reads) moment(ctx context.Context, doing string, do func(*Reads) error) error {
	return r.db.Moment(ctx, doing, func(on bun.IConn) error {
		return do(&Reads{db: r.db, seals: r.seals, recent: r.recent, idFrom: r.idFrom, within: on})
	})
}

// gathered answers with all rows of a text, by a way to ask.
func gathered[T any](ctx context.Context, ask asks, doing, text string, arguments []any, scan func(db.Row) (T, error)) ([]T, error) {
	found := []T{}
	err := ask(ctx, doing, text, arguments, func(row *sql.Rows) error {
		v, err := scan(row)
		if err == nil {
			found = append(found, v)
		}
		return err
	})
	return found, err
}

// Ping reports whether the database answers.
func (r *Reads) Ping(ctx context.Context) error {
	return r.db.Unreachable("ping", r.db.Read.PingContext(ctx))
}
