package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

type query = db.Query
type dbTx = db.Tx

var (
	newQuery    = db.NewQuery
	insert      = db.Insert
	change      = db.Change
	wrap        = db.Wrap
	defect      = db.Defect
	micros      = db.Micros
	microsOrNil = db.MicrosOrNil
	moment      = db.Moment
	compareRows = db.CompareRows
	scanAll     = db.ScanAll
	errRowsLost = db.ErrRowsLost
)

func sortedRows[K ~string, V any](keys map[K]V) [][]any { return db.SortedRows(keys) }

func (r *run) ask(doing string, q *query, rows [][]any, scan func(Row) error) {
	r.asks.Ask(doing, q, rows, scan)
}
func (r *run) write(doing string, q *query, rows [][]any) { r.asks.Write(doing, q, rows) }
func (r *run) writeCounted(doing string, q *query, rows [][]any, want int) {
	r.asks.WriteCounted(doing, q, rows, want)
}
func (r *run) send(ctx context.Context) error { return r.tx.Send(ctx, &r.asks) }

func (s *Store) asked(doing string, err error) error { return s.db.Unreachable(doing, err) }

func (s *Store) rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	return s.db.Rows(ctx, doing, text, arguments, scan)
}

func (s *Store) one(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Row) error, missing *fault.Error) error {
	return s.db.One(ctx, doing, text, arguments, scan, missing)
}
