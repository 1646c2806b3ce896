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

// WritersMax is how many writers of an instance are worth their while, measured
// on two cores: while one waits for the database's answer or its disk, the other
// decides. More of them make smaller batches of the same items.
const WritersMax = 2

// Writers are the writers of one instance. A wallet's items always go to the same
// one, so that they keep their order and don't wait for each other's locks.
type Writers struct{ all []*Writer }

var _ ports.Writer = (*Writers)(nil)

// Writers returns as many writers as are worth their while on the database, named
// after the options' ID.
func (s *Store) Writers(o Options) (*Writers, error) {
	if o.ID == "" {
		return nil, errors.New("sqlstore: writers need an id of their own")
	}
	// Where writers share no lanes there is one transaction at a time.
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

// Run is Writer.Run of all of them.
func (w *Writers) Run(ctx context.Context) error {
	failures := make([]error, len(w.all))
	var running sync.WaitGroup
	for i, one := range w.all {
		running.Go(func() { failures[i] = one.Run(ctx) })
	}
	running.Wait()
	return errors.Join(failures...)
}

// ProbeLane asks each writer whether it holds its lane.
func (w *Writers) ProbeLane(ctx context.Context) error {
	var failures []error
	for _, one := range w.all {
		failures = append(failures, one.ProbeLane(ctx))
	}
	return errors.Join(failures...)
}

// Stop is Writer.Stop of all of them.
func (w *Writers) Stop() {
	w.all[0].Stop()
}

// Waiting returns how many items wait for a batch: what a metric of the queue shows.
func (w *Writers) Waiting() int {
	return w.all[0].Waiting()
}

// Store is what the writers of a database share.
type Store struct {
	db   *db.DB
	rows batch.Options
	// locks are the dialect's statements that lock wallets, by whether they wait.
	locks map[bool]*db.Query
	// shared locks what wallets share.
	shared provider.Locks
	// durable commits nothing and waits as a commit does; nil where none waits.
	durable *db.Query
	// contended are wallets that were there, locked by somebody else: a batch that
	// misses one of them needn't ask whether it is there.
	contended *lru.Cache[wallet.Address, struct{}]

	mu sync.Mutex
	// verified are connections to a database that has all blocks that are kept outside.
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

// durableQuery is the dialect's statement of a commit that only waits, nil where none does.
func durableQuery(d db.Dialect) *db.Query {
	text := d.Durable()
	if text == "" {
		return nil
	}
	return db.NewQuery(text, "prefix")
}

// hasPromises reports whether the run answers anything else than refusals.
func (r *run) hasPromises() bool {
	for i := range r.entries {
		if r.results[i].err == nil {
			return true
		}
	}
	return false
}

// waitForEarlier returns when what was committed before is where commits have to be.
// A batch that changes nothing answers from what it found, and what it found may be a
// commit whose wait for the standby was cut short: it is on this server, everybody
// sees it, and a failover loses it. A COMMIT of its own that waited comes after all of
// that; a transaction without changes doesn't wait.
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
