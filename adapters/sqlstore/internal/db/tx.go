package db

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// Tx is a transaction. It ends with Commit, and where that fails or nothing is to
// be committed, with Rollback.
type Tx interface {
	// Send asks what waits, in its order.
	Send(ctx context.Context, asks *Asks) error
	// Session takes what is asked by itself; only after something was sent.
	Session() bun.IDB
	// Commit asks what waits and commits. inDoubt says that it may have taken
	// effect although it failed.
	Commit(ctx context.Context, asks *Asks) (inDoubt bool, err error)
	Rollback(ctx context.Context) error
}

// Begin begins a transaction on a session, or will with the first that is sent.
func (d *DB) Begin(ctx context.Context, session bun.Conn) (Tx, error) {
	if pipeliner, ok := d.Dialect.(Pipeliner); ok {
		return &piped{statements: &d.statements, through: pipeliner, conn: session}, nil
	}
	tx, err := session.BeginTx(ctx, nil)
	return stepwise{&d.statements, tx}, Wrap("begin", err)
}

// Within is a transaction that somebody else began, and ends.
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

// piped sends all that is asked at a time in one exchange, the beginning of the
// transaction with the first of them and its end with the last.
type piped struct {
	statements *statements
	through    Pipeliner
	conn       bun.Conn
	begun      bool
}

// rollbackTime bounds a ROLLBACK. Where it fails the session is ended, which rolls
// back too.
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

// Commit sends COMMIT with what waits, unless the number of rows that one of
// these writes has to be looked at first.
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

// send asks in one exchange, at the end of which it may commit. inDoubt is Commit's.
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
