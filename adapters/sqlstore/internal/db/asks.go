package db

// Asks are queries that wait to be sent together, in their order.
type Asks struct{ waiting []*ask }

// ask is one of them.
type ask struct {
	doing string
	query *Query
	rows  [][]any
	// scan takes the rows of the answer; where it is nil the query writes, and
	// written counts its rows, of which there must be want unless that is anyNumber.
	scan    func(Row) error
	want    int64
	written int64
}

const anyNumber = -1

// Ask notes a query whose answer, if it has any, scan takes row by row. Without
// rows to send there is nothing to ask.
func (a *Asks) Ask(doing string, q *Query, rows [][]any, scan func(Row) error) {
	if len(rows) > 0 {
		a.waiting = append(a.waiting, &ask{doing: doing, query: q, rows: rows, scan: scan, want: anyNumber})
	}
}

// Write notes a query on rows of which each must be written, no more and no
// fewer.
func (a *Asks) Write(doing string, q *Query, rows [][]any) { a.WriteCounted(doing, q, rows, len(rows)) }

// WriteCounted is Write where another number of rows than is sent must be written.
func (a *Asks) WriteCounted(doing string, q *Query, rows [][]any, want int) {
	if len(rows) > 0 {
		a.waiting = append(a.waiting, &ask{doing: doing, query: q, rows: rows, want: int64(want)})
	}
}

// take returns what waits, of which nothing waits any more.
func (a *Asks) take() []*ask {
	all := a.waiting
	a.waiting = nil
	return all
}

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
		return ErrRowsLost
	}
	return nil
}
