package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var _ sqlstore.Streamer = dialect{}

// Stream asks the driver itself, which looks at the context before the first row only.
func (dialect) Stream(ctx context.Context, connection any, query string, scan func(sqlstore.Row) error) (err error) {
	driven, ok := connection.(driver.QueryerContext)
	if !ok {
		return sqlstore.ErrNoStream
	}
	answer, err := driven.QueryContext(ctx, query, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Close()) }()
	r := row(make([]driver.Value, len(answer.Columns())))
	for ctx.Err() == nil {
		switch err := answer.Next(r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := scan(r); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// row is a row as the driver has it.
type row []driver.Value

// Scan implements sqlstore.Row.
func (r row) Scan(into ...any) (err error) {
	if len(into) != len(r) {
		return fmt.Errorf("sqlite: %d columns are read into %d places", len(r), len(into))
	}
	for i, value := range r {
		switch v := value.(type) {
		case string:
			err = sqlstore.PutText(into[i], v)
		case int64:
			err = sqlstore.PutInteger(into[i], v)
		default:
			err = sqlstore.PutOther(into[i], v)
		}
		if err != nil {
			return fmt.Errorf("sqlite: column %d: %w", i, err)
		}
	}
	return nil
}
