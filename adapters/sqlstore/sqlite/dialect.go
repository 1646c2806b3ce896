package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	engine "modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// dialect is SQLite's side of db.Dialect.
//
// Rows are sent as one VALUES list whose statement stays prepared. A single JSON
// array through json_each was measured beside it and takes three to four times
// as long for a row of twenty columns: each column parses its row again.
type dialect struct{ log *writeAheadLog }

// Dialect is what sqlstore.New needs to know of SQLite, for the file of that path: for
// whoever makes the connections in another way than OpenDB, and with Dialect.Bun for
// queries of one's own through bun. One connection must be the only one that writes, in
// WAL mode and with transactions that begin IMMEDIATE.
func Dialect(path string) db.Dialect { return dialect{&writeAheadLog{path: path + "-wal"}} }

// Bun returns bun's dialect of SQLite.
func (dialect) Bun() schema.Dialect { return sqlitedialect.New() }

// LockWallets is empty: BEGIN IMMEDIATE on the one writing connection locks
// every wallet at once.
func (dialect) LockWallets(string, bool) string { return "" }

// LockRows is empty: see LockWallets.
func (dialect) LockRows(string) string { return "" }

// OneMoment is SQLite's own level: a transaction sees what was committed when it began to
// read.
func (dialect) OneMoment() sql.IsolationLevel { return sql.LevelDefault }

// Prepares is false: the driver compiles a statement each time it is run, but for those that
// the store prepares.
func (dialect) Prepares() bool { return false }

// Replan is empty: without statistics a plan depends on the schema alone.
func (dialect) Replan() string { return "" }

// ShortenLog starts the write-ahead log over where readers have kept it growing.
func (d dialect) ShortenLog(ctx context.Context, session *sql.Conn) error {
	return d.log.shortenLog(ctx, session)
}

// ForEach has the ids as one JSON array for each row: only functions that are tables
// may look at the tables before them. JSON has no bytes, so that UUIDs are in it as hex.
func (dialect) ForEach(query string, uuid bool) (join, column string) {
	if uuid {
		return " CROSS JOIN json_each((SELECT json_group_array(hex(id)) FROM (" + query + "))) AS found", "unhex(found.value)"
	}
	return " CROSS JOIN json_each((SELECT json_group_array(id) FROM (" + query + "))) AS found", "found.value"
}

// Durable is empty: what is committed is in the file.
func (dialect) Durable() string { return "" }

// Clock is that of the machine: whoever opens the file is on it.
func (dialect) Clock() string { return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

// Lanes is 0: there is one writer at a time.
func (dialect) Lanes() int { return 0 }

// TakeLane is never asked for.
func (dialect) TakeLane(context.Context, *sql.Conn, int) (bool, error) { return false, nil }

// GiveLane is never asked for.
func (dialect) GiveLane(context.Context, *sql.Conn, int) error { return nil }

// Origin is empty: a file says nothing of where it was copied from.
func (dialect) Origin(context.Context, *sql.DB) (system string, timeline int64, err error) {
	return "", 0, nil
}

// NewestNumber is never asked for.
func (dialect) NewestNumber(context.Context, *sql.Conn) (int64, error) { return 0, nil }

// LanesTaken is nothing: there is one writer.
func (dialect) LanesTaken() string { return "" }

// Batches are none: whoever wrote last was alone.
func (dialect) Batches(context.Context, *sql.DB) ([]string, error) { return nil, nil }

// AwaitBatches has nothing to wait for.
func (dialect) AwaitBatches(context.Context, *sql.DB) error { return nil }

// LockSchema does nothing: each migration is a transaction, which is alone, and
// one that another process has just run changes nothing when it runs again.
func (dialect) LockSchema(context.Context, *sql.DB) error { return nil }

// MakeMonths is empty: tables have no partitions.
func (dialect) MakeMonths() string { return "" }

// DroppedMonths is empty: tables have no partitions.
func (dialect) DroppedMonths() string { return "" }

// MoveMonth is empty: tables have no partitions.
func (dialect) MoveMonth(bool) string { return "" }

// CountTables asks SQLite's own list.
func (dialect) CountTables() string {
	return "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
}

// Holds asks SQLite's own list.
func (dialect) Holds() string {
	return "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
}

// Unsafe is empty: the opener sets what makes commits durable on each connection.
func (dialect) Unsafe(context.Context, *sql.DB) ([]string, error) { return nil, nil }

// chunkSizes are the numbers of rows that a statement is prepared for. The
// largest times the widest row stays far below SQLite's 32,766 parameters.
var chunkSizes = [...]int{64, 32, 16, 8, 4, 2, 1}

// Chunks splits a number of rows into the largest sizes that fit.
func (dialect) Chunks(rows int) []int {
	var chunks []int
	for _, size := range chunkSizes {
		for ; rows >= size; rows -= size {
			chunks = append(chunks, size)
		}
	}
	return chunks
}

// Sent names the columns of a VALUES list, which SQLite calls column1, column2, …. Columns
// of UUIDs are expressions: an index that SQLite makes of the sent rows for the length of a
// statement would be found by bytes, and it would read a whole table to use it.
func (dialect) Sent(columns []db.Column, rows int) string {
	var text strings.Builder
	text.WriteString("(SELECT ")
	for i, column := range columns {
		if i > 0 {
			text.WriteString(", ")
		}
		if column.Type == db.UUID {
			text.WriteString("+")
		}
		text.WriteString("column" + strconv.Itoa(i+1) + " AS " + column.Name)
	}
	text.WriteString(" FROM (VALUES ")
	row := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	text.WriteString(strings.Repeat(row+", ", rows-1) + row + "))")
	return text.String()
}

// ByID is the table: its rows are found by their key.
func (dialect) ByID(table string) string { return table }

// ID is the UUID's bytes.
func (dialect) ID(text string) any {
	id := db.ID(text)
	return id[:]
}

// Parameters are the values row by row.
func (d dialect) Parameters(columns []db.Column, rows [][]any) []any {
	all := make([]any, 0, len(columns)*len(rows))
	for _, row := range rows {
		all = append(all, row...)
	}
	for i, column := range columns {
		if column.Type != db.UUID {
			continue
		}
		for at := i; at < len(all); at += len(columns) {
			text, _ := all[at].(string)
			if all[at] = nil; db.IsID(text) {
				all[at] = d.ID(text)
			}
		}
	}
	return all
}

// Failure reads SQLite's result code.
func (dialect) Failure(err error) db.Failure {
	var failure *engine.Error
	if !errors.As(err, &failure) {
		return db.Broken
	}
	switch failure.Code() & 0xff {
	case code.SQLITE_CONSTRAINT:
		return db.Constraint
	case code.SQLITE_BUSY, code.SQLITE_LOCKED:
		return db.Contended
	}
	return db.Broken
}
