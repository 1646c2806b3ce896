package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"reflect"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Keeper is a Dialect whose connections keep a statement prepared, with its plan, when
// they are asked to. Planning a list costs several times what reading its page does.
type Keeper interface {
	// Keep is the argument, before the statement's own, that asks for it. The statement's
	// parameters are $1, $2, …
	Keep() any
}

// KeptMax is how many statements the readers keep where the driver prepares none by itself,
// and keptParameters how many parameters one of them has at most: whatever has more is a list
// of ids, whose text is another one for each number of them. The service has fewer texts.
const (
	KeptMax        = 256
	keptParameters = 16
)

// Word is a text that stands in a statement's text, because its plan depends on it: there is an
// index of those rows alone that have one such in a column. It is of lower-case letters.
type Word string

// Kept is Rows for statements that are asked again and again with other values, and whose
// plan doesn't depend on them. What differs in their texts are Words, and how many rows are
// wanted.
func (d *DB) Kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	keeper, _ := d.Dialect.(Keeper)
	return d.ask(ctx, doing, text, arguments, keeper, scan)
}

// KeptOn is Kept in a transaction of the readers. A driver that prepares nothing by itself
// compiles it there as it does any other.
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

// ask asks the readers, who keep the statement if there is a keeper, or if the driver would
// compile it anew each time.
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

// answer asks without waiting for a place.
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

// askPrepared asks by a statement that is prepared once, until the store is closed, unless
// there are too many of them.
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

// parametrized is a text with ? for its arguments as one with $1, $2, … for its parameters:
// texts, bytes and numbers. Words stand in it, and so does the number after LIMIT: a plan
// depends on it, and SQLite compiles a statement anew for each. It reports false, with the text
// as it was, for arguments of another kind.
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

// inText is an argument that stands in the text after what comes before it.
func inText(before string, argument any) (part string, ok bool) {
	switch argument := argument.(type) {
	case int:
		return strconv.Itoa(argument), strings.HasSuffix(before, "LIMIT ")
	case Word:
		return "'" + string(argument) + "'", !strings.ContainsFunc(string(argument), func(c rune) bool { return c < 'a' || c > 'z' })
	}
	return "", false
}

// parameterOf is an argument as the driver takes it; one that writes itself into the text, as
// names do, is none.
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
