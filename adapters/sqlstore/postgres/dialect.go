package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// dialect is PostgreSQL's side of db.Dialect. Rows are sent as one array a
// column (unnest), so that a statement's text is the same for any number of rows
// and stays prepared.
type dialect struct {
	// spread says that tables are spread over machines by the keys of wallets.
	spread bool
}

// Dialect is what sqlstore.New needs to know of PostgreSQL: for whoever makes the
// connections in another way than OpenPool and OpenDB, which must be pgx's and have the
// settings of those, and with Dialect.Bun for queries of one's own through bun.
func Dialect() db.Dialect { return dialect{} }

// Bun returns bun's dialect of PostgreSQL.
func (dialect) Bun() schema.Dialect { return pgdialect.New() }

// Spread implements db.Spreader.
func (d dialect) Spread() bool { return d.spread }

// LockWallets locks against other writers, not against foreign keys' checks. Where tables
// are spread over machines, one statement locks rows of one of them only.
func (d dialect) LockWallets(columns string, wait bool) string {
	text := "SELECT " + columns + ` FROM {sent} AS s JOIN players AS p ON p.key = s.wallet
		ORDER BY p.wallet FOR NO KEY UPDATE OF p`
	if d.spread {
		text = "SELECT " + columns + " FROM players AS p WHERE p.key = ($1::uuid[])[1] FOR NO KEY UPDATE OF p"
	}
	if !wait {
		text += " SKIP LOCKED"
	}
	return text
}

// LockRows locks against other writers.
func (dialect) LockRows(alias string) string { return " FOR NO KEY UPDATE OF " + alias }

// OneMoment keeps the snapshot of the first statement.
func (dialect) OneMoment() sql.IsolationLevel { return sql.LevelRepeatableRead }

// Clock is that of the server, as it is and not as the transaction began.
func (dialect) Clock() string { return "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint" }

// Prepares is true: pgx keeps each text prepared on its connection.
func (dialect) Prepares() bool { return true }

// Replan forgets generic plans, which would stay as they were made for tables
// that were still empty.
func (dialect) Replan() string { return "DISCARD PLANS" }

// ShortenLog does nothing: the server looks after its log.
func (dialect) ShortenLog(context.Context, *sql.Conn) error { return nil }

// Durable writes a message into the write-ahead log that nobody reads. A transaction
// without a row of its own doesn't wait for a synchronous standby, and one that only
// has a number neither.
func (dialect) Durable() string {
	return "SELECT pg_logical_emit_message(true, s.prefix, '') FROM {sent} AS s"
}

// chunkMax bounds what one statement takes; a batch has fewer rows of each kind.
const chunkMax = 4096

// Chunks splits only what is beyond chunkMax.
func (dialect) Chunks(rows int) []int {
	var chunks []int
	for ; rows > chunkMax; rows -= chunkMax {
		chunks = append(chunks, chunkMax)
	}
	if rows > 0 {
		chunks = append(chunks, rows)
	}
	return chunks
}

// arrayOf are the types of the arrays that columns are sent in.
var arrayOf = map[db.Type]string{
	db.Text: "text[]", db.Integer: "bigint[]", db.Bytes: "bytea[]", db.Bool: "boolean[]",
	db.JSON: "json[]", db.UUID: "uuid[]",
}

// Sent unnests one array for each column. The limit leaves nothing out: the
// planner, who can't know it, counts on very few rows, and so begins with them
// and finds the rest by its keys.
func (dialect) Sent(columns []db.Column, _ int) string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = fmt.Sprintf("unnest($%d::%s) AS %s", i+1, arrayOf[column.Type], column.Name)
	}
	return "(SELECT " + strings.Join(names, ", ") + " LIMIT cardinality($1))"
}

// ByID looks each id up by itself. A join would do where the planner knows how
// large a partition is, but the one of a month that has just begun looks empty to
// it, and as good to go through from end to end as to look into by a key. Where tables are
// spread over machines there is only the join.
func (d dialect) ByID(table string) string {
	if d.spread {
		return table
	}
	return "LATERAL (SELECT * FROM " + table + " AS one WHERE one.id = s.id OFFSET 0)"
}

// ForEach runs the query for each row.
func (dialect) ForEach(query string, _ bool) (join, column string) {
	return " CROSS JOIN LATERAL (" + query + ") AS found", "found.id"
}

// ID is the text of the UUID.
func (dialect) ID(text string) any {
	id := db.ID(text)
	return uuid.UUID(id).String()
}

// Parameters are one array for each column.
func (dialect) Parameters(columns []db.Column, rows [][]any) []any {
	all := make([]any, len(columns))
	for i, column := range columns {
		switch column.Type {
		case db.Integer:
			all[i] = integerColumn(rows, i)
		case db.Bytes:
			all[i] = columnArray[[]byte](rows, i)
		case db.UUID:
			all[i] = uuidColumn(rows, i)
		case db.Bool:
			all[i] = columnArray[bool](rows, i)
		default:
			all[i] = textColumn(rows, i)
		}
	}
	return all
}

// columnArray is a column none of whose values is null but by its own zero.
func columnArray[T any](rows [][]any, column int) []T {
	values := make([]T, len(rows))
	for i, row := range rows {
		if row[column] != nil {
			values[i] = row[column].(T)
		}
	}
	return values
}

// textColumn is a column of strings; those that are nil are null.
func textColumn(rows [][]any, column int) any {
	values := make([]string, len(rows))
	for i, row := range rows {
		value, ok := row[column].(string)
		if !ok {
			return orNull[string](rows, column)
		}
		values[i] = value
	}
	return values
}

// uuidColumn is a column of UUIDs; what is nil or none is null.
func uuidColumn(rows [][]any, column int) []pgtype.UUID {
	values := make([]pgtype.UUID, len(rows))
	for i, row := range rows {
		if text, _ := row[column].(string); db.IsID(text) {
			values[i] = pgtype.UUID{Bytes: db.ID(text), Valid: true}
		}
	}
	return values
}

// integerColumn is a column of numbers, int or int64; those that are nil are null.
func integerColumn(rows [][]any, column int) any {
	values := make([]int64, len(rows))
	for i, row := range rows {
		switch value := row[column].(type) {
		case int64:
			values[i] = value
		case int:
			values[i] = int64(value)
		default:
			return orNull[int64](rows, column)
		}
	}
	return values
}

func orNull[T any](rows [][]any, column int) []*T {
	values := make([]*T, len(rows))
	for i, row := range rows {
		if row[column] != nil {
			value := row[column].(T)
			values[i] = &value
		}
	}
	return values
}

// fences are the primary keys that keep two writers from sealing one block. What a block
// covers as events is numbered by it and written before it.
var fences = map[string]bool{"blocks_pkey": true, "ledger_events_pkey": true}

// byCode are the failures that a SQLSTATE says by itself; its class says the rest.
var byCode = map[string]db.Failure{
	"40001":  db.Contended, // serialization_failure
	"40P01":  db.Contended, // deadlock_detected
	readOnly: db.Contended, // read_only_sql_transaction: another server is the primary now
	"55P03":  db.Locked,    // lock_not_available, by lock_timeout
	"53300":  db.Lost,      // too_many_connections
	"57P01":  db.Lost,      // admin_shutdown
	"57P02":  db.Lost,      // crash_shutdown
	"57P03":  db.Lost,      // cannot_connect_now: starting or stopping
	"25P03":  db.Lost,      // idle_in_transaction_session_timeout
}

// constraintClass is the class of SQLSTATEs of rules that rows broke.
const constraintClass = "23"

// Failure reads the SQLSTATE, or what the driver says of the connection.
func (dialect) Failure(err error) db.Failure {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		if kind, known := byCode[said.Code]; known {
			return kind
		}
		switch {
		case fences[said.ConstraintName]:
			return db.Fenced
		case len(said.Code) == 5 && said.Code[:2] == constraintClass:
			return db.Constraint
		}
		return db.Broken
	}
	var network net.Error
	switch {
	case errors.Is(err, errInDoubt), errors.Is(err, errUnanswered):
		return db.InDoubt
	case errors.Is(err, pgx.ErrTxCommitRollback):
		return db.Contended
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return db.Broken
	case errors.Is(err, driver.ErrBadConn), pgconn.SafeToRetry(err), errors.Is(err, io.EOF), errors.Is(err, pgconn.ErrReadOnlyConnection),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.As(err, &network):
		return db.Lost
	}
	return db.Broken
}

// MakeMonths asks the function of the schema that may do it for the service.
func (dialect) MakeMonths() string { return "SELECT make_months(?, ?)" }

// DroppedMonths asks which of the months that were detached have no tables.
func (dialect) DroppedMonths() string {
	return `SELECT max(d.month) FROM detached_months AS d
		WHERE to_regclass(format('%I', 'rounds_' || d.month)) IS NULL OR to_regclass(format('%I', 'transfers_' || d.month)) IS NULL`
}

// MoveMonth asks the functions of the schema that its owner may call.
func (dialect) MoveMonth(back bool) string {
	if back {
		return "SELECT attach_month(?)"
	}
	return "SELECT detach_month(?)"
}
