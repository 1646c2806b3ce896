package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fault"
)

// rows asks the readers and calls scan for each row of the answer. Arguments are
// formatted by bun, whose escaping is the boundary against injection.
func (s *Store) rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	answer, err := s.read.QueryContext(ctx, text, arguments...)
	if err != nil {
		return s.asked(doing, err)
	}
	return s.asked(doing, scanAll(answer, scan))
}

// one asks the readers for a single row; none is a fault of kind NotFound that
// says what was looked for.
func (s *Store) one(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Row) error, missing *fault.Error) error {
	err := scan(s.read.QueryRowContext(ctx, text, arguments...))
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return s.asked(doing, err)
}

// conditions are what a list's rows must fulfil.
type conditions struct {
	texts     []string
	arguments []any
}

func (c *conditions) add(text string, argument any) {
	c.texts = append(c.texts, text)
	c.arguments = append(c.arguments, argument)
}

// equals narrows by a column unless the value is empty.
func (c *conditions) equals(column, value string) {
	if value != "" {
		c.add(column+" = ?", value)
	}
}

// with is the conditions and one more.
func (c conditions) with(text string, argument any) conditions {
	c.texts, c.arguments = slices.Clip(c.texts), slices.Clip(c.arguments)
	c.add(text, argument)
	return c
}

// where is the WHERE clause.
func (c *conditions) where() string {
	if len(c.texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.texts, " AND ")
}
