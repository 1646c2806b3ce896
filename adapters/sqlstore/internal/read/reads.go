// Package read makes queries and lists of models: what every feature reads by.
package read

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// Reads serves the parts of ports that read.
type Reads struct {
	DB     *db.DB
	Sealer ports.Sealer
	// IDFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't.
	IDFrom func(time.Time) string

	same sameQuestions
	// Within is a transaction to read in, nil for none.
	Within bun.IConn
}

// New returns the reads of a database. The sealer opens agents' secrets.
func New(d *db.DB, sealer ports.Sealer, idFrom func(time.Time) string) *Reads {
	return &Reads{DB: d, Sealer: sealer, IDFrom: idFrom}
}

// asks is a way to ask.
type asks func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error

// Rows asks by a query, in the transaction that is read in if there is one.
func (r *Reads) Rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.Within == nil {
		return r.DB.Rows(ctx, doing, text, arguments, scan)
	}
	return r.DB.RowsOn(ctx, r.Within, doing, text, arguments, scan)
}

// Kept is rows for statements whose plan doesn't depend on their values.
func (r *Reads) Kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.Within == nil {
		return r.DB.Kept(ctx, doing, text, arguments, scan)
	}
	return r.DB.KeptOn(ctx, r.Within, doing, text, arguments, scan)
}

// Moment runs do with reads that all see one moment.
func (r *Reads) Moment(ctx context.Context, doing string, do func(*Reads) error) error {
	return r.DB.Moment(ctx, doing, func(on bun.IConn) error {
		return do(&Reads{DB: r.DB, IDFrom: r.IDFrom, Within: on})
	})
}

// Collect answers with all rows of a text, by a way to ask.
func Collect[T any](ctx context.Context, ask asks, doing, text string, arguments []any, scan func(db.Row) (T, error)) ([]T, error) {
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
	return r.DB.Unreachable("ping", r.DB.Read.PingContext(ctx))
}

// StoreTime serves ports.StoreClock.
func (r *Reads) StoreTime(ctx context.Context) (time.Time, error) {
	var now int64
	if err := r.DB.Read.QueryRowContext(ctx, "SELECT "+r.DB.Dialect.Clock()).Scan(&now); err != nil {
		return time.Time{}, r.DB.Unreachable("read the clock", err)
	}
	return r.DB.Now(db.Moment(now)), nil
}

// PageAsk is what a page of an audit is asked for.
type PageAsk struct {
	Part  ports.LedgerPart
	After string
	Limit int
	UUID  bool // after is an id that is kept as a UUID
	Timed bool // the last text of after is a number
}

// Page narrows a query to what comes after a key, of as many columns as texts.
func (q *Query[T]) Page(ask *PageAsk, key string) *Query[T] {
	columns := strings.Count(key, ",") + 1
	after := make([]any, columns)
	for i, text := range strings.SplitN(ask.After+strings.Repeat("\x00", columns), "\x00", columns+1)[:columns] {
		if after[i] = text; ask.Timed && i == columns-1 {
			after[i], _ = strconv.ParseInt(text, 10, 64) // 0 before the first one
		}
	}
	q.Limit(ask.Limit)
	if ask.UUID {
		return q.Where(key+" "+Beyond(ask.After)+" ?", q.reads.DB.Dialect.ID(ask.After))
	}
	return q.Where("("+key+") > (?"+strings.Repeat(", ?", columns-1)+")", after...)
}

// Source is what rows of a T are read from: a model, or a view of one.
type Source[T any] interface {
	Columns() string
	From() string
	Scan(row db.Row) (T, error)
}

// Query is a query of bun's for rows of a T. The arguments of its conditions travel apart
// from its text, so that the text stays prepared where it is asked again with others.
type Query[T any] struct {
	reads     *Reads
	text      *bun.SelectQuery
	arguments []any
	scan      func(db.Row) (T, error)
}

// From begins a query of all rows of a source.
func From[T any](r *Reads, s Source[T]) *Query[T] {
	return &Query[T]{reads: r, text: r.DB.Read.NewSelect().ColumnExpr(s.Columns()).TableExpr(s.From()), scan: s.Scan}
}

// Where narrows the query by a condition with ? for its arguments.
func (q *Query[T]) Where(condition string, arguments ...any) *Query[T] {
	q.text.Where(condition)
	q.arguments = append(q.arguments, arguments...)
	return q
}

// In narrows the query to rows with one of some values, at least one, in a column.
func (q *Query[T]) In(column string, values []any) *Query[T] {
	return q.Where(column+" IN (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
}

// Group groups the rows by an expression.
func (q *Query[T]) Group(by string) *Query[T] {
	q.text.GroupExpr(by)
	return q
}

// Order sorts the rows by an expression.
func (q *Query[T]) Order(by string) *Query[T] {
	q.text.OrderExpr(by)
	return q
}

// Limit bounds the number of rows. To bun no rows are no bound.
func (q *Query[T]) Limit(n int) *Query[T] {
	if n <= 0 {
		return q.Where("FALSE")
	}
	q.text.Limit(int64(n))
	return q
}

// format is the text of the query with ? for its arguments.
func (q *Query[T]) format() (string, error) {
	text, err := q.text.AppendQuery(schema.NewNopQueryGen(), nil)
	return string(text), err
}

// One answers with the first row; none is a fault of kind NotFound that says what was looked
// for.
func (q *Query[T]) One(ctx context.Context, doing string, missing *fault.Error) (T, error) {
	var none T
	found, err := q.Limit(1).Kept(ctx, doing)
	switch {
	case err != nil:
		return none, err
	case len(found) == 0:
		return none, missing
	}
	return found[0], nil
}

// Each visits the rows.
func (q *Query[T]) Each(ctx context.Context, doing string, visit func(T) error) error {
	return q.ask(ctx, q.reads.Rows, doing, visit)
}

// All answers with all rows.
func (q *Query[T]) All(ctx context.Context, doing string) ([]T, error) {
	return q.gather(ctx, q.reads.Rows, doing)
}

// Kept is all for queries whose plan doesn't depend on their arguments.
func (q *Query[T]) Kept(ctx context.Context, doing string) ([]T, error) {
	return q.gather(ctx, q.reads.Kept, doing)
}

func (q *Query[T]) gather(ctx context.Context, ask asks, doing string) ([]T, error) {
	found := []T{}
	err := q.ask(ctx, ask, doing, func(v T) error {
		found = append(found, v)
		return nil
	})
	return found, err
}

func (q *Query[T]) ask(ctx context.Context, ask asks, doing string, visit func(T) error) error {
	text, err := q.format()
	if err != nil {
		return db.Wrap(doing, err)
	}
	return ask(ctx, doing, text, q.arguments, func(row *sql.Rows) error {
		v, err := q.scan(row)
		if err != nil {
			return err
		}
		return visit(v)
	})
}

// Beyond compares UUIDs with the one that a page begins after. The first page has the least:
// there is none that every id comes after.
func Beyond(after string) string {
	if after == "" {
		return ">="
	}
	return ">"
}
