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

// dialect implements db.Dialect for SQLite.
//
// Rows are sent as one VALUES list with a statement that stays prepared. A single JSON array through
// json_each was measured and takes three to four times as long for a row of twenty columns,
// because each column parses its row again.
type dialect struct{ log *writeAheadLog }

// Dialect returns SQLite's dialect for sqlstore.New and the file of that path. Use it when the
// connections are not made by OpenDB; use Dialect.Bun for queries of your own. Only one
// connection may write, in WAL mode and with transactions that begin IMMEDIATE.
func Dialect(path string) db.Dialect { return dialect{&writeAheadLog{path: path + "-wal"}} }

// Bun returns bun's dialect of SQLite.
func (dialect) Bun() schema.Dialect { return sqlitedialect.New() }

// LockWallets is empty: BEGIN IMMEDIATE on the one write connection locks every wallet at once.
func (dialect) LockWallets(string, bool) string { return "" }

// LockRows is empty: see LockWallets.
func (dialect) LockRows(string) string { return "" }

// OneMoment returns SQLite's default level: a transaction sees what was committed when it began
// to read.
func (dialect) OneMoment() sql.IsolationLevel { return sql.LevelDefault }

// Prepares returns false: the driver compiles a statement on each run, except those that the
// store prepares.
func (dialect) Prepares() bool { return false }

// Replan is empty: without statistics a plan depends on the schema alone.
func (dialect) Replan() string { return "" }

// ShortenLog restarts the write-ahead log when readers have kept it growing.
func (d dialect) ShortenLog(ctx context.Context, session *sql.Conn) error {
	return d.log.shortenLog(ctx, session)
}

// EmptyLog copies the write-ahead log into the file when the store closes.
func (d dialect) EmptyLog(ctx context.Context, readers, writers *sql.DB) error {
	return d.log.emptyLog(ctx, readers, writers)
}

// ForEach returns a join with the ids as one JSON array per row: in SQLite only table-valued
// functions may refer to earlier tables in FROM. JSON has no bytes, so UUIDs are written as hex.
func (dialect) ForEach(query string, uuid bool) (join, column string) {
	if uuid {
		return " CROSS JOIN json_each((SELECT json_group_array(hex(id)) FROM (" + query + "))) AS found", "unhex(found.value)"
	}
	return " CROSS JOIN json_each((SELECT json_group_array(id) FROM (" + query + "))) AS found", "found.value"
}

// Durable is empty: a committed transaction is in the file.
func (dialect) Durable() string { return "" }

// Clock returns the machine's clock: every process with the file open is on this machine.
func (dialect) Clock() string { return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

// Lanes is 0: there is one writer at a time.
func (dialect) Lanes() int { return 0 }

// TakeLane is never called.
func (dialect) TakeLane(context.Context, *sql.Conn, int) (bool, error) { return false, nil }

// GiveLane is never called.
func (dialect) GiveLane(context.Context, *sql.Conn, int) error { return nil }

// Origin is empty: a file doesn't record where it was copied from.
func (dialect) Origin(context.Context, *sql.DB) (system string, timeline int64, err error) {
	return "", 0, nil
}

// NewestNumber is never called.
func (dialect) NewestNumber(context.Context, *sql.Conn) (int64, error) { return 0, nil }

// LanesTaken is empty: there is one writer.
func (dialect) LanesTaken() string { return "" }

// Batches is empty: a transaction that writes is alone.
func (dialect) Batches(context.Context, *sql.DB) ([]string, error) { return nil, nil }

// AwaitBatches has nothing to wait for.
func (dialect) AwaitBatches(context.Context, *sql.DB) error { return nil }

// LockSchema does nothing: each migration is an exclusive transaction, and running one that
// another process has just run changes nothing.
func (dialect) LockSchema(context.Context, *sql.DB) error { return nil }

// MakeMonths is empty: tables have no partitions.
func (dialect) MakeMonths() string { return "" }

// DroppedMonths is empty: tables have no partitions.
func (dialect) DroppedMonths() string { return "" }

// MoveMonth is empty: tables have no partitions.
func (dialect) MoveMonth(bool) string { return "" }

// CountTables queries SQLite's schema table.
func (dialect) CountTables() string {
	return "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
}

// Holds queries SQLite's schema table.
func (dialect) Holds() string {
	return "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
}

// Unsafe is empty: the opener sets what makes commits durable on each connection.
func (dialect) Unsafe(context.Context, *sql.DB) ([]string, error) { return nil, nil }

// chunkSizes are the numbers of rows for which a statement is prepared. The largest, with the
// widest row, stays far below SQLite's limit of 32,766 parameters.
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

// Sent names the columns of a VALUES list, which SQLite calls column1, column2, …. UUID columns
// are written as expressions: otherwise SQLite builds an automatic index on the sent rows,
// searches that by bytes, and scans a whole table to do so.
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

// ByID returns the table: its rows are found by their key.
func (dialect) ByID(table string) string { return table }

// ID returns the UUID's bytes.
func (dialect) ID(text string) any {
	id := db.ID(text)
	return id[:]
}

// Parameters returns the values row by row.
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

// Failure classifies an error by SQLite's result code.
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
