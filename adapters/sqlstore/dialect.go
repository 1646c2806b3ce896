package sqlstore

import "github.com/uptrace/bun/schema"

// Dialect is what differs between databases; everything else is written once.
type Dialect interface {
	// Bun is the dialect of bun's own query builder, for reads.
	Bun() schema.Dialect
	// LockWallets are the statements that lock the players' rows of the wallets
	// in {sent} (one text column, wallet) in their order until the transaction
	// ends, making rows that are missing. There are none where a transaction that
	// writes is alone anyway.
	LockWallets() []string
	// Chunks splits a number of rows into the sizes that are sent at once, so that
	// there are only a few different statements.
	Chunks(rows int) []int
	// Sent is the table expression of so many sent rows with these columns, in
	// brackets and without an alias. Its parameters are the statement's only ones.
	Sent(columns []Column, rows int) string
	// Parameters are the arguments for Sent.
	Parameters(columns []Column, rows [][]any) []any
	// Failure says what kind of failure an error of the database is.
	Failure(err error) Failure
}

// Type is the type of a column.
type Type uint8

// The types of columns.
const (
	Text Type = iota
	Integer
	Bytes
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
)
