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

// modelDialect is bun's dialect, with fields of models that are kept in ways of their own.
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

// apart is which part of the readers' connections is kept apart from players: a quarter,
// and at least one.
const apart = 4

// places are those of the readers' connections that players may use at a time, nil where
// the pool has no bound.
type places chan struct{}

func newPlaces(read *sql.DB) places {
	connections := read.Stats().MaxOpenConnections
	if connections == 0 {
		return nil
	}
	return make(places, max(1, connections-max(1, connections/apart)))
}

// enter waits for a place if the question is a player's, and returns what gives it back.
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

// errBusy says that players ask more than the database answers.
func errBusy() error {
	return fault.New(fault.Unavailable, "too much is being asked").With("outcome", "none").With("retryAfterMs", RetryAfterMillis)
}

// RetryAfterMillis is when a refused caller may try again.
const RetryAfterMillis = 1000

// ErrRowsLost says that the database wrote another number of rows than it was
// sent: two rows of a batch had one key, or a row changed behind its lock.
var ErrRowsLost = errors.New("sqlstore: rows written are not the rows sent")

// Defect is what an item or its decision did that no item may do, or a stored row
// that can't be read. It is the item's or the row's alone.
func Defect(format string, args ...any) error {
	return fmt.Errorf("sqlstore: "+format, args...)
}

// Wrap names what was being done when a database failed.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %s: %w", doing, err)
}

// Found tells that there is no row from what went wrong.
func Found(err error) (there bool, _ error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Unreachable is Wrap for questions to the database: one that can't be reached is
// a fault of kind Unavailable, with the cause beside it for the log. Whether
// something was written before is not said; where a commit is in doubt, that is.
func (d *DB) Unreachable(doing string, err error) error {
	if err == nil {
		return nil
	}
	away := fault.New(fault.Unavailable, "the database can't be reached")
	switch d.Dialect.Failure(err) {
	case Lost:
	case InDoubt:
		away = fault.New(fault.Unavailable, "the database did not say whether it will last").With("outcome", "unknown")
	default:
		return Wrap(doing, err)
	}
	return fmt.Errorf("%w: %w", away.With("retryAfterMs", RetryAfterMillis), Wrap(doing, err))
}
