// Package db is what the SQL store knows of databases and nothing of casinos:
// dialects, statements over rows that are sent with them, transactions that send
// several at once, reads, values, and what went wrong.
//
// The store's other packages and its openers import it; it imports none of them.
package db

import (
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/uptrace/bun"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	// Write takes transactions that write, Read serves reads and can't write.
	Write, Read *bun.DB
	Dialect     Dialect
	places      places
	statements  statements
	prepared    sync.Map // reads as *sql.Stmt, by statement
	// follows is the clock that the store counts by instead of the database's.
	follows func() time.Time
	// watch is shown every kept statement; nil but in tests.
	watch   func(text string, parameters []any)
	closing sync.Once
	closed  error
}

// New makes a DB of two pools. It asks the database nothing.
func New(write, read *sql.DB, dialect Dialect) *DB {
	return &DB{
		Write: bun.NewDB(write, dialect.Bun()), Read: bun.NewDB(read, dialect.Bun()),
		Dialect: dialect, places: newPlaces(read), statements: statements{dialect: dialect},
	}
}

// Follow makes the store count by another clock than the database's own.
func (d *DB) Follow(clock func() time.Time) { d.follows = clock }

// Now makes of the database's moment the one that the store counts by.
func (d *DB) Now(database time.Time) time.Time {
	if d.follows != nil {
		return d.follows()
	}
	return database
}

// Close closes every connection.
func (d *DB) Close() error {
	d.closing.Do(func() { d.closed = errors.Join(d.Read.Close(), d.Write.Close()) })
	return d.closed
}
