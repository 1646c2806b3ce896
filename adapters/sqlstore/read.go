package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// rows asks the readers and calls scan for each row of the answer. Arguments are
// formatted by bun, whose escaping is the boundary against injection.
func (s *Store) rows(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Rows) error) error {
	answer, err := s.read.QueryContext(ctx, text, arguments...)
	if err != nil {
		return wrap(doing, err)
	}
	return wrap(doing, scanAll(answer, scan))
}

// one asks the readers for a single row; none is a fault of kind NotFound that
// says what was looked for.
func (s *Store) one(ctx context.Context, doing, text string, arguments []any, scan func(*sql.Row) error, missing *fault.Error) error {
	err := scan(s.read.QueryRowContext(ctx, text, arguments...))
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return wrap(doing, err)
}

// known is like one for a query that is kept prepared on the readers' connections.
func (s *Store) known(ctx context.Context, doing string, q *query, row []any, scan func(*sql.Row) error, missing *fault.Error) error {
	prepared, err := s.preparedRead(ctx, q)
	if err != nil {
		return wrap(doing, err)
	}
	err = scan(prepared.QueryRowContext(ctx, s.dialect.Parameters(q.columns, [][]any{row})...))
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	return wrap(doing, err)
}

// preparedRead prepares a query of one row once; closing the store closes it.
func (s *Store) preparedRead(ctx context.Context, q *query) (*sql.Stmt, error) {
	if prepared, ok := s.reads.Load(q); ok {
		return prepared.(*sql.Stmt), nil
	}
	prepared, err := s.read.DB.PrepareContext(ctx, s.statements.text(statement{q, 1}))
	if err != nil {
		return nil, err
	}
	if earlier, ok := s.reads.LoadOrStore(q, prepared); ok {
		return earlier.(*sql.Stmt), prepared.Close()
	}
	return prepared, nil
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

// between narrows by a moment, from inclusive, to exclusive; zero times don't.
func (c *conditions) between(column string, from, to time.Time) {
	if !from.IsZero() {
		c.add(column+" >= ?", micros(from))
	}
	if !to.IsZero() {
		c.add(column+" < ?", micros(to))
	}
}

// where is the WHERE clause.
func (c *conditions) where() string {
	if len(c.texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.texts, " AND ")
}

// list is a list of things with ids: from is its FROM clause, id its id column.
type list struct {
	columns, from, id string
	conditions
}

// listed asks for one page, newest first. It costs no more than the page and a
// count that stops at TotalMax. scan is called for each row and returns its id.
func (s *Store) listed(ctx context.Context, doing string, l list, page ports.Page, scan func(*sql.Rows) (string, error)) (ports.PageInfo, error) {
	var info ports.PageInfo
	if !page.Uncounted {
		counted, err := s.counted(ctx, l)
		if err != nil {
			return info, wrap(doing, err)
		}
		info.Total, info.Capped = min(counted, ports.TotalMax), counted > ports.TotalMax
	}
	skip := 0
	if page.After == "" {
		if page.Number > ports.TotalMax || !page.Uncounted && (page.Number-1)*page.Limit >= info.Total {
			return info, nil
		}
		skip = (page.Number - 1) * page.Limit
	} else {
		l.add(l.id+" < ?", page.After)
	}
	text := "SELECT " + l.columns + " FROM " + l.from + l.where() + " ORDER BY " + l.id + " DESC LIMIT ? OFFSET ?"
	found, last := 0, ""
	err := s.rows(ctx, doing, text, append(l.arguments, page.Limit+1, skip), func(row *sql.Rows) error {
		if found++; found > page.Limit {
			info.Next = last
			return nil
		}
		id, err := scan(row)
		last = id
		return err
	})
	return info, err
}

// counted counts a list, up to one more than TotalMax.
func (s *Store) counted(ctx context.Context, l list) (n int, err error) {
	text := "SELECT count(*) FROM (SELECT 1 FROM " + l.from + l.where() + " LIMIT ?) AS counted"
	arguments := append(slices.Clip(l.arguments), ports.TotalMax+1)
	return n, s.read.QueryRowContext(ctx, text, arguments...).Scan(&n)
}
