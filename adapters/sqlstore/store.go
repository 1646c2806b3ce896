// Package sqlstore keeps everything in an SQL database: one set of queries over
// bun for SQLite and PostgreSQL, and the Writer, through which every change of
// money, seeds, rounds, withdrawals and logins is committed in batches.
//
// The openers in the folders beside it (sqlite, postgres) make a Store; wiring hands
// the Store and its Writer to the use cases. What it consists of lies in internal: db
// knows databases, rows has the tables as bun models, writer commits items, admin is the short
// transactions, reads answers, schema migrates. Nobody else imports it, and it
// imports no other adapter.
package sqlstore

import (
	"database/sql"
	"io/fs"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/admin"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/reads"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/adapters/sqlstore/internal/schema"
	"github.com/casino-service/casino/adapters/sqlstore/internal/writer"
	"github.com/casino-service/casino/domain/seal"
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
	// Sealer opens and closes server seeds. Where it is an AuthenticatingSealer, blocks are
	// sealed too, and blocks without a seal are none of the service's.
	Sealer ports.Sealer
	// IDFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't. Lists of a time are found
	// faster by it. Every store that is opened on a database must have the same.
	IDFrom func(time.Time) string
}

// AuthenticatingSealer is a Sealer whose keys also seal blocks.
type AuthenticatingSealer interface {
	ports.Sealer
	// Authenticator returns what seals and checks them; nil where there is no key.
	Authenticator() ports.Authenticator
}

// blockSeals is what seals blocks with the keys of a sealer.
func blockSeals(s ports.Sealer) seal.Authenticator {
	if keyed, ok := s.(AuthenticatingSealer); ok {
		if made := keyed.Authenticator(); made != nil {
			return made
		}
	}
	return seal.None{}
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	*reads.Reads
	*admin.Changes
	*schema.Schema
	db      *db.DB
	writers *writer.Store
}

// Migration is a step of the schema.
type Migration = schema.Migration

const (
	// MonthsAhead is for how many months, the present one included, partitions of
	// rounds and transfers are made.
	MonthsAhead = schema.MonthsAhead
	// PruneMax is how many claims one step of pruning forgets.
	PruneMax = admin.PruneMax
)

// New makes a Store of what an opener found. It asks the database nothing.
func New(o Options) (*Store, error) {
	d := db.New(o.Write, o.Read, o.Dialect, rows.Fields)
	tables, err := schema.New(d, o.Migrations, o.Schema)
	if err != nil {
		return nil, err
	}
	seals := blockSeals(o.Sealer)
	seeds, err := rows.NewSeeds(o.Sealer)
	if err != nil {
		return nil, err
	}
	recent := rows.NewRecent()
	writers, err := writer.NewStore(d, rows.Options{Seeds: seeds, Seals: seals, Recent: recent, IDFrom: o.IDFrom, Clock: d.Now})
	if err != nil {
		return nil, err
	}
	return &Store{
		Reads: reads.New(d, o.Sealer, seals, recent, o.IDFrom), Changes: admin.New(d, o.Sealer, seals), Schema: tables, db: d, writers: writers,
	}, nil
}

// Observe has a hook told of every query but those of batches: hook gets the name of each
// pool of connections ("write" and "read") and the pool. Queries that stay prepared are told
// without the time at which they began. To be called before the first query.
func (s *Store) Observe(hook func(pool string, db *sql.DB) bun.QueryHook) {
	s.db.Observe(hook("write", s.db.Write.DB), hook("read", s.db.Read.DB))
}

// Follow makes the store take another clock for the database's own, by which it counts
// what may leave within an hour: for simulations, whose time is not the database's. To
// be called before the first query.
func (s *Store) Follow(clock ports.Clock) { s.db.Follow(clock.Now) }

// Close closes every connection. Writers must have been drained before, and must
// have given back their lanes.
func (s *Store) Close() error { return s.db.Close() }

// Writer returns a writer that waits for its steps: nothing is committed until
// Run or Step is called.
func (s *Store) Writer(o WriterOptions) (*Writer, error) { return s.writers.Writer(o) }

// Writers returns as many writers as are worth their while on the database, named
// after the options' ID.
func (s *Store) Writers(o WriterOptions) (*Writers, error) { return s.writers.Writers(o) }
