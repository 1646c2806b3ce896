// Package read makes the queries and lists through which every feature reads.
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

// Reads implements the reading methods of ports.
type Reads struct {
	DB     *db.DB
	Sealer ports.Sealer
	// IDFrom returns the least id that may be drawn at a time, if all ids contain their creation
	// time, else it is nil.
	IDFrom func(time.Time) string

	same sameQuestions
	// Within is the transaction to read in, or nil.
	Within bun.IConn
}

// New returns the reads of a database. The sealer decrypts agents' secrets.
func New(d *db.DB, sealer ports.Sealer, idFrom func(time.Time) string) *Reads {
	return &Reads{DB: d, Sealer: sealer, IDFrom: idFrom}
}

// asks is the type of functions that run a query.
type asks func(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error

// Rows runs a query, in the transaction of Within if there is one.
func (r *Reads) Rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.Within == nil {
		return r.DB.Rows(ctx, doing, text, arguments, scan)
	}
	return r.DB.RowsOn(ctx, r.Within, doing, text, arguments, scan)
}

// Kept is Rows for statements with plans that don't depend on their values.
func (r *Reads) Kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	if r.Within == nil {
		return r.DB.Kept(ctx, doing, text, arguments, scan)
	}
	return r.DB.KeptOn(ctx, r.Within, doing, text, arguments, scan)
}

// Moment runs do with reads that all see the same snapshot.
func (r *Reads) Moment(ctx context.Context, doing string, do func(*Reads) error) error {
	return r.DB.Moment(ctx, doing, r.within(do))
}

// MomentOf is Moment for reads of one wallet, given by its key.
func (r *Reads) MomentOf(ctx context.Context, doing, key string, do func(*Reads) error) error {
	return r.DB.MomentOf(ctx, doing, key, r.within(do))
}

// Settled is Moment for reads of blocks and then of their rows.
func (r *Reads) Settled(ctx context.Context, doing string, do func(*Reads) error) error {
	return r.DB.Settled(ctx, doing, r.within(do))
}

func (r *Reads) within(do func(*Reads) error) func(bun.IConn) error {
	return func(on bun.IConn) error { return do(&Reads{DB: r.DB, IDFrom: r.IDFrom, Within: on}) }
}

// Collect returns all rows of a query that is run by ask.
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

// StoreTime implements ports.StoreClock.
func (r *Reads) StoreTime(ctx context.Context) (time.Time, error) {
	var now int64
	if err := r.DB.Read.QueryRowContext(ctx, "SELECT "+r.DB.Dialect.Clock()).Scan(&now); err != nil {
		return time.Time{}, r.DB.Unreachable("read the clock", err)
	}
	return r.DB.Now(db.Moment(now)), nil
}

// PageAsk describes the requested page of an audit.
type PageAsk struct {
	Part  ports.LedgerPart
	After string
	Limit int
	UUID  bool // after is an id that is stored as a UUID
	Timed bool // the last text of after is a number
}

// Page limits a query to rows after a key, which has as many columns as after has texts.
func (q *Query[T]) Page(ask *PageAsk, key string) *Query[T] {
	columns := strings.Count(key, ",") + 1
	after := make([]any, columns)
	for i, text := range strings.SplitN(ask.After+strings.Repeat("\x00", columns), "\x00", columns+1)[:columns] {
		if after[i] = text; ask.Timed && i == columns-1 {
			after[i], _ = strconv.ParseInt(text, 10, 64) // 0 before the first page
		}
	}
	q.Limit(ask.Limit)
	if ask.UUID {
		return q.Where(key+" "+Beyond(ask.After)+" ?", q.reads.DB.Dialect.ID(ask.After))
	}
	return q.Where("("+key+") > (?"+strings.Repeat(", ?", columns-1)+")", after...)
}

// Source is a source of rows of a T: a model or a view.
type Source[T any] interface {
	Columns() string
	From() string
	Scan(row db.Row) (T, error)
}

// Query is a bun query of rows of a T. Arguments of conditions are not part of its text, so that
// a repeated text stays prepared.
type Query[T any] struct {
	reads     *Reads
	text      *bun.SelectQuery
	arguments []any
	scan      func(db.Row) (T, error)
}

// From returns a query of all rows of a source.
func From[T any](r *Reads, s Source[T]) *Query[T] {
	return &Query[T]{reads: r, text: r.DB.Read.NewSelect().ColumnExpr(s.Columns()).TableExpr(s.From()), scan: s.Scan}
}

// Where adds a condition with ? for its arguments.
func (q *Query[T]) Where(condition string, arguments ...any) *Query[T] {
	q.text.Where(condition)
	q.arguments = append(q.arguments, arguments...)
	return q
}

// In limits the query to rows with one of the values, at least one, in a column.
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

// Limit limits the number of rows. For bun, 0 means no limit.
func (q *Query[T]) Limit(n int) *Query[T] {
	if n <= 0 {
		return q.Where("FALSE")
	}
	q.text.Limit(int64(n))
	return q
}

// format returns the text of the query with ? for its arguments.
func (q *Query[T]) format() (string, error) {
	text, err := q.text.AppendQuery(schema.NewNopQueryGen(), nil)
	return string(text), err
}

// One returns the first row; if there is none, a fault of kind NotFound with the given text.
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

// Each calls visit for each row.
func (q *Query[T]) Each(ctx context.Context, doing string, visit func(T) error) error {
	return q.ask(ctx, q.reads.Rows, doing, visit)
}

// All returns all rows.
func (q *Query[T]) All(ctx context.Context, doing string) ([]T, error) {
	return q.gather(ctx, q.reads.Rows, doing)
}

// Kept is All for queries with plans that don't depend on their arguments.
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

// Beyond compares UUIDs with the one after which a page begins. The first page begins at the
// least UUID and includes it.
func Beyond(after string) string {
	if after == "" {
		return ">="
	}
	return ">"
}
