package writer

import (
	"context"
	"errors"
	"strconv"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// WritersMax is how many writers of an instance are useful, measured on two cores: while one
// waits for the database's answer or its disk, the other decides. More would only make smaller
// batches.
const WritersMax = 2

// Writers are the writers of one instance. A wallet's items always go to the same one, so that
// they keep their order and don't wait for each other's locks.
type Writers struct{ all []*Writer }

var _ ports.Writer = (*Writers)(nil)

// Writers returns as many writers as the database can use, named after the options' ID.
func (s *Store) Writers(o Options) (*Writers, error) {
	if o.ID == "" {
		return nil, errors.New("sqlstore: writers need an id of their own")
	}
	// Without shared lanes there is one transaction at a time.
	number := min(WritersMax, max(1, s.db.Dialect.Lanes()))
	w := &Writers{}
	for i := range number {
		named := o
		named.ID = o.ID + "." + strconv.Itoa(i)
		one, err := s.Writer(named)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			one.queue = w.all[0].queue
		}
		w.all = append(w.all, one)
	}
	return w, nil
}

// Commit implements ports.Writer.
func (w *Writers) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	return w.all[0].Commit(ctx, item)
}

// Run calls Run of all writers.
func (w *Writers) Run(ctx context.Context) error {
	failures := make([]error, len(w.all))
	var running sync.WaitGroup
	for i, one := range w.all {
		running.Go(func() { failures[i] = one.Run(ctx) })
	}
	running.Wait()
	return errors.Join(failures...)
}

// ProbeLane checks that each writer holds its lane.
func (w *Writers) ProbeLane(ctx context.Context) error {
	var failures []error
	for _, one := range w.all {
		failures = append(failures, one.ProbeLane(ctx))
	}
	return errors.Join(failures...)
}

// Stop calls Stop of all writers.
func (w *Writers) Stop() {
	w.all[0].Stop()
}

// Waiting returns how many items wait for a batch, for the queue's metric.
func (w *Writers) Waiting() int {
	return w.all[0].Waiting()
}

// Store is shared by the writers of a database.
type Store struct {
	db   *db.DB
	rows batch.Options
	// locks are the dialect's statements that lock wallets, by whether they wait.
	locks map[bool]*db.Query
	// shared locks the rows that several wallets share.
	shared provider.Locks
	// durable writes nothing but waits as a commit does; nil if no commit waits.
	durable *db.Query
	// contended holds wallets that exist but were locked elsewhere: a batch that misses one of
	// them needn't check that it exists.
	contended *lru.Cache[wallet.Address, struct{}]

	mu sync.Mutex
	// verified holds connections to a database that has all blocks recorded outside.
	verified map[any]bool
}

// contendedMax is how many contended wallets a store remembers.
const contendedMax = 1 << 12

// NewStore returns a store without writers.
func NewStore(d *db.DB, o batch.Options) (*Store, error) {
	contended, err := lru.New[wallet.Address, struct{}](contendedMax)
	return &Store{
		db: d, rows: o, shared: provider.NewLocks(d.Dialect), contended: contended,
		durable: durableQuery(d.Dialect),
		locks:   map[bool]*db.Query{false: accounts.LockWallets(d.Dialect, false), true: accounts.LockWallets(d.Dialect, true)},
	}, db.Wrap("writers", err)
}

// durableQuery returns the dialect's statement for durable, nil if there is none.
func durableQuery(d db.Dialect) *db.Query {
	text := d.Durable()
	if text == "" {
		return nil
	}
	return db.NewQuery(text, "prefix")
}

// hasPromises reports whether the run gives any answer other than a refusal.
func (r *run) hasPromises() bool {
	for i := range r.entries {
		if r.results[i].err == nil {
			return true
		}
	}
	return false
}

// waitForEarlier returns when earlier commits are durable. A batch that changes nothing answers
// from data it found, and that may come from a commit whose wait for the standby was cut short:
// it is visible on this server, but a failover loses it. A COMMIT that waits comes after all of
// those; a transaction without changes doesn't wait.
func (w *Writer) waitForEarlier(ctx context.Context, session bun.Conn, r *run, changed bool) error {
	if changed || w.store.durable == nil || !r.hasPromises() {
		return nil
	}
	tx, err := w.store.db.Begin(ctx, session)
	if err != nil {
		return err
	}
	var asks db.Asks
	asks.Ask("wait for earlier commits", w.store.durable, [][]any{{"casino"}}, nil)
	inDoubt, err := tx.Commit(ctx, &asks)
	if err != nil && !inDoubt {
		err = errors.Join(err, tx.Rollback(ctx))
	}
	return err
}
