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

// dialect implements db.Dialect for PostgreSQL. Rows are sent as one array per column (unnest),
// so that a statement's text is the same for any number of rows and stays prepared.
type dialect struct {
	// spread reports that the tables are distributed over several machines by wallet key.
	spread bool
}

// Dialect returns PostgreSQL's dialect for sqlstore.New. Use it when the connections are not made
// by OpenPool or OpenDB; they must be pgx's, with the settings of those. Use Dialect.Bun for
// queries of your own.
func Dialect() db.Dialect { return dialect{} }

// Bun returns bun's dialect of PostgreSQL.
func (dialect) Bun() schema.Dialect { return pgdialect.New() }

// Spread implements db.Spreader.
func (d dialect) Spread() bool { return d.spread }

// HoldBatches returns a lock that conflicts with the one that each batch takes before it reads the
// control state, and with those of short transactions. The coordinator keeps a transaction's locks
// until all machines have committed.
func (dialect) HoldBatches() string { return "LOCK TABLE guards IN EXCLUSIVE MODE" }

// TakeSnapshot returns a query that reads each machine, over one connection each: a further one
// would have a later snapshot.
func (dialect) TakeSnapshot() []string {
	return []string{"SET LOCAL citus.max_adaptive_executor_pool_size = 1", "SELECT count(*) FROM players WHERE wallet = ''"}
}

// LockWallets returns a statement that locks rows against other writers but not against foreign
// key checks. Where tables are spread over machines, one statement locks rows of one machine
// only.
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

// LockRows returns a clause that locks rows against other writers.
func (dialect) LockRows(alias string) string { return " FOR NO KEY UPDATE OF " + alias }

// OneMoment returns the level that keeps the snapshot of the first statement.
func (dialect) OneMoment() sql.IsolationLevel { return sql.LevelRepeatableRead }

// Clock returns an expression of the server's current time, not of the transaction's start.
func (dialect) Clock() string { return "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint" }

// Prepares returns true: pgx keeps each text prepared on its connection.
func (dialect) Prepares() bool { return true }

// Replan returns the statement that discards generic plans. Plans made while tables were empty
// would otherwise stay.
func (dialect) Replan() string { return "DISCARD PLANS" }

// ShortenLog does nothing: the server manages its own log.
func (dialect) ShortenLog(context.Context, *sql.Conn) error { return nil }

// EmptyLog does nothing: the server manages its own log.
func (dialect) EmptyLog(context.Context, *sql.DB, *sql.DB) error { return nil }

// Durable returns a statement that writes an empty message into the write-ahead log. A
// transaction that changed no row, or only drew a number from a sequence, doesn't wait for a
// synchronous standby otherwise.
func (dialect) Durable() string {
	return "SELECT pg_logical_emit_message(true, s.prefix, '') FROM {sent} AS s"
}

// chunkMax is the most rows one statement takes; a batch has fewer rows of each kind.
const chunkMax = 4096

// Chunks splits a number of rows above chunkMax.
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

// arrayOf maps column types to the array types they are sent in.
var arrayOf = map[db.Type]string{
	db.Text: "text[]", db.Integer: "bigint[]", db.Bytes: "bytea[]", db.Bool: "boolean[]",
	db.JSON: "json[]", db.UUID: "uuid[]",
}

// Sent returns an unnest of one array per column. The limit cuts off no row: because of it the
// planner, which can't know the number, expects very few rows, starts with them and finds the
// rest by key.
func (dialect) Sent(columns []db.Column, _ int) string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = fmt.Sprintf("unnest($%d::%s) AS %s", i+1, arrayOf[column.Type], column.Name)
	}
	return "(SELECT " + strings.Join(names, ", ") + " LIMIT cardinality($1))"
}

// ByID returns a subquery that looks up each id separately. A join works where the planner knows
// the size of each partition; it takes a month that has just begun for empty and scans it. Where
// tables are spread over machines, only the join is possible.
func (d dialect) ByID(table string) string {
	if d.spread {
		return table
	}
	return "LATERAL (SELECT * FROM " + table + " AS one WHERE one.id = s.id OFFSET 0)"
}

// ForEach returns a lateral join that runs the query for each row.
func (dialect) ForEach(query string, _ bool) (join, column string) {
	return " CROSS JOIN LATERAL (" + query + ") AS found", "found.id"
}

// ID returns the text of the UUID.
func (dialect) ID(text string) any {
	id := db.ID(text)
	return uuid.UUID(id).String()
}

// Parameters returns one array per column.
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

// columnArray returns the values of a column as a slice; a nil value becomes the zero value.
func columnArray[T any](rows [][]any, column int) []T {
	values := make([]T, len(rows))
	for i, row := range rows {
		if row[column] != nil {
			values[i] = row[column].(T)
		}
	}
	return values
}

// textColumn returns the strings of a column, with nil as null.
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

// uuidColumn returns the UUIDs of a column; nil and texts that are no UUID become null.
func uuidColumn(rows [][]any, column int) []pgtype.UUID {
	values := make([]pgtype.UUID, len(rows))
	for i, row := range rows {
		if text, _ := row[column].(string); db.IsID(text) {
			values[i] = pgtype.UUID{Bytes: db.ID(text), Valid: true}
		}
	}
	return values
}

// integerColumn returns the numbers of a column, int or int64, with nil as null.
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

// fences lists the primary keys that keep two writers from sealing the same block. A block's
// events have its number and are written before it.
var fences = map[string]bool{"blocks_pkey": true, "ledger_events_pkey": true}

// byCode maps SQLSTATEs to failures; other codes are judged by their class.
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

// constraintClass is the SQLSTATE class of integrity constraint violations.
const constraintClass = "23"

// connectionClass is the SQLSTATE class of connection exceptions: a coordinator reports with it
// that another machine can't be reached.
const connectionClass = "08"

// internalError is the SQLSTATE with which Citus reports rows that a worker refused in a COPY, that
// a worker was lost or ends, and that its own server ends. Only the text, which it doesn't translate, tells which.
const internalError = "XX000"

var byText = map[string]db.Failure{
	"failure on connection marked as essential":         db.Lost,
	"connection to the remote node":                     db.Lost,
	"postmaster":                                        db.Lost, // it was shut down, or its process was killed
	"terminating connection":                            db.Lost,
	"server closed the connection":                      db.Lost,
	"the database system is":                            db.Lost, // starting up, shutting down, or in recovery
	"the shared round takes no bets any more":           db.Contended,
	"an epoch began after the seed pair took its nonce": db.Contended,
	"duplicate key value violates unique constraint":    db.Constraint,
	"has not taken its nonce in this transaction":       db.Constraint,
}

func failureOf(text string) db.Failure {
	for part, failure := range byText {
		if strings.Contains(text, part) {
			return failure
		}
	}
	return db.Broken
}

// Failure classifies an error by its SQLSTATE, or by the driver's report on the connection.
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
		case len(said.Code) == 5 && said.Code[:2] == connectionClass:
			return db.Lost
		case said.Code == internalError:
			return failureOf(said.Message)
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

// MakeMonths calls the schema's function that may make partitions for the service's role.
func (dialect) MakeMonths() string { return "SELECT make_months(?, ?)" }

// DroppedMonths returns a query of the newest detached month without tables.
func (dialect) DroppedMonths() string {
	return `SELECT max(d.month) FROM detached_months AS d
		WHERE to_regclass(format('%I', 'rounds_' || d.month)) IS NULL OR to_regclass(format('%I', 'transfers_' || d.month)) IS NULL`
}

// MoveMonth calls the schema's functions that its owner may execute.
func (dialect) MoveMonth(back bool) string {
	if back {
		return "SELECT attach_month(?)"
	}
	return "SELECT detach_month(?)"
}
