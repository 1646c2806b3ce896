package db

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun/schema"
)

// Dialect is everything that differs between databases.
type Dialect interface {
	// Bun returns bun's own dialect, for its query builder.
	Bun() schema.Dialect
	// LockWallets returns the statement that locks the rows of players AS p with the keys in
	// {sent} (one column of UUIDs, wallet) in wallet order until the transaction ends, and
	// returns their columns as they are under the lock. With wait it locks all that exist, else
	// those that no other transaction has locked. It may run once per wallet. It is empty where a
	// transaction that writes is alone anyway.
	LockWallets(columns string, wait bool) string
	// LockRows returns the end of a query that locks the rows of the table with this alias until
	// the transaction ends, in result order; empty where a transaction that writes is alone
	// anyway.
	LockRows(alias string) string
	// OneMoment returns the isolation level at which all statements of a read-only transaction
	// see the same snapshot.
	OneMoment() sql.IsolationLevel
	// Prepares reports that the driver prepares each statement by itself. If not, the store keeps
	// its statements prepared, those of reads with parameters $1, $2, …
	Prepares() bool
	// Replan returns the statement that makes prepared statements be planned anew for the current
	// table sizes; empty where plans don't depend on them.
	Replan() string
	// ShortenLog keeps the database's log short where the writer must do that. It is called on
	// the writer's session before each transaction.
	ShortenLog(ctx context.Context, session *sql.Conn) error
	// EmptyLog waits for running reads, then checkpoints SQLite's write-ahead log into the
	// database file. On PostgreSQL it does nothing. Call it after closing the readers' pool and
	// before closing the writers' pool.
	EmptyLog(ctx context.Context, readers, writers *sql.DB) error
	// Chunks splits a number of rows into the sizes that are sent at once, so that there are few
	// different statements.
	Chunks(rows int) []int
	// Sent returns the table expression of this many sent rows with these columns, in brackets
	// and without an alias. Its parameters are the statement's only ones.
	Sent(columns []Column, rows int) string
	// ByID returns the table expression, without an alias, of a table that may have partitions.
	// It contains at least the rows with the id s.id.
	ByID(table string) string
	// ForEach joins, to each row before it in FROM, the ids that a query returns for that row.
	// The query names its one column id and may refer to the row. column is the expression of the
	// ids. uuid says that they are stored as UUIDs.
	ForEach(query string, uuid bool) (join, column string)
	// ID returns an id as a query argument where the column has UUIDs; see the function ID for
	// texts that are no UUID.
	ID(text string) any
	// Parameters returns the arguments for Sent.
	Parameters(columns []Column, rows [][]any) []any
	// Failure classifies an error of the database.
	Failure(err error) Failure
	// Durable returns a statement over {sent} (one text column, prefix) that makes the COMMIT of
	// an otherwise unchanged transaction wait, as every other does, until earlier commits are
	// durable. It is empty where no COMMIT waits for another machine.
	Durable() string
	// Clock returns the expression of the database's current time, in microseconds.
	Clock() string
	// Lanes returns how many lanes writers share by TakeLane; 0 where there is one writer, which
	// has its lane from its options.
	Lanes() int
	// TakeLane takes a lane, from 1 to Lanes, until the session ends, and reports false when
	// another session has it.
	TakeLane(ctx context.Context, session *sql.Conn, lane int) (bool, error)
	// LanesTaken returns the query over {sent} (one integer column, one) of the lanes that
	// sessions have; empty where there is one writer.
	LanesTaken() string
	// GiveLane releases a lane.
	GiveLane(ctx context.Context, session *sql.Conn, lane int) error
	// NewestNumber returns the greatest number given to a block by any writer, as a lane's
	// session sees it; 0 before the first.
	NewestNumber(ctx context.Context, session *sql.Conn) (int64, error)
	// Origin returns PostgreSQL's system identifier and timeline; both are zero on other
	// databases.
	Origin(ctx context.Context, db *sql.DB) (system string, timeline int64, err error)
	// Batches names the open transactions that have read the table control by a query with
	// LockRows, even if they locked no row of it. It is empty where a transaction that writes is
	// alone.
	Batches(ctx context.Context, db *sql.DB) (names []string, err error)
	// AwaitBatches waits until all transactions that Batches would return now have ended.
	AwaitBatches(ctx context.Context, db *sql.DB) error
	// LockSchema waits until no other process migrates, and makes others wait until the one
	// session of the pool ends.
	LockSchema(ctx context.Context, db *sql.DB) error
	// MakeMonths returns a query that makes the partitions of rounds and transfers for a number
	// of months, beginning with the month of a time in microseconds, and returns how many it
	// made; empty where tables have no partitions.
	MakeMonths() string
	// MoveMonth returns the statement that detaches the month ?, written YYYY_MM, from the
	// partitioned tables, or attaches it again.
	MoveMonth(back bool) string
	// DroppedMonths returns a query of the newest detached month, written YYYY_MM, whose tables
	// are gone, null if there is none; empty where tables have no partitions.
	DroppedMonths() string
	// CountTables returns a query of how many tables of the schema have the name ?.
	CountTables() string
	// Holds returns a query of the objects in the schema, by any owner: the kind ("table",
	// "view", "function" or another word) and the name of each.
	Holds() string
	// Unsafe returns the server's settings that would let a committed transaction be lost, as
	// "name=value".
	Unsafe(ctx context.Context, db *sql.DB) ([]string, error)
}

// MonthLayout is the layout of a month in table names.
const MonthLayout = "2006_01"

// Spreader is a Dialect with tables that may be spread over machines by wallet key.
type Spreader interface {
	// Spread reports whether they are.
	Spread() bool
	// HoldBatches returns a statement that waits for current batches and keeps others from
	// beginning until its transaction ends.
	HoldBatches() string
	// TakeSnapshot returns the first statements of a transaction, after which it sees the same
	// snapshot on all machines if no batch commits meanwhile.
	TakeSnapshot() []string
}

// IsSpread reports whether the dialect's tables are spread over machines.
func IsSpread(d Dialect) bool {
	s, ok := d.(Spreader)
	return ok && s.Spread()
}

// Type is the type of a column.
type Type uint8

// The types of columns.
const (
	Text Type = iota
	Integer
	Bytes
	Bool
	JSON // text with a JSON value
	// UUID is the text of an id that is stored as 16 bytes; a text that is no UUID is null.
	UUID
)

// Column is a column of sent rows.
type Column struct {
	Name string
	Type Type
}

// Failure is a kind of failure of a database.
type Failure uint8

// The failures that the writer distinguishes.
const (
	// Broken is every other failure.
	Broken Failure = iota
	// Constraint: the schema refused a row; the statement had no effect.
	Constraint
	// Contended: the transaction was rolled back and may be run again as a whole.
	Contended
	// Locked: another transaction kept a lock for too long; the statement had no effect.
	Locked
	// Fenced: another writer sealed the block of this number; run again as for Contended.
	Fenced
	// Lost: the connection is gone, and its transaction with it. Run again as for Contended,
	// except after COMMIT was sent.
	Lost
	// InDoubt: the database committed and may lose it again: it warned, or didn't answer while it
	// waited for a standby.
	InDoubt
)

// Again reports whether a batch with this failure before its commit may be run again as a whole.
func (f Failure) Again() bool { return f == Contended || f == Fenced || f == Lost }

// undone reports whether a COMMIT with this failure certainly had no effect.
func (f Failure) undone() bool { return f != Broken && f != Lost && f != InDoubt }
