package db

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"sync"

	"github.com/uptrace/bun"
)

// Query is a statement over sent rows, written once for every database. {sent} is replaced by the
// table expression of the rows, {rounds} by that of the rounds with their ids; values are always
// parameters. A query without {sent} runs once per row.
type Query struct {
	text    string
	columns []Column
	// changes: it changes existing rows. whole: it fails unless it writes as many rows as are
	// sent. alone: it runs once per row.
	changes, whole, alone bool
}

// NewQuery returns a query. Each column is a name, followed by ":int", ":bytes", ":bool", ":json"
// or ":uuid" if it isn't text.
func NewQuery(text string, columns ...string) *Query {
	q := &Query{text: text, columns: make([]Column, len(columns)), alone: text != "" && !strings.Contains(text, "{sent}")}
	for i, column := range columns {
		name, kind, _ := strings.Cut(column, ":")
		q.columns[i] = Column{Name: name, Type: columnTypes[kind]}
	}
	return q
}

var columnTypes = map[string]Type{"": Text, "int": Integer, "bytes": Bytes, "bool": Bool, "json": JSON, "uuid": UUID}

// names returns the columns as a list for a statement.
func (q *Query) names() string {
	all := make([]string, len(q.columns))
	for i, c := range q.columns {
		all[i] = c.Name
	}
	return strings.Join(all, ", ")
}

// Insert returns the query that inserts the sent rows into a table. after is the conflict clause.
func Insert(table, after string, columns ...string) *Query {
	q := NewQuery("", columns...)
	// "WHERE true" keeps SQLite from reading ON CONFLICT as a join's condition.
	q.text = "INSERT INTO " + table + " (" + q.names() + ") SELECT " + q.names() + " FROM {sent} AS s WHERE true " + after
	q.whole = !strings.Contains(after, "DO NOTHING")
	return q
}

// Change returns a query that changes one row per sent row.
func Change(text string, columns ...string) *Query {
	q := NewQuery(text, columns...)
	q.changes, q.whole = true, true
	return q
}

// statements are prepared once for each query and number of rows, unless the driver does that. A
// statement can't be prepared on the write connection during a transaction, so a missing one runs
// unprepared, is noted, and is prepared before the next transaction.
type statements struct {
	dialect Dialect
	mu      sync.Mutex
	texts   map[statement]string
	ready   map[statement]bun.Stmt
	missing map[statement]struct{}
}

type statement struct {
	query *Query
	rows  int
}

// of returns the statement for a number of rows; if the driver prepares, the text doesn't depend
// on it.
func (s *statements) of(q *Query, rows int) statement {
	if s.dialect.Prepares() {
		rows = 0
	}
	return statement{q, rows}
}

func (s *statements) text(which statement) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.texts[which]
	if !ok {
		if s.texts == nil {
			s.texts = map[statement]string{}
		}
		text = strings.NewReplacer(
			"{sent}", s.dialect.Sent(which.query.columns, which.rows), "{rounds}", s.dialect.ByID("rounds"),
		).Replace(which.query.text)
		if pipeliner, ok := s.dialect.(Pipeliner); ok && which.query.changes {
			text = pipeliner.Changing(text)
		}
		s.texts[which] = text
	}
	return text
}

func (s *statements) find(which statement) (bun.Stmt, bool) {
	if s.dialect.Prepares() {
		return bun.Stmt{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	prepared, ok := s.ready[which]
	if !ok {
		if s.missing == nil {
			s.missing = map[statement]struct{}{}
		}
		s.missing[which] = struct{}{}
	}
	return prepared, ok
}

func (s *statements) prepare(ctx context.Context, db *bun.DB) error {
	s.mu.Lock()
	missing := s.missing
	s.missing = nil
	s.mu.Unlock()
	for which := range missing {
		prepared, err := db.PrepareContext(ctx, s.text(which))
		if err != nil {
			return Wrap("prepare", err)
		}
		s.mu.Lock()
		if s.ready == nil {
			s.ready = map[statement]bun.Stmt{}
		}
		s.ready[which] = prepared
		s.mu.Unlock()
	}
	return nil
}

// Prepare prepares the statements that transactions were missing. It must not be called during a
// transaction of the caller.
func (d *DB) Prepare(ctx context.Context) error { return d.statements.prepare(ctx, d.Write) }

// exec runs the query on the rows and returns how many rows it wrote.
func (s *statements) exec(ctx context.Context, tx bun.Tx, q *Query, rows [][]any) (int64, error) {
	written := int64(0)
	for chunk := range s.chunks(q, rows) {
		which := s.of(q, len(chunk))
		parameters := s.dialect.Parameters(q.columns, chunk)
		result, err := func() (sql.Result, error) {
			if prepared, ok := s.find(which); ok {
				return tx.Tx.StmtContext(ctx, prepared.Stmt).ExecContext(ctx, parameters...) //nolint:sqlclosecheck // the transaction closes it
			}
			return tx.Tx.ExecContext(ctx, s.text(which), parameters...)
		}()
		if err != nil {
			return written, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, nil
}

// each runs the query on the rows and calls scan for each row of the result.
func (s *statements) each(ctx context.Context, tx bun.Tx, q *Query, rows [][]any, scan func(Row) error) error {
	for chunk := range s.chunks(q, rows) {
		which := s.of(q, len(chunk))
		parameters := s.dialect.Parameters(q.columns, chunk)
		answer, err := func() (*sql.Rows, error) {
			if prepared, ok := s.find(which); ok {
				return tx.Tx.StmtContext(ctx, prepared.Stmt).QueryContext(ctx, parameters...) //nolint:sqlclosecheck // the transaction closes it
			}
			return tx.Tx.QueryContext(ctx, s.text(which), parameters...)
		}()
		if err != nil {
			return err
		}
		if err := scanAll(answer, func(row *sql.Rows) error { return scan(row) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *statements) chunks(q *Query, rows [][]any) func(func([][]any) bool) {
	sizes := s.dialect.Chunks(len(rows))
	if q.alone {
		sizes = slices.Repeat([]int{1}, len(rows))
	}
	return func(yield func([][]any) bool) {
		for _, size := range sizes {
			if !yield(rows[:size]) {
				return
			}
			rows = rows[size:]
		}
	}
}
