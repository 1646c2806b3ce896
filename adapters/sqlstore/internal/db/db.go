// Package db is what the SQL store knows of databases and nothing of casinos:
// dialects, statements over rows that are sent with them, transactions that send
// several at once, reads, values, and what went wrong.
//
// The store's other packages and its openers import it; it imports none of them.
package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	// Write takes transactions that write, Read serves reads and can't write.
	Write, Read *bun.DB
	Dialect     Dialect
	places      places
	statements  statements
	prepared    sync.Map     // reads as *sql.Stmt, by statement or, of those that are kept, by text
	kept        atomic.Int64 // how many they are
	// follows is the clock that the store counts by instead of the database's.
	follows func() time.Time
	// observers are told of every question to the readers; bun has them too, and tells them
	// of those that go through it.
	observers []bun.QueryHook
	closing   sync.Once
	closed    error
}

// New makes a DB of two pools; fields set how fields of models are kept. It asks the database
// nothing.
func New(write, read *sql.DB, dialect Dialect, fields ...func(Dialect, *schema.Table)) *DB {
	return &DB{
		Write: bun.NewDB(write, newModelDialect(dialect, fields)), Read: bun.NewDB(read, newModelDialect(dialect, fields)),
		Dialect: dialect, places: newPlaces(read), statements: statements{dialect: dialect},
	}
}

// Observe has hooks told of every statement and of every question to the readers. It must not
// be called while anything is asked.
func (d *DB) Observe(write, read bun.QueryHook) {
	d.Write = d.Write.WithQueryHook(write)
	d.ObserveReads(read)
}

// ObserveReads is Observe for the readers alone.
func (d *DB) ObserveReads(hook bun.QueryHook) {
	d.Read, d.observers = d.Read.WithQueryHook(hook), append(d.observers, hook)
}

// observed asks what bun is not asked, and tells the hooks. When an event began is theirs to
// say.
func (d *DB) observed(ctx context.Context, text string, parameters []any, ask func(context.Context) (*sql.Rows, error)) (*sql.Rows, error) {
	if len(d.observers) == 0 {
		return ask(ctx)
	}
	event := &bun.QueryEvent{DB: d.Read, Query: text, QueryTemplate: text, QueryArgs: parameters}
	for _, hook := range d.observers {
		ctx = hook.BeforeQuery(ctx, event)
	}
	answer, err := ask(ctx)
	event.Err = err
	for _, hook := range slices.Backward(d.observers) {
		hook.AfterQuery(ctx, event)
	}
	return answer, err
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
