package sqlstore

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/uptrace/bun"
)

// dbTx is what a run asks the database in. It ends with commit, and where
// that fails or nothing is to be committed, with rollback.
type dbTx interface {
	// ask asks what is given, in that order.
	ask(ctx context.Context, asks []*ask) error
	// session takes what is asked by itself; only after the first ask.
	session() bun.IConn
	// commit asks what is left and commits. inDoubt says that it may have taken
	// effect although it failed.
	commit(ctx context.Context, asks []*ask) (inDoubt bool, err error)
	rollback(ctx context.Context) error
}

// beginTx begins a transaction on a session, or will with its first question.
func (s *Store) beginTx(ctx context.Context, session bun.Conn) (dbTx, error) {
	if pipeliner, ok := s.dialect.(Pipeliner); ok {
		return &piped{statements: &s.statements, through: pipeliner, conn: session}, nil
	}
	tx, err := session.BeginTx(ctx, nil)
	return stepwise{&s.statements, tx}, wrap("begin", err)
}

// stepwise runs one statement after the other.
type stepwise struct {
	statements *statements
	tx         bun.Tx
}

func (t stepwise) session() bun.IConn { return t.tx }

func (t stepwise) ask(ctx context.Context, asks []*ask) (err error) {
	for _, a := range asks {
		if a.scan != nil {
			err = t.statements.each(ctx, t.tx, a.query, a.rows, a.scan)
		} else {
			a.written, err = t.statements.exec(ctx, t.tx, a.query, a.rows)
		}
		if err == nil {
			err = a.counted()
		}
		if err != nil {
			return wrap(a.doing, err)
		}
	}
	return nil
}

func (t stepwise) commit(ctx context.Context, asks []*ask) (inDoubt bool, err error) {
	if err := t.ask(ctx, asks); err != nil {
		return false, err
	}
	if err := t.tx.Commit(); err != nil {
		return !t.statements.dialect.Failure(err).undone(), wrap("commit", err)
	}
	return false, nil
}

func (t stepwise) rollback(context.Context) error { return wrap("roll back", t.tx.Rollback()) }

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

func (t *piped) session() bun.IConn { return t.conn }

func (t *piped) ask(ctx context.Context, asks []*ask) error {
	_, err := t.send(ctx, asks, false)
	return err
}

// commit sends COMMIT with what is left, unless the number of rows that one of
// these writes has to be looked at first.
func (t *piped) commit(ctx context.Context, asks []*ask) (inDoubt bool, err error) {
	for _, a := range asks {
		if !a.certain() {
			if err := t.ask(ctx, asks); err != nil {
				return false, err
			}
			asks = nil
			break
		}
	}
	return t.send(ctx, asks, true)
}

// send asks in one exchange, at the end of which it may commit. inDoubt is commit's.
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
		for chunk := range t.statements.chunks(a.rows) {
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
		return inDoubt, wrap(of[failed].doing, err)
	}
	for _, a := range asks {
		if err := a.counted(); err != nil {
			return commit, wrap(a.doing, err)
		}
	}
	return false, nil
}

func (t *piped) rollback(ctx context.Context) error {
	if !t.begun {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	_, err := t.conn.ExecContext(ctx, "ROLLBACK")
	if err != nil {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	return wrap("roll back", err)
}
