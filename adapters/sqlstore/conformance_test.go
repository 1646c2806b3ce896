package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

// stores makes empty stores with writers of these options.
func stores(on engine, o sqlstore.WriterOptions) func(t *testing.T) conformance.Store {
	return func(t *testing.T) conformance.Store {
		t.Helper()
		return openStore(t, on, on.fresh(t), o, one, 1)
	}
}

// runner is what openStore runs: a writer, or an instance's writers.
type runner interface {
	ports.Writer
	Run(ctx context.Context) error
	Stop()
}

func one(store *sqlstore.Store, o sqlstore.WriterOptions) (runner, error) { return store.Writer(o) }

func several(store *sqlstore.Store, o sqlstore.WriterOptions) (runner, error) {
	return store.Writers(o)
}

// ported combines a store and its writer.
type ported struct {
	*sqlstore.Store
	writer ports.Writer
}

func (p ported) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	return p.writer.Commit(ctx, item)
}

// openStore opens the database the n-th time and runs a writer on it until the test
// ends or the store is reopened.
func openStore(t *testing.T, on engine, where string, o sqlstore.WriterOptions,
	writers func(*sqlstore.Store, sqlstore.WriterOptions) (runner, error), n int) conformance.Store {
	t.Helper()
	loser := &commitLoser{}
	store, err := on.open(t.Context(), where, newSealer(t), loser.through)
	if err != nil {
		t.Fatal(err)
	}
	o.ID = fmt.Sprint("writer-", n)
	var heads reported
	o.Sealed = heads.sealed
	store.ReportHeads(heads.sealed)
	writer, err := writers(store, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	var once sync.Once
	end := func() {
		once.Do(func() {
			cancel()
			if err := errors.Join(<-done, heads.check(store), store.Close()); err != nil {
				t.Errorf("the store ended with %v", err)
			}
		})
	}
	t.Cleanup(end)
	queue := o.QueueMax
	if queue == 0 {
		queue = sqlstore.QueueMax
	}
	var followed ports.Clock
	return conformance.Store{
		Ports:  ported{store, writer},
		Traits: conformance.Traits{Durable: true, QueueMax: queue},
		Reopen: func(t *testing.T) conformance.Store {
			t.Helper()
			end()
			again := openStore(t, on, where, o, writers, n+1)
			if followed != nil {
				again.Follow(followed)
			}
			return again
		},
		Follow: func(clock ports.Clock) {
			followed = clock
			store.Follow(clock)
		},
		Stop:       writer.Stop,
		LoseCommit: loser.lose,
		AtRest: func(t *testing.T) []byte {
			t.Helper()
			return on.written(t, where)
		},
	}
}

// elsewhere is a store with events read by another instance, which commits nothing and has no
// rows in memory.
type elsewhere struct {
	conformance.Ports
	listens *sqlstore.Store
}

func (e elsewhere) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	return e.listens.After(ctx, after, f, limit)
}

func (e elsewhere) Newest(ctx context.Context) (stream.Cursor, error) { return e.listens.Newest(ctx) }

// heardElsewhere opens the database twice: once for writing and once for reading events.
func heardElsewhere(t *testing.T, on engine, where string) conformance.Store {
	t.Helper()
	s := openStore(t, on, where, sqlstore.WriterOptions{}, several, 1)
	listens, err := on.open(t.Context(), where, newSealer(t), (&commitLoser{}).through)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := listens.Close(); err != nil {
			t.Error(err)
		}
	})
	reopen := s.Reopen
	s.Ports = elsewhere{s.Ports, listens}
	s.Reopen = func(t *testing.T) conformance.Store {
		t.Helper()
		again := reopen(t)
		again.Ports = elsewhere{again.Ports, listens}
		return again
	}
	return s
}

// commitLoser is a connection whose next COMMIT gets no answer, before or after it was carried
// out.
type commitLoser struct {
	mu         sync.Mutex
	armed      bool
	carriedOut bool
}

func (l *commitLoser) lose(carriedOut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed, l.carriedOut = true, carriedOut
}

// take reports whether to lose this COMMIT, and how.
func (l *commitLoser) take() (lost, carriedOut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lost = l.armed
	l.armed = false
	return lost, l.carriedOut
}

func (l *commitLoser) through(c driver.Connector) driver.Connector { return losingConnector{c, l} }

type losingConnector struct {
	driver.Connector
	loser *commitLoser
}

func (c losingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := conn.(fullConn)
	if !ok {
		return nil, fmt.Errorf("a connection of type %T can't do what is needed of it", conn)
	}
	return losingConn{anyConn{full}, c.loser}, nil
}

type losingConn struct {
	anyConn
	loser *commitLoser
}

func (c losingConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.anyConn.BeginTx(ctx, o)
	return losingTx{tx, c.loser}, err
}

// Pipeline loses a COMMIT that travels with the writes before it.
func (c losingConn) Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error) {
	last := len(statements) - 1
	if last < 0 || statements[last].Text != "COMMIT" {
		return c.anyConn.Pipeline(ctx, statements)
	}
	lost, carriedOut := c.loser.take()
	if lost && !carriedOut {
		if failed, err = c.anyConn.Pipeline(ctx, statements[:last]); err != nil {
			return failed, err
		}
		return last, driver.ErrBadConn
	}
	if failed, err = c.anyConn.Pipeline(ctx, statements); err == nil && lost {
		err = driver.ErrBadConn
	}
	return failed, err
}

type losingTx struct {
	driver.Tx
	loser *commitLoser
}

func (tx losingTx) Commit() error {
	lost, carriedOut := tx.loser.take()
	switch {
	case !lost:
		return tx.Tx.Commit()
	case carriedOut:
		return errors.Join(tx.Tx.Commit(), driver.ErrBadConn)
	}
	return errors.Join(tx.Tx.Rollback(), driver.ErrBadConn)
}

// timed is the engine as in production, with ids that contain their time.
func timed(on engine) engine {
	url := on.url
	on.open = func(ctx context.Context, where string, sealer ports.Sealer, through func(driver.Connector) driver.Connector) (*sqlstore.Store, error) {
		return postgres.Open(ctx, url(where), postgres.Options{Sealer: sealer, Migrated: true, Readers: 4, Through: through, IDFrom: system.IDFrom})
	}
	return on
}

// listSuites are the suites of lists by time. On PostgreSQL they run as in production, with lists
// limited by ids too; "Events beside two writers" and the suites of a file run without that.
var listSuites = []string{"Rounds", "Transactions", "SeamlessTransactions", "AuditLog", "WalletProofs", "Events", "Alarms", "PastBalances"}

// timedStores makes empty stores with ids that contain their time.
func timedStores(on engine) func(t *testing.T) conformance.Store {
	return func(t *testing.T) conformance.Store {
		t.Helper()
		s := stores(timed(on), sqlstore.WriterOptions{})(t)
		s.TimedIDs = true
		return s
	}
}

// beside makes stores on which an instance's writers run concurrently.
func beside(on engine, o sqlstore.WriterOptions) func(t *testing.T) conformance.Store {
	return func(t *testing.T) conformance.Store {
		t.Helper()
		store := openStore(t, on, on.fresh(t), o, several, 1)
		store.QueueMax = 0 // a batch that hangs leaves the queue to the other writer
		return store
	}
}

// TestConformance runs every case that can show a fault of the database, and runs those that
// depend on batches or on another writer once for each way of writing.
func TestConformance(t *testing.T) { everywhere(t, conformsOn) }

func conformsOn(t *testing.T, on engine) {
	t.Helper()
	run := func(name string, suite conformance.Suite, stores func(t *testing.T) conformance.Store, shows ...conformance.Fault) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, stores, shows...)
		})
	}
	for _, batch := range on.batches {
		run(fmt.Sprint("Writer in batches of ", batch), conformance.Writer,
			stores(on, sqlstore.WriterOptions{BatchMax: batch, QueueMax: 64}), conformance.Races)
	}
	run("Writer", conformance.Writer, stores(on, sqlstore.WriterOptions{QueueMax: 64}), on.shows...)
	run("Writers of an instance", conformance.Writer, beside(on, sqlstore.WriterOptions{}), conformance.Races)
	for name, suite := range map[string]conformance.Suite{
		"Controls": conformance.Controls, "LedgerPages": conformance.LedgerPages, "Events": conformance.Events,
		"SeamlessTransactions": conformance.SeamlessTransactions, "PastBalances": conformance.PastBalances, "Solvency": conformance.Solvency, "DebtReader": conformance.DebtReader, "CrashBets": conformance.CrashBets,
	} {
		run(name+" beside two writers", suite, beside(on, sqlstore.WriterOptions{BatchMax: 4}), conformance.Races)
	}
	if on.arrays { // a file has one instance
		run("Events of another instance", conformance.Events, func(t *testing.T) conformance.Store {
			t.Helper()
			return heardElsewhere(t, on, on.fresh(t))
		}, conformance.Rows)
	}
	for name, suite := range conformance.Suites() {
		made := stores(on, sqlstore.WriterOptions{})
		if on.numbered && slices.Contains(listSuites, name) {
			made = timedStores(on)
		}
		run(name, suite, made, on.shows...)
	}
}
