package writer

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/domain/wallet"
)

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
