package sqlstore

import "github.com/casino-service/casino/adapters/sqlstore/internal/db"

// What an opener's dialect is made of.
type (
	// Dialect is what differs between databases; everything else is written once.
	Dialect = db.Dialect
	// Spreader is a Dialect whose tables may be spread over machines by the keys of wallets.
	Spreader = db.Spreader

	// Pipeliner is a Dialect whose connections take several statements at once, so
	// that they cost one exchange with the server instead of one each.
	Pipeliner = db.Pipeliner
	// Keeper is a Dialect whose connections keep statements prepared when asked to.
	Keeper = db.Keeper
	// Statement is one of several that go to the database together, with the rows
	// that are sent with it.
	Statement = db.Statement
	// Row is a row of an answer, whichever library read it.
	Row = db.Row
	// Column is a column of sent rows.
	Column = db.Column
	// Type is the type of a column.
	Type = db.Type
	// Failure is a kind of failure of a database.
	Failure = db.Failure
)

// The types of columns.
const (
	Text    = db.Text
	Integer = db.Integer
	Bytes   = db.Bytes
	Bool    = db.Bool
	JSON    = db.JSON
	UUID    = db.UUID
)

// The failures that the writer tells apart.
const (
	Broken     = db.Broken
	Constraint = db.Constraint
	Contended  = db.Contended
	Locked     = db.Locked
	Fenced     = db.Fenced
	Lost       = db.Lost
	InDoubt    = db.InDoubt
)

// IsID reports whether a text is an id that a column of UUIDs may have.
func IsID(text string) bool { return db.IsID(text) }

// ID is the 16 bytes of an id, for dialects that keep them so; see db.ID.
func ID(text string) [16]byte { return db.ID(text) }
