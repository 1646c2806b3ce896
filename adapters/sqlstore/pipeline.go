package sqlstore

import "context"

// Row is a row of an answer, whichever library read it.
type Row interface{ Scan(into ...any) error }

// Statement is one of several that go to the database together, with the rows
// that are sent with it.
type Statement struct {
	Text    string
	Columns []Column
	Rows    [][]any
	// Row is called for each row of the answer; where it is nil, Written is called,
	// unless that is nil too, with the number of rows that were written.
	Row     func(Row) error
	Written func(rows int64)
}

// Pipeliner is a Dialect whose connections take several statements at once, so
// that they cost one exchange with the server instead of one each.
type Pipeliner interface {
	// Pipeline runs the statements in their order on the connection of a session,
	// as sql.Conn.Raw hands it out; BEGIN and COMMIT may be among them. It returns
	// the place of the one that the server refused, after which none took effect,
	// or, where it can't be known what the server did, the last one's.
	Pipeline(ctx context.Context, connection any, statements []Statement) (failed int, err error)
	// Changing makes of a statement that changes rows one that fails, as
	// Constraint, unless it changes as many as were sent, and returns their number.
	Changing(text string) string
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

// certain reports whether the query, when it doesn't fail, has written the rows
// that it was to write.
func (a *ask) certain() bool {
	return a.scan == nil && (a.want == anyNumber || a.query.whole && a.want == int64(len(a.rows)))
}

// count reads the number of rows that a changing statement answers with.
func (a *ask) count(row Row) error {
	var changed int64
	err := row.Scan(&changed)
	a.written += changed
	return err
}

// counted returns what is wrong with the number of rows written.
func (a *ask) counted() error {
	if a.scan == nil && a.want != anyNumber && a.written != a.want {
		return errRowsLost
	}
	return nil
}

// ask notes a query for the next send. Without rows there is nothing to ask.
func (r *run) ask(doing string, q *query, rows [][]any, scan func(Row) error) {
	if len(rows) > 0 {
		r.asks = append(r.asks, &ask{doing: doing, query: q, rows: rows, scan: scan, want: anyNumber})
	}
}

// write notes a query on rows of which each must be written, no more and no
// fewer.
func (r *run) write(doing string, q *query, rows [][]any) { r.writeCounted(doing, q, rows, len(rows)) }

func (r *run) writeCounted(doing string, q *query, rows [][]any, want int) {
	if len(rows) > 0 {
		r.asks = append(r.asks, &ask{doing: doing, query: q, rows: rows, want: int64(want)})
	}
}

// send asks what was noted, in that order.
func (r *run) send(ctx context.Context) error {
	asks := r.asks
	r.asks = nil
	if len(asks) == 0 {
		return nil
	}
	return r.tx.ask(ctx, asks)
}
