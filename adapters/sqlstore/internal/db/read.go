package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Rows runs a query on the readers and calls scan for each row. Arguments are parameters, or
// formatted by bun, whose escaping protects against injection.
func (d *DB) Rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	return d.ask(ctx, doing, text, arguments, nil, scan)
}

// RowsOn is Rows on a connection or in a transaction of the readers.
func (d *DB) RowsOn(ctx context.Context, on bun.IConn, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	answer, err := on.QueryContext(ctx, text, arguments...)
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return d.Unreachable(doing, scanAll(answer, scan))
}

// Moment runs do in a read transaction in which all statements see the same snapshot. Where
// tables are spread over machines, batches wait while the machines' snapshots are taken.
func (d *DB) Moment(ctx context.Context, doing string, do func(on bun.IConn) error) error {
	return d.moment(ctx, doing, do, func(on Spreader, snapshot func() error) error {
		return d.holding(ctx, snapshot, on.HoldBatches())
	})
}

// MomentOf is Moment for reads of one wallet: only batches of that wallet, given by its key, wait.
func (d *DB) MomentOf(ctx context.Context, doing, key string, do func(on bun.IConn) error) error {
	return d.moment(ctx, doing, do, func(_ Spreader, snapshot func() error) error {
		return d.holding(ctx, snapshot, "SELECT 1 FROM players AS p WHERE p.key = ?"+d.Dialect.LockRows("p"), key)
	})
}

// Settled is Moment for reads of blocks and then of their rows. No batch waits. Where tables are
// spread over machines, rows of later blocks may be seen too.
func (d *DB) Settled(ctx context.Context, doing string, do func(on bun.IConn) error) error {
	return d.moment(ctx, doing, do, func(on Spreader, snapshot func() error) error {
		return errors.Join(d.Dialect.AwaitBatches(ctx, d.Read.DB), snapshot())
	}, "SELECT 1") // the coordinator's snapshot: it commits before the other machines
}

// moment begins the transaction with the statements and the snapshots of all machines, which
// together has taken in time.
func (d *DB) moment(ctx context.Context, doing string, do func(on bun.IConn) error,
	together func(on Spreader, snapshot func() error) error, first ...string,
) error {
	tx, err := d.Read.BeginTx(ctx, &sql.TxOptions{Isolation: d.Dialect.OneMoment(), ReadOnly: true})
	if err != nil {
		return d.Unreachable(doing, err)
	}
	if on, spread := d.Dialect.(Spreader); spread && on.Spread() {
		if err = execAll(ctx, tx, first); err == nil {
			err = together(on, func() error { return execAll(ctx, tx, on.TakeSnapshot()) })
		}
		if err != nil {
			return errors.Join(d.Unreachable(doing, err), ignoreDone(tx.Rollback()))
		}
	}
	return errors.Join(do(tx), ignoreDone(tx.Rollback()))
}

// holding runs do while a transaction holds a lock.
func (d *DB) holding(ctx context.Context, do func() error, lock string, arguments ...any) error {
	return d.Write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := execAll(ctx, tx, []string{"SET LOCAL lock_timeout = '5s'"}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, lock, arguments...); err != nil {
			return err
		}
		return do()
	})
}

func execAll(ctx context.Context, on bun.IConn, statements []string) error {
	for _, text := range statements {
		if _, err := on.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// ignoreDone drops the error of a transaction that has already ended, as with its context.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Known runs a query that stays prepared on the readers' connections, with one key per sent row,
// and calls scan for each row of the result.
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

// prepareRead prepares a statement and stores it under a key.
func (d *DB) prepareRead(ctx context.Context, key any, text string) (*sql.Stmt, error) {
	prepared, err := d.Read.DB.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if earlier, ok := d.prepared.LoadOrStore(key, prepared); ok {
		return earlier.(*sql.Stmt), prepared.Close() //nolint:sqlclosecheck // another caller's is kept
	}
	d.kept.Add(1)
	return prepared, nil
}

// scanAll calls scan for each row and closes rows.
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

// Keeper is a Dialect with connections that keep a statement and its plan on request. Planning a list
// costs several times what reading its page does.
type Keeper interface {
	// Keep returns the request, an argument before the statement's own. The statement's
	// parameters are $1, $2, …
	Keep() any
}

// KeptMax is how many statements the readers keep where the driver prepares none. keptParameters
// is how many parameters one of them may have: one with more is a list of ids, with a different
// text for each number of ids. The service has fewer texts.
const (
	KeptMax        = 256
	keptParameters = 16
)

// Word is an argument that becomes part of a statement's text, because the plan depends on it:
// there is a partial index for that value. It consists of lower-case letters.
type Word string

// Kept is Rows for statements that repeat with other values, and with plans that don't depend on
// them. Their texts differ only in Words and row limits.
func (d *DB) Kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	keeper, _ := d.Dialect.(Keeper)
	return d.ask(ctx, doing, text, arguments, keeper, scan)
}

// KeptOn is Kept in a read transaction. A driver that prepares nothing compiles the statement
// there each time.
func (d *DB) KeptOn(ctx context.Context, on bun.IConn, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	keeper, keeps := d.Dialect.(Keeper)
	tx, begun := on.(bun.Tx)
	if !keeps || !begun {
		return d.RowsOn(ctx, on, doing, text, arguments, scan)
	}
	statement, parameters, ok := parametrized(text, arguments)
	if !ok {
		return d.RowsOn(ctx, on, doing, text, arguments, scan)
	}
	answer, err := d.observed(ctx, statement, parameters, func(ctx context.Context) (*sql.Rows, error) {
		return tx.Tx.QueryContext(ctx, statement, append([]any{keeper.Keep()}, parameters...)...)
	})
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return d.Unreachable(doing, scanAll(answer, scan))
}

// ask runs a query on the readers. The statement is kept if there is a keeper, or if the driver
// would compile it each time.
func (d *DB) ask(ctx context.Context, doing, text string, arguments []any, keeper Keeper, scan func(*sql.Rows) error) error {
	leave, err := d.places.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	answer, err := d.answer(ctx, text, arguments, keeper)
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return d.Unreachable(doing, scanAll(answer, scan))
}

// answer runs a query without waiting for a place.
func (d *DB) answer(ctx context.Context, text string, arguments []any, keeper Keeper) (*sql.Rows, error) {
	statement, parameters, ok := "", []any(nil), false
	if keeper != nil || !d.Dialect.Prepares() {
		statement, parameters, ok = parametrized(text, arguments)
	}
	if !ok {
		return d.Read.QueryContext(ctx, text, arguments...)
	}
	return d.observed(ctx, statement, parameters, func(ctx context.Context) (*sql.Rows, error) {
		if keeper != nil {
			return d.Read.DB.QueryContext(ctx, statement, append([]any{keeper.Keep()}, parameters...)...)
		}
		return d.askPrepared(ctx, statement, parameters)
	})
}

// askPrepared runs a statement that stays prepared until the store is closed, unless there are
// too many of them.
func (d *DB) askPrepared(ctx context.Context, text string, parameters []any) (*sql.Rows, error) {
	prepared, ok := d.prepared.Load(text)
	if !ok {
		if len(parameters) > keptParameters || d.kept.Load() >= KeptMax {
			return d.Read.DB.QueryContext(ctx, text, parameters...)
		}
		var err error
		if prepared, err = d.prepareRead(ctx, text, text); err != nil {
			return nil, err
		}
	}
	return prepared.(*sql.Stmt).QueryContext(ctx, parameters...)
}

// parametrized replaces each ? of a text by $1, $2, … if all arguments are texts, bytes or
// numbers. It writes Words, and the number after LIMIT, into the text: a plan depends on them.
// For other arguments it reports false and returns the text unchanged.
func parametrized(text string, arguments []any) (string, []any, bool) {
	var b strings.Builder
	var parameters []any
	rest := text
	for _, argument := range arguments {
		before, after, found := strings.Cut(rest, "?")
		if !found {
			return text, nil, false
		}
		b.WriteString(before)
		rest = after
		if part, ok := inText(before, argument); ok {
			b.WriteString(part)
			continue
		}
		parameter, ok := parameterOf(argument)
		if !ok {
			return text, nil, false
		}
		parameters = append(parameters, parameter)
		b.WriteString("$" + strconv.Itoa(len(parameters)))
	}
	if strings.Contains(rest, "?") {
		return text, nil, false
	}
	b.WriteString(rest)
	return b.String(), parameters, true
}

// inText returns an argument that must be written into the text after what precedes it.
func inText(before string, argument any) (part string, ok bool) {
	switch argument := argument.(type) {
	case int:
		return strconv.Itoa(argument), strings.HasSuffix(before, "LIMIT ")
	case Word:
		return "'" + string(argument) + "'", !strings.ContainsFunc(string(argument), func(c rune) bool { return c < 'a' || c > 'z' })
	}
	return "", false
}

// parameterOf returns an argument as the driver takes it, or false for one that writes itself
// into the text, such as a name.
func parameterOf(argument any) (parameter any, ok bool) {
	switch argument := argument.(type) {
	case schema.QueryAppender, driver.Valuer, Word:
		return nil, false
	case []byte:
		return argument, true
	}
	switch value := reflect.ValueOf(argument); value.Kind() {
	case reflect.String:
		return value.String(), true
	case reflect.Int, reflect.Int64:
		return value.Int(), true
	default:
		return nil, false
	}
}
