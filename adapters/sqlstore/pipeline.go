package sqlstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
)

// Row is a row of an answer, whichever library read it.
type Row interface{ Scan(into ...any) error }

// Statement is one of several that go to the database together.
type Statement struct {
	Text       string
	Parameters []any
	// Row is called for each row of the answer; where it is nil, Written is called
	// with the number of rows that were written.
	Row     func(Row) error
	Written func(rows int64)
}

// Pipeliner is a Dialect whose connections take several statements at once, so
// that they cost one exchange with the server instead of one each.
type Pipeliner interface {
	// Pipeline runs the statements in their order on the connection of a session,
	// as sql.Conn.Raw hands it out, within the transaction that is open there. It
	// returns the place of the one that failed; those after it may have run too.
	Pipeline(ctx context.Context, connection any, statements []Statement) (failed int, err error)
}

// ask is a query of a run that waits to be sent with others.
type ask struct {
	doing string
	query *query
	rows  [][]any
	// scan takes the rows of the answer; where it is nil the query writes, and
	// written counts its rows, of which there must be want unless that is anyNumber.
	scan    func(Row) error
	want    int64
	written int64
}

const anyNumber = -1

// ask notes a query for the next send. Without rows there is nothing to ask.
func (r *run) ask(doing string, q *query, rows [][]any, scan func(Row) error) {
	if len(rows) > 0 {
		r.asks = append(r.asks, &ask{doing: doing, query: q, rows: rows, scan: scan, want: anyNumber})
	}
}

// send asks what was noted, in that order.
func (r *run) send(ctx context.Context) error {
	asks := r.asks
	r.asks = nil
	if len(asks) == 0 {
		return nil
	}
	if pipeliner, ok := r.store.dialect.(Pipeliner); ok {
		if err := r.store.statements.pipeline(ctx, r.session, pipeliner, asks); err != nil {
			return err
		}
	} else if err := r.store.statements.inTurn(ctx, r.tx, asks); err != nil {
		return err
	}
	for _, a := range asks {
		if a.want != anyNumber && a.written != a.want {
			return wrap(a.doing, errRowsLost)
		}
	}
	return nil
}

// inTurn runs one query after the other.
func (s *statements) inTurn(ctx context.Context, tx bun.Tx, asks []*ask) (err error) {
	for _, a := range asks {
		if a.scan != nil {
			err = s.each(ctx, tx, a.query, a.rows, a.scan)
		} else {
			a.written, err = s.exec(ctx, tx, a.query, a.rows)
		}
		if err != nil {
			return wrap(a.doing, err)
		}
	}
	return nil
}

// pipeline runs all queries in one exchange.
func (s *statements) pipeline(ctx context.Context, session *sql.Conn, through Pipeliner, asks []*ask) error {
	var all []Statement
	var of []*ask
	for _, a := range asks {
		for chunk := range s.chunks(a.rows) {
			all = append(all, Statement{
				Text: s.text(s.of(a.query, len(chunk))), Parameters: s.dialect.Parameters(a.query.columns, chunk),
				Row: a.scan, Written: func(rows int64) { a.written += rows },
			})
			of = append(of, a)
		}
	}
	return session.Raw(func(connection any) error {
		failed, err := through.Pipeline(ctx, connection, all)
		if err != nil {
			return wrap(of[failed].doing, err)
		}
		return nil
	})
}
