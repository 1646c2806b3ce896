// Package db is the SQL store's database layer, without knowledge of the casino: dialects,
// statements over sent rows, transactions that send several statements at once, reads, values and
// kinds of failure.
//
// The store's other packages and its openers import it; it imports no package of the store.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	// Write is the pool for transactions that write, Read the one for reads; it can't write.
	Write, Read *bun.DB
	Dialect     Dialect
	places      places
	statements  statements
	prepared    sync.Map     // *sql.Stmt of reads, by statement or, for kept ones, by text
	kept        atomic.Int64 // number of kept statements
	// follows replaces the database's clock if it is set.
	follows func() time.Time
	// observers are called for every read; bun has them too, and calls them for queries that go
	// through bun.
	observers []bun.QueryHook
	closing   sync.Once
	closed    error
}

// New makes a DB of two pools; fields set how model fields are stored. It doesn't access the
// database.
func New(write, read *sql.DB, dialect Dialect, fields ...func(Dialect, *schema.Table)) *DB {
	return &DB{
		Write: bun.NewDB(write, newModelDialect(dialect, fields)), Read: bun.NewDB(read, newModelDialect(dialect, fields)),
		Dialect: dialect, places: newPlaces(read), statements: statements{dialect: dialect},
	}
}

// Observe adds hooks for every statement and every read. It must not be called while a query
// runs.
func (d *DB) Observe(write, read bun.QueryHook) {
	d.Write = d.Write.WithQueryHook(write)
	d.ObserveReads(read)
}

// ObserveReads is Observe for reads alone.
func (d *DB) ObserveReads(hook bun.QueryHook) {
	d.Read, d.observers = d.Read.WithQueryHook(hook), append(d.observers, hook)
}

// observed runs a query outside bun and calls the hooks, which must take the start time
// themselves.
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

// Follow makes the store use a clock instead of the database's own.
func (d *DB) Follow(clock func() time.Time) { d.follows = clock }

// Now returns the current time, given the database's: that of the clock set by Follow, if any.
func (d *DB) Now(database time.Time) time.Time {
	if d.follows != nil {
		return d.follows()
	}
	return database
}

// readsTime limits how long Close waits for running reads.
const readsTime = 2 * time.Second

// Close waits for running reads and closes every connection. On SQLite the file then has
// every commit, unless Close returns an error or another process reads it.
func (d *DB) Close() error {
	d.closing.Do(func() {
		reads := d.Read.Close()
		ctx, cancel := context.WithTimeout(context.Background(), readsTime)
		defer cancel()
		d.closed = errors.Join(reads, d.Dialect.EmptyLog(ctx, d.Read.DB, d.Write.DB), d.Write.Close())
	})
	return d.closed
}

// modelDialect is bun's dialect with its own storage of model fields.
type modelDialect struct {
	schema.Dialect
	tables *schema.Tables
	fields []func(Dialect, *schema.Table)
	of     Dialect
}

func newModelDialect(of Dialect, fields []func(Dialect, *schema.Table)) *modelDialect {
	d := &modelDialect{Dialect: of.Bun(), of: of, fields: fields}
	d.tables = schema.NewTables(d)
	return d
}

// Tables implements schema.Dialect.
func (d *modelDialect) Tables() *schema.Tables { return d.tables }

// OnTable implements schema.Dialect.
func (d *modelDialect) OnTable(t *schema.Table) {
	d.Dialect.OnTable(t)
	for _, set := range d.fields {
		set(d.of, t)
	}
}

// apart sets how many read connections players may not use: one in four, and at least one.
const apart = 4

// places limits how many read connections players use at a time; nil if the pool is unlimited.
type places chan struct{}

func newPlaces(read *sql.DB) places {
	connections := read.Stats().MaxOpenConnections
	if connections == 0 {
		return nil
	}
	return make(places, max(1, connections-max(1, connections/apart)))
}

// enter waits for a place if a player asks, and returns the function that releases it.
func (p places) enter(ctx context.Context) (leave func(), err error) {
	if p == nil || !ports.IsForPlayers(ctx) {
		return func() {}, nil
	}
	select {
	case p <- struct{}{}:
		return func() { <-p }, nil
	case <-ctx.Done():
		return nil, errBusy()
	}
}

// errBusy reports that players' reads waited too long for a connection.
func errBusy() error {
	return fault.New(fault.Unavailable, "too many concurrent reads: try again later").With("outcome", "none").With("retryAfterMs", RetryAfterMillis)
}

// RetryAfterMillis is when a refused caller may try again, in milliseconds.
const RetryAfterMillis = 1000

// ErrRowsLost reports that a statement wrote another number of rows than it was sent: two rows of
// a batch had one key, or a row changed despite its lock.
var ErrRowsLost = errors.New("sqlstore: the number of rows written differs from the number sent")

// Defect returns an error about an invalid item or decision, or a stored row that can't be read.
// It affects only that item or row.
func Defect(format string, args ...any) error {
	return fmt.Errorf("sqlstore: "+format, args...)
}

// Wrap adds the operation to an error of the database.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %s: %w", doing, err)
}

// Found reports whether a row exists, from the error of a query for it.
func Found(err error) (there bool, _ error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Unreachable is Wrap for requests. If the database can't be reached it returns a fault of kind
// Unavailable, with the cause for the log. It says whether something was written only if a commit
// is in doubt.
func (d *DB) Unreachable(doing string, err error) error {
	if err == nil {
		return nil
	}
	away := fault.New(fault.Unavailable, "the database can't be reached")
	switch d.Dialect.Failure(err) {
	case Lost:
	case InDoubt:
		away = fault.New(fault.Unavailable, "commit outcome unknown: check whether the change took effect").With("outcome", "unknown")
	default:
		return Wrap(doing, err)
	}
	return fmt.Errorf("%w: %w", away.With("retryAfterMs", RetryAfterMillis), Wrap(doing, err))
}
