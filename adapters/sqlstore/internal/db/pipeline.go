package db

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
