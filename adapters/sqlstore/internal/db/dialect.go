package db

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun/schema"
)

// Dialect is what differs between databases; everything else is written once.
type Dialect interface {
	// Bun is the dialect of bun's own query builder, for reads.
	Bun() schema.Dialect
	// LockWallets is the statement that locks the rows of players AS p with the
	// keys in {sent} (one column of UUIDs, wallet) in the order of their wallets until the
	// transaction ends and returns the columns, as they are under the lock, of those it locked:
	// with wait all that there are, without it those that nobody else has locked. It may
	// be one for each wallet. It is empty where a transaction that writes is alone anyway.
	LockWallets(columns string, wait bool) string
	// LockRows is what a query ends with that locks the rows of the table named so
	// until the transaction ends, in the order it returns them; empty where a
	// transaction that writes is alone anyway.
	LockRows(alias string) string
	// OneMoment is the level at which all statements of a transaction that only reads see
	// one moment.
	OneMoment() sql.IsolationLevel
	// Prepares reports that the driver prepares each statement by itself. Where it does not,
	// the store keeps its statements prepared, those of reads with parameters $1, $2, …
	Prepares() bool
	// Replan is the statement after which prepared statements are planned anew, by
	// the size that tables have now; empty where plans don't depend on it.
	Replan() string
	// ShortenLog keeps the database's log short where whoever writes has to see to it.
	// It is called on the writer's session before each transaction.
	ShortenLog(ctx context.Context, session *sql.Conn) error
	// Chunks splits a number of rows into the sizes that are sent at once, so that
	// there are only a few different statements.
	Chunks(rows int) []int
	// Sent is the table expression of so many sent rows with these columns, in
	// brackets and without an alias. Its parameters are the statement's only ones.
	Sent(columns []Column, rows int) string
	// ByID is the table expression, without an alias, of a table that may have
	// partitions, in which at least the rows with the id s.id are found.
	ByID(table string) string
	// ForEach joins, to each row of what stands before it in FROM, the ids that a query
	// finds for that row; the query names its one column id and may name the row's.
	// column is where the ids are. uuid says that they are kept as UUIDs.
	ForEach(query string, uuid bool) (join, column string)
	// ID is what stands for an id in a query's arguments where the column keeps UUIDs; see
	// the function ID for other texts.
	ID(text string) any
	// Parameters are the arguments for Sent.
	Parameters(columns []Column, rows [][]any) []any
	// Failure says what kind of failure an error of the database is.
	Failure(err error) Failure
	// Durable is the statement over {sent} (one text column, prefix) that makes of a
	// transaction, which otherwise changes nothing, one whose COMMIT waits as every
	// other does, until whatever was committed before is where commits have to be. It
	// is empty where no COMMIT waits for another machine.
	Durable() string
	// Clock is the expression of the moment by the database's own clock, in microseconds.
	Clock() string
	// Lanes is how many lanes writers share out among themselves by TakeLane; 0
	// where there is one writer, whose lane is in its options.
	Lanes() int
	// TakeLane takes a lane, from 1 to Lanes, for the life of the connection's
	// session, and reports false when another session has it.
	TakeLane(ctx context.Context, session *sql.Conn, lane int) (bool, error)
	// LanesTaken is the query over {sent} (one integer column, one) of the lanes that
	// sessions have; empty where there is one writer.
	LanesTaken() string
	// GiveLane gives a lane back.
	GiveLane(ctx context.Context, session *sql.Conn, lane int) error
	// NewestNumber is the greatest number that a block was given, whoever wrote it, as a
	// lane's session sees it; 0 before the first.
	NewestNumber(ctx context.Context, session *sql.Conn) (int64, error)
	// Origin is where the data of the server comes from, PostgreSQL's system identifier and
	// timeline; both are zero where there is no such thing.
	Origin(ctx context.Context, db *sql.DB) (system string, timeline int64, err error)
	// Batches names the transactions that have read the table control by a query with
	// LockRows, whether they locked a row of it or not, and have not ended. Where a
	// transaction that writes is alone, there is none.
	Batches(ctx context.Context, db *sql.DB) (names []string, err error)
	// AwaitBatches waits until all of these have ended that are there now.
	AwaitBatches(ctx context.Context, db *sql.DB) error
	// LockSchema waits until nobody else migrates and makes everybody else wait
	// until the one session of the pool ends.
	LockSchema(ctx context.Context, db *sql.DB) error
	// MakeMonths is a query that makes the partitions of rounds and transfers from
	// the month of a moment on, in microseconds, for a number of months, and
	// returns how many it made; empty where tables have no partitions.
	MakeMonths() string
	// MoveMonth is the statement that takes the month ?, written YYYY_MM, out of
	// the partitioned tables, or puts it back.
	MoveMonth(back bool) string
	// DroppedMonths is a query of the newest month, written YYYY_MM, that was taken out of
	// the partitioned tables and whose own tables are gone, null where there is none; empty
	// where tables have no partitions.
	DroppedMonths() string
	// CountTables is a query of how many tables of the schema have the name ?.
	CountTables() string
	// Holds is a query of what the schema holds, whoever made it: of each thing the kind,
	// of which "table", "view" and "function" have these words, and the name.
	Holds() string
	// Unsafe returns the settings of the server that would let a committed
	// transaction be lost, as "name=value".
	Unsafe(ctx context.Context, db *sql.DB) ([]string, error)
}

// MonthLayout is how a month is written in the names of its tables.
const MonthLayout = "2006_01"

// Spreader is a Dialect whose tables may be spread over machines by the keys of wallets.
type Spreader interface {
	// Spread reports whether they are.
	Spread() bool
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
	JSON // text that is a JSON value
	// UUID is the text of an id that is kept as 16 bytes; one that is no UUID is null.
	UUID
)

// Column is a column of sent rows.
type Column struct {
	Name string
	Type Type
}

// Failure is a kind of failure of a database.
type Failure uint8

// The failures that the writer tells apart.
const (
	// Broken is every failure that is none of the others.
	Broken Failure = iota
	// Constraint: a rule of the schema refused a row; nothing of the statement happened.
	Constraint
	// Contended: the transaction was rolled back and may be run again as a whole.
	Contended
	// Locked: another has a lock and did not give it up in time; nothing of the
	// statement happened.
	Locked
	// Fenced: another writer sealed the block of this number; as Contended.
	Fenced
	// Lost: the connection is gone, and with it a transaction that was not asked
	// to commit; as Contended, except at COMMIT.
	Lost
	// InDoubt: the database committed and may lose it again: it warned, or nobody saw
	// the end of its wait for a standby.
	InDoubt
)

// Again reports whether a batch that failed so before its commit may be run
// again as a whole.
func (f Failure) Again() bool { return f == Contended || f == Fenced || f == Lost }

// undone reports whether a COMMIT that failed so certainly took no effect.
func (f Failure) undone() bool { return f != Broken && f != Lost && f != InDoubt }
