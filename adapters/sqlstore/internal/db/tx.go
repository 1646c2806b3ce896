package db

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Tx is a transaction. It ends with Commit, or with Rollback if that fails or nothing is to be
// committed.
type Tx interface {
	// Send runs the waiting queries in order.
	Send(ctx context.Context, asks *Asks) error
	// Session returns the transaction for single queries; call it only after Send.
	Session() bun.IDB
	// Commit runs the waiting queries and commits. inDoubt says that a failed commit may have
	// taken effect.
	Commit(ctx context.Context, asks *Asks) (inDoubt bool, err error)
	Rollback(ctx context.Context) error
}

// Begin begins a transaction on a session, at once or together with the first Send.
func (d *DB) Begin(ctx context.Context, session bun.Conn) (Tx, error) {
	if pipeliner, ok := d.Dialect.(Pipeliner); ok {
		return &piped{statements: &d.statements, through: pipeliner, conn: session}, nil
	}
	tx, err := session.BeginTx(ctx, nil)
	return stepwise{&d.statements, tx}, Wrap("begin", err)
}

// Within returns a transaction that the caller began, and ends.
func (d *DB) Within(tx bun.Tx) Tx { return stepwise{&d.statements, tx} }

// stepwise runs one statement after the other.
type stepwise struct {
	statements *statements
	tx         bun.Tx
}

func (t stepwise) Session() bun.IDB { return t.tx }

func (t stepwise) Send(ctx context.Context, asks *Asks) (err error) {
	for _, a := range asks.take() {
		if a.scan != nil {
			err = t.statements.each(ctx, t.tx, a.query, a.rows, a.scan)
		} else {
			a.written, err = t.statements.exec(ctx, t.tx, a.query, a.rows)
		}
		if err == nil {
			err = a.counted()
		}
		if err != nil {
			return Wrap(a.doing, err)
		}
	}
	return nil
}

func (t stepwise) Commit(ctx context.Context, asks *Asks) (inDoubt bool, err error) {
	if err := t.Send(ctx, asks); err != nil {
		return false, err
	}
	if err := t.tx.Commit(); err != nil {
		return !t.statements.dialect.Failure(err).undone(), Wrap("commit", err)
	}
	return false, nil
}

func (t stepwise) Rollback(context.Context) error { return Wrap("roll back", t.tx.Rollback()) }

// piped sends all waiting queries in one exchange, with BEGIN before the first and COMMIT after
// the last.
type piped struct {
	statements *statements
	through    Pipeliner
	conn       bun.Conn
	begun      bool
}

// rollbackTime limits a ROLLBACK. If it fails the session is closed, which rolls back too.
const rollbackTime = time.Second

func (t *piped) Session() bun.IDB { return t.conn }

func (t *piped) Send(ctx context.Context, asks *Asks) error {
	all := asks.take()
	if len(all) == 0 {
		return nil
	}
	_, err := t.send(ctx, all, false)
	return err
}

// Commit sends COMMIT with the waiting queries, unless their written rows must be counted first.
func (t *piped) Commit(ctx context.Context, asks *Asks) (inDoubt bool, err error) {
	all := asks.take()
	if slices.ContainsFunc(all, func(a *ask) bool { return !a.certain() }) {
		if _, err := t.send(ctx, all, false); err != nil {
			return false, err
		}
		all = nil
	}
	return t.send(ctx, all, true)
}

// send runs queries in one exchange and may commit at its end. inDoubt is as for Commit.
func (t *piped) send(ctx context.Context, asks []*ask, commit bool) (inDoubt bool, err error) {
	var all []Statement
	var of []*ask
	if !t.begun {
		all, of = append(all, Statement{Text: "BEGIN"}), append(of, &ask{doing: "begin"})
	}
	for _, a := range asks {
		text := t.statements.text(t.statements.of(a.query, len(a.rows)))
		row := a.scan
		if row == nil && a.query.changes {
			row = a.count
		}
		for chunk := range t.statements.chunks(a.query, a.rows) {
			all = append(all, Statement{
				Text: text, Columns: a.query.columns, Rows: chunk,
				Row: row, Written: func(rows int64) { a.written += rows },
			})
			of = append(of, a)
		}
	}
	if commit {
		all, of = append(all, Statement{Text: "COMMIT"}), append(of, &ask{doing: "commit"})
	}
	if len(all) == 0 {
		return false, nil
	}
	t.begun = true
	failed := 0
	err = t.conn.Raw(func(connection any) (err error) {
		failed, err = t.through.Pipeline(ctx, connection, all)
		return err
	})
	if err != nil {
		inDoubt = commit && failed == len(all)-1 && !t.statements.dialect.Failure(err).undone()
		return inDoubt, Wrap(of[failed].doing, err)
	}
	for _, a := range asks {
		if err := a.counted(); err != nil {
			return commit, Wrap(a.doing, err)
		}
	}
	return false, nil
}

func (t *piped) Rollback(ctx context.Context) error {
	if !t.begun {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	_, err := t.conn.ExecContext(ctx, "ROLLBACK")
	if err != nil {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	return Wrap("roll back", err)
}

// Asks are queries that wait to be sent together, in order.
type Asks struct{ waiting []*ask }

// ask is one query of Asks.
type ask struct {
	doing string
	query *Query
	rows  [][]any
	// scan takes the rows of the result. If it is nil the query writes, and must write want rows,
	// unless that is anyNumber; written counts them.
	scan    func(Row) error
	want    int64
	written int64
}

const anyNumber = -1

// Ask adds a query; scan is called for each row of its result. A query without rows to send is
// dropped.
func (a *Asks) Ask(doing string, q *Query, rows [][]any, scan func(Row) error) {
	if len(rows) > 0 {
		a.waiting = append(a.waiting, &ask{doing: doing, query: q, rows: rows, scan: scan, want: anyNumber})
	}
}

// Write adds a query that must write exactly as many rows as are sent.
func (a *Asks) Write(doing string, q *Query, rows [][]any) { a.WriteCounted(doing, q, rows, len(rows)) }

// WriteCounted is Write with another number of rows that must be written.
func (a *Asks) WriteCounted(doing string, q *Query, rows [][]any, want int) {
	if len(rows) > 0 {
		a.waiting = append(a.waiting, &ask{doing: doing, query: q, rows: rows, want: int64(want)})
	}
}

// take returns the waiting queries and empties the list.
func (a *Asks) take() []*ask {
	all := a.waiting
	a.waiting = nil
	return all
}

// certain reports whether the query, if it succeeds, has written the required number of rows.
func (a *ask) certain() bool {
	return a.scan == nil && (a.want == anyNumber || a.query.whole && a.want == int64(len(a.rows)))
}

// count reads the number of rows from the result of a changing statement.
func (a *ask) count(row Row) error {
	var changed int64
	err := row.Scan(&changed)
	a.written += changed
	return err
}

// counted returns an error if the number of written rows is wrong.
func (a *ask) counted() error {
	if a.scan == nil && a.want != anyNumber && a.written != a.want {
		return ErrRowsLost
	}
	return nil
}

// Row is a row of a result, from any library.
type Row interface{ Scan(into ...any) error }

// Statement is one of several that are sent to the database together, with its rows.
type Statement struct {
	Text    string
	Columns []Column
	Rows    [][]any
	// Row is called for each row of the result. If it is nil, Written, if set, is called with the
	// number of rows written.
	Row     func(Row) error
	Written func(rows int64)
}

// Pipeliner is a Dialect with connections that take several statements at once, which costs one
// exchange with the server instead of one each.
type Pipeliner interface {
	// Pipeline runs the statements in order on the connection of a session, as sql.Conn.Raw
	// passes it; they may include BEGIN and COMMIT. On failure it returns the index of the
	// statement that the server refused, after which none took effect, or the last index if the
	// effect is unknown.
	Pipeline(ctx context.Context, connection any, statements []Statement) (failed int, err error)
	// Changing rewrites a changing statement to return its number of changed rows and to fail, as
	// Constraint, unless that is the number sent.
	Changing(text string) string
}
