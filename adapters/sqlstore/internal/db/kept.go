package db

import (
	"context"
	"database/sql"
	"reflect"
	"strconv"
	"strings"
)

// Keeper is a Dialect whose connections keep a statement prepared, with its plan, when
// they are asked to. Planning a list costs several times what reading its page does.
type Keeper interface {
	// Keep is the argument, before the statement's own, that asks for it. The statement's
	// parameters are $1, $2, …
	Keep() any
}

// Count is a number that stands in a statement's text, because its plan depends on it: how
// many rows are wanted.
type Count int

// Kept is Rows for statements that are asked again and again with other values, and whose
// plan doesn't depend on them. What differs in their texts is Counts alone.
func (d *DB) Kept(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	keeper, ok := d.Dialect.(Keeper)
	if !ok {
		return d.Rows(ctx, doing, text, arguments, scan)
	}
	text, parameters, ok := parametrized(text, arguments)
	if !ok {
		return d.Rows(ctx, doing, text, arguments, scan)
	}
	leave, err := d.places.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if d.watch != nil {
		d.watch(text, parameters)
	}
	answer, err := d.Read.DB.QueryContext(ctx, text, append([]any{keeper.Keep()}, parameters...)...)
	if err != nil {
		return d.Unreachable(doing, err)
	}
	return d.Unreachable(doing, scanAll(answer, scan))
}

// Watch has every kept statement shown, with its parameters, before it is asked. It is for
// tests, and must not be called while anything is read.
func (d *DB) Watch(seen func(text string, parameters []any)) { d.watch = seen }

// parametrized is a text with ? for its arguments as one with $1, $2, … for its parameters:
// texts and numbers but for Counts, which stand in it. It reports false, with the text as
// it was, for arguments of another kind.
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
		if n, ok := argument.(Count); ok {
			b.WriteString(strconv.Itoa(int(n)))
			continue
		}
		switch value := reflect.ValueOf(argument); value.Kind() {
		case reflect.String:
			argument = value.String()
		case reflect.Int64:
			argument = value.Int()
		default:
			return text, nil, false
		}
		parameters = append(parameters, argument)
		b.WriteString("$" + strconv.Itoa(len(parameters)))
	}
	if strings.Contains(rest, "?") {
		return text, nil, false
	}
	b.WriteString(rest)
	return b.String(), parameters, true
}
