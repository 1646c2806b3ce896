package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// Rows asks the readers and calls scan for each row of the answer. Arguments are
// parameters, or formatted by bun, whose escaping is the boundary against injection.
func (d *DB) Rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	return d.ask(ctx, doing, text, arguments, nil, scan)
}

// RowsOn is Rows on a connection of the readers or in a transaction of theirs.
func (d *DB) RowsOn(ctx context.Context, on bun.IConn, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	answer, err := on.QueryContext(ctx, text, arguments...)
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return d.Unreachable(doing, scanAll(answer, scan))
}

// Moment runs do in a transaction of the readers whose statements all see one moment.
func (d *DB) Moment(ctx context.Context, doing string, do func(on bun.IConn) error) error {
	tx, err := d.Read.BeginTx(ctx, &sql.TxOptions{Isolation: d.Dialect.OneMoment(), ReadOnly: true})
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return errors.Join(do(tx), ignoreDone(tx.Rollback()))
}

// ignoreDone hides that a transaction has ended by itself, as with its context.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Known asks the readers by a query that is kept prepared on their connections,
// for one key a row, and calls scan for each row of the answer.
func (d *DB) Known(ctx context.Context, doing string, q *Query, keys []string, scan func(*sql.Rows) error) error {
	rows := make([][]any, len(keys))
	for i, key := range keys {
		rows[i] = []any{key}
	}
	for chunk := range d.statements.chunks(q, rows) {
		which := d.statements.of(q, len(chunk))
		prepared, err := d.preparedRead(ctx, which)
		if err != nil {
			return d.Unreachable(doing, err)
		}
		parameters := d.Dialect.Parameters(q.columns, chunk)
		answer, err := d.observed(ctx, d.statements.text(which), parameters, func(ctx context.Context) (*sql.Rows, error) {
			return prepared.QueryContext(ctx, parameters...)
		})
		if err != nil {
			return d.Unreachable(doing, err)
		}
		if err := scanAll(answer, scan); err != nil {
			return d.Unreachable(doing, err)
		}
	}
	return nil
}

// preparedRead prepares a statement once; closing the store closes it.
func (d *DB) preparedRead(ctx context.Context, which statement) (*sql.Stmt, error) {
	if prepared, ok := d.prepared.Load(which); ok {
		return prepared.(*sql.Stmt), nil
	}
	return d.prepareRead(ctx, which, d.statements.text(which))
}

// prepareRead prepares a statement that is remembered by the key.
func (d *DB) prepareRead(ctx context.Context, key any, text string) (*sql.Stmt, error) {
	prepared, err := d.Read.DB.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if earlier, ok := d.prepared.LoadOrStore(key, prepared); ok {
		return earlier.(*sql.Stmt), prepared.Close() //nolint:sqlclosecheck // the other one is kept
	}
	d.kept.Add(1)
	return prepared, nil
}

// scanAll calls scan for each row and closes them.
func scanAll(rows *sql.Rows, scan func(*sql.Rows) error) (err error) {
	defer func() {
		if closing := rows.Close(); err == nil {
			err = closing
		}
	}()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
