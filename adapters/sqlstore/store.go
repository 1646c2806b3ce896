// Package sqlstore keeps everything in an SQL database: one set of queries over
// bun for SQLite and PostgreSQL, and the Writer, through which every change of
// money, seeds, rounds, withdrawals and logins is committed in batches.
//
// The openers in the folders beside it (sqlite) make a Store; wiring hands the
// Store and its Writer to the use cases. Reads are methods of Store in files
// named read_*.go, one a port. Nobody else imports it, and it imports no other
// adapter.
package sqlstore

import (
	"database/sql"
	"fmt"
	"io/fs"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Options is what an opener found.
type Options struct {
	// Write takes transactions that write. On SQLite it has one connection.
	Write *sql.DB
	// Read serves reads and can't write.
	Read *sql.DB
	// Dialect is what differs between the databases.
	Dialect Dialect
	// Schema opens a pool of one session to migrate with, without a limit of time;
	// nil means that Write does it.
	Schema func() *sql.DB
	// Migrations are the files of the dialect's schema.
	Migrations fs.FS
	// Sealer opens and closes server seeds.
	Sealer ports.Sealer
	// IDFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't. Lists of a time are found
	// faster by it. Every store that is opened on a database is told the same.
	IDFrom func(time.Time) string
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	db         *db.DB
	schema     func() *sql.DB
	migrations *migrate.Migrations
	sealer     ports.Sealer
	idFrom     func(time.Time) string
	players    gather[player.Player]
	// locks are the dialect's statements that lock wallets, by whether they wait.
	locks map[bool]*query
	// readFunds locks operators' accounts and reads them.
	readFunds *query
	// contended are wallets that were there, locked by somebody else: a batch that
	// misses one of them needn't ask whether it is there.
	contended *lru.Cache[wallet.Address, struct{}]
	// seeds are those that were opened and verified.
	seeds *lru.Cache[sealedSeed, fairness.ServerSeed]
}

// contendedMax is how many contended wallets a store remembers.
const contendedMax = 1 << 12

// New makes a Store of what an opener found. It asks the database nothing.
func New(o Options) (*Store, error) {
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(o.Migrations); err != nil {
		return nil, fmt.Errorf("sqlstore: migrations: %w", err)
	}
	seeds, err := lru.New[sealedSeed, fairness.ServerSeed](seedsMax)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	contended, err := lru.New[wallet.Address, struct{}](contendedMax)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	s := &Store{
		seeds:      seeds,
		contended:  contended,
		db:         db.New(o.Write, o.Read, o.Dialect),
		migrations: migrations,
		sealer:     o.Sealer,
		idFrom:     o.IDFrom,
		locks:      map[bool]*query{}, schema: o.Schema,
	}
	s.players.read = s.readPlayers
	s.readFunds = newQuery("SELECT "+fundsColumns+` FROM {sent} AS s CROSS JOIN agent_funds AS f
		WHERE f.agent = s.agent AND f.token = s.token ORDER BY f.agent, f.token`+o.Dialect.LockRows("f"), "agent", "token")
	for _, wait := range [...]bool{false, true} {
		if text := o.Dialect.LockWallets(wait); text != "" {
			s.locks[wait] = newQuery(text, "wallet")
		}
	}
	return s, nil
}

// Observe puts query hooks around every connection pool: attach gets the pool's
// name ("write" or "read") and its database, and returns the database to use.
// To be called before the first query.
func (s *Store) Observe(attach func(pool string, db *bun.DB) *bun.DB) {
	s.db.Write, s.db.Read = attach("write", s.db.Write), attach("read", s.db.Read)
}

// Close closes every connection. Writers must have been drained before, and must
// have given back their lanes.
func (s *Store) Close() error {
	return s.db.Close()
}
