package reads

import (
	"context"
	"database/sql"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// source is what rows of a T are read from: a model, or a view of one.
type source[T any] interface {
	Columns() string
	From() string
	Scan(row db.Row) (T, error)
}

// query is a query of bun's for rows of a T. The arguments of its conditions travel apart
// from its text, so that the text stays prepared where it is asked again with others.
type query[T any] struct {
	reads     *Reads
	text      *bun.SelectQuery
	arguments []any
	scan      func(db.Row) (T, error)
}

// from begins a query of all rows of a source.
func from[T any](r *Reads, s source[T]) *query[T] {
	return &query[T]{reads: r, text: r.db.Read.NewSelect().ColumnExpr(s.Columns()).TableExpr(s.From()), scan: s.Scan}
}

// where narrows the query by a condition with ? for its arguments.
func (q *query[T]) where(condition string, arguments ...any) *query[T] {
	q.text.Where(condition)
	q.arguments = append(q.arguments, arguments...)
	return q
}

// in narrows the query to rows with one of some values, at least one, in a column.
func (q *query[T]) in(column string, values []any) *query[T] {
	return q.where(column+" IN (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
}

func (q *query[T]) group(by string) *query[T] {
	q.text.GroupExpr(by)
	return q
}

func (q *query[T]) order(by string) *query[T] {
	q.text.OrderExpr(by)
	return q
}

// limit bounds the number of rows. To bun no rows are no bound.
func (q *query[T]) limit(n int) *query[T] {
	if n <= 0 {
		return q.where("FALSE")
	}
	q.text.Limit(int64(n))
	return q
}

// format is the text of the query with ? for its arguments.
func (q *query[T]) format() (string, error) {
	text, err := q.text.AppendQuery(schema.NewNopQueryGen(), nil)
	return string(text), err
}

// one answers with the first row; none is a fault of kind NotFound that says what was looked
// for.
func (q *query[T]) one(ctx context.Context, doing string, missing *fault.Error) (T, error) {
	var none T
	found, err := q.limit(1).kept(ctx, doing)
	switch {
	case err != nil:
		return none, err
	case len(found) == 0:
		return none, missing
	}
	return found[0], nil
}

// each visits the rows.
func (q *query[T]) each(ctx context.Context, doing string, visit func(T) error) error {
	return q.ask(ctx, q.reads.rows, doing, visit)
}

// all answers with all rows.
func (q *query[T]) all(ctx context.Context, doing string) ([]T, error) {
	return q.gather(ctx, q.reads.rows, doing)
}

// kept is all for queries whose plan doesn't depend on their arguments.
func (q *query[T]) kept(ctx context.Context, doing string) ([]T, error) {
	return q.gather(ctx, q.reads.kept, doing)
}

func (q *query[T]) gather(ctx context.Context, ask asks, doing string) ([]T, error) {
	found := []T{}
	err := q.ask(ctx, ask, doing, func(v T) error {
		found = append(found, v)
		return nil
	})
	return found, err
}

func (q *query[T]) ask(ctx context.Context, ask asks, doing string, visit func(T) error) error {
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
