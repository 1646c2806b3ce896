package writer

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/wallet"
)

// Store is what the writers of a database share.
type Store struct {
	db   *db.DB
	rows rows.Options
	// locks are the dialect's statements that lock wallets, by whether they wait.
	locks map[bool]*db.Query
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
func NewStore(d *db.DB, o rows.Options) (*Store, error) {
	contended, err := lru.New[wallet.Address, struct{}](contendedMax)
	return &Store{
		db: d, rows: o.On(d.Dialect), contended: contended,
		durable: durableQuery(d.Dialect),
		locks:   map[bool]*db.Query{false: rows.LockWallets(d.Dialect, false), true: rows.LockWallets(d.Dialect, true)},
	}, db.Wrap("writers", err)
}
