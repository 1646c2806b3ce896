// Package stores opens empty stores for tests, so that they run on the production store as well
// as on the one in memory.
//
// Tests import it. A package with tests for both calls Everywhere from its TestMain and opens its
// stores with New.
package stores

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

// onSQLite says which run of the tests this is. It only changes between runs.
var onSQLite bool

// Everywhere runs the tests twice, on memory and then on SQLite, and returns the exit code. A
// line marks the beginning of the second run's output.
func Everywhere(m *testing.M) int {
	onMemory := m.Run()
	onSQLite = true
	fmt.Println("the same tests on SQLite:")
	return max(onMemory, m.Run())
}

// Store is every port of a store, and a way to stop its writer.
type Store interface {
	conformance.Ports
	// Stop makes every later Commit fail with Unavailable. Reading continues.
	Stop()
}

// New opens an empty store of the kind for this run of the tests.
func New(t testing.TB) Store {
	t.Helper()
	if onSQLite {
		return SQLite(t)
	}
	return memory.New()
}

// Follow makes the store use a clock instead of its own, if it has one.
func Follow(store any, clock ports.Clock) {
	if own, has := store.(interface{ Follow(clock ports.Clock) }); has {
		own.Follow(clock)
	}
}

// SQLite opens an empty store on a temporary file, with a writer that runs until the test ends.
func SQLite(t testing.TB) Store {
	t.Helper()
	return Losing(t, func() Loss { return Answered })
}

// Losing is SQLite with a connection that calls next for the fate of each COMMIT of the writer. A
// caller that waits for each answer before the next item may share state with next.
func Losing(t testing.TB, next func() Loss) Store {
	t.Helper()
	store, err := open(t.Context(), t.TempDir(), next)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// opened is a store on SQLite with a writer that runs until it is closed.
type opened struct {
	*sqlstore.Store
	writer *sqlstore.Writer
	// committing is the number of items that wait for their answers.
	committing atomic.Int64
	stop       context.CancelFunc
	ended      chan error
}

// Commit implements ports.Writer.
func (o *opened) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	o.committing.Add(1)
	defer o.committing.Add(-1)
	return o.writer.Commit(ctx, item)
}

// Stop makes every later Commit fail with Unavailable. Reading continues.
func (o *opened) Stop() { o.writer.Stop() }

// open creates a migrated database in the folder and opens it.
func open(ctx context.Context, folder string, next func() Loss) (*opened, error) {
	content, err := migrated()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "casino.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return nil, err
	}
	seeds, err := newSealer()
	if err != nil {
		return nil, err
	}
	made := &opened{ended: make(chan error, 1)}
	ofWriter := func() Loss {
		if made.committing.Load() == 0 { // a short transaction, which is never lost
			return Answered
		}
		return next()
	}
	made.Store, err = sqlite.OpenThrough(ctx, path, seeds, func(c driver.Connector) driver.Connector { return losing{c, ofWriter} })
	if err != nil {
		return nil, err
	}
	if made.writer, err = made.Writer(sqlstore.WriterOptions{ID: "writer"}); err != nil {
		return nil, errors.Join(err, made.Store.Close())
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	made.stop = stop
	go func() { made.ended <- made.writer.Run(running) }()
	return made, nil
}

// Close ends the writer and then closes the database. It must be called once.
func (o *opened) Close() error {
	o.stop()
	return errors.Join(<-o.ended, o.Store.Close())
}

// migrated is an SQLite database after migration. Migrating takes longer than most tests, so it
// runs once.
var migrated = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "casino-migrated")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "casino.db")
	store, err := sqlite.Open(context.Background(), path, nil)
	if err != nil {
		return nil, err
	}
	_, err = store.Migrate(context.Background())
	if err := errors.Join(err, store.Close()); err != nil { // closing copies the log into the file
		return nil, err
	}
	return os.ReadFile(path)
})

func newSealer() (ports.Sealer, error) {
	ring, err := sealer.ParseKeys([]string{"test:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		return nil, err
	}
	return sealer.New(ring, &counter{}), nil
}

// counter is a source of bytes for encryption, which never repeats.
type counter struct {
	mu sync.Mutex
	n  uint64
}

func (c *counter) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range p {
		var word [8]byte
		if i%8 == 0 {
			c.n++
		}
		binary.LittleEndian.PutUint64(word[:], c.n)
		p[i] = word[i%8]
	}
	return len(p), nil
}

// Loss is the fate of a COMMIT.
type Loss uint8

// The losses: none, and a connection that breaks before or after the database carried out the
// COMMIT.
const (
	Answered Loss = iota
	LostBefore
	LostAfter
)

// losing is a connector with connections that call a function for the fate of each COMMIT.
type losing struct {
	driver.Connector
	next func() Loss
}

func (l losing) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := l.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := conn.(wholeConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T can't do what the store asks of one", conn), conn.Close())
	}
	return losingConn{whole, l.next}, nil
}

// wholeConn lists the interfaces of an SQLite connection that the store uses.
type wholeConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type losingConn struct {
	wholeConn
	next func() Loss
}

func (c losingConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.wholeConn.BeginTx(ctx, o)
	return losingTx{tx, c.next}, err
}

type losingTx struct {
	driver.Tx
	next func() Loss
}

func (tx losingTx) Commit() error {
	switch tx.next() {
	case LostBefore:
		return errors.Join(tx.Rollback(), driver.ErrBadConn)
	case LostAfter:
		return errors.Join(tx.Tx.Commit(), driver.ErrBadConn)
	}
	return tx.Tx.Commit()
}
