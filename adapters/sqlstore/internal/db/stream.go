package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
)

// Streamer is a Dialect whose connections answer without database/sql between: it costs
// more than what is done with a row where millions are read.
type Streamer interface {
	// Stream asks on the connection of a session, as sql.Conn.Raw hands it out, and calls
	// scan for each row of the answer, which is good until scan returns. It returns
	// ErrNoStream, having asked nothing, for a connection of another kind.
	Stream(ctx context.Context, connection any, query string, scan func(Row) error) error
}

// ErrNoStream says that a connection can't be streamed from.
var ErrNoStream = errors.New("a connection that can't be streamed from")

// Stream is Rows for answers of very many rows.
func (d *DB) Stream(ctx context.Context, doing, text string, arguments []any, scan func(Row) error) error {
	if streamer, ok := d.Dialect.(Streamer); ok {
		if err := d.streamFrom(ctx, streamer, doing, d.Read.QueryGen().FormatQuery(text, arguments...), scan); !errors.Is(err, ErrNoStream) {
			return err
		}
	}
	return d.Rows(ctx, doing, text, arguments, func(row *sql.Rows) error { return scan(row) })
}

func (d *DB) streamFrom(ctx context.Context, streamer Streamer, doing, query string, scan func(Row) error) error {
	leave, err := d.places.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	session, err := d.Read.DB.Conn(ctx)
	if err != nil {
		return d.Unreachable(doing, err)
	}
	err = session.Raw(func(connection any) error { return streamer.Stream(ctx, connection, query, scan) })
	return d.Unreachable(doing, errors.Join(err, session.Close()))
}

// TextScanner and IntegerScanner are what a column is read into that makes something
// else of its text or integer.
type (
	TextScanner    interface{ ScanText(text string) error }
	IntegerScanner interface{ ScanInteger(v int64) error }
)

// PutText puts a text into the place of a column, as database/sql would.
func PutText(into any, text string) error {
	switch place := into.(type) {
	case *string:
		*place = text
		return nil
	case TextScanner:
		return place.ScanText(text)
	case interface{ Scan(any) error }:
		return place.Scan(text)
	case *[]byte:
		*place = []byte(text)
		return nil
	}
	if place := reflect.ValueOf(into); place.Kind() == reflect.Pointer && place.Elem().Kind() == reflect.String {
		place.Elem().SetString(text)
		return nil
	}
	return fmt.Errorf("a text can't be read into a %T", into)
}

// PutInteger puts an integer into the place of a column.
func PutInteger(into any, v int64) error {
	switch place := into.(type) {
	case *int64:
		*place = v
		return nil
	case IntegerScanner:
		return place.ScanInteger(v)
	case interface{ Scan(any) error }:
		return place.Scan(v)
	case *bool:
		if v == 0 || v == 1 {
			*place = v == 1
			return nil
		}
	}
	if place := reflect.ValueOf(into); place.Kind() == reflect.Pointer {
		switch whole := place.Elem(); {
		case whole.CanInt() && !whole.OverflowInt(v):
			whole.SetInt(v)
			return nil
		case whole.CanUint() && v >= 0 && !whole.OverflowUint(uint64(v)):
			whole.SetUint(uint64(v))
			return nil
		}
	}
	return fmt.Errorf("%d can't be read into a %T", v, into)
}

// PutOther puts what is neither a text nor an integer into the place of a column.
func PutOther(into, v any) error {
	switch place := into.(type) {
	case *bool:
		if v, ok := v.(bool); ok {
			*place = v
			return nil
		}
	case *[]byte:
		if raw, ok := v.([]byte); ok || v == nil {
			*place = raw
			return nil
		}
	case interface{ Scan(any) error }:
		return place.Scan(v)
	}
	return fmt.Errorf("a %T can't be read into a %T", v, into)
}
