// Package sqlstore keeps everything in an SQL database: one set of queries over
// bun for SQLite and PostgreSQL, and the Writer, through which every change of
// money, seeds, rounds, withdrawals and logins is committed in batches.
//
// The openers in the folders beside it (sqlite, postgres) make a Store; wiring hands
// the Store and its Writer to the use cases. Its packages lie in internal. The kernel: db
// knows databases, table makes statements of bun models, chain seals blocks, read makes queries
// and lists, change makes short transactions, batch is what one transaction of the writer sees
// and changes, writer commits items, schema migrates. Each other package is a feature, with the
// models of its tables, its reads, its short transactions and its parts of a batch; New puts
// them together. Nobody else imports them, and they import no other adapter.
package sqlstore

import (
	"context"
	"database/sql"
	"io/fs"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/agents"
	"github.com/casino-service/casino/adapters/sqlstore/internal/alarms"
	"github.com/casino-service/casino/adapters/sqlstore/internal/approvals"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/auditing"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/feed"
	"github.com/casino-service/casino/adapters/sqlstore/internal/figures"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/registry"
	"github.com/casino-service/casino/adapters/sqlstore/internal/roles"
	"github.com/casino-service/casino/adapters/sqlstore/internal/schema"
	"github.com/casino-service/casino/adapters/sqlstore/internal/solvency"
	"github.com/casino-service/casino/adapters/sqlstore/internal/steps"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/adapters/sqlstore/internal/webhooks"
	"github.com/casino-service/casino/adapters/sqlstore/internal/writer"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/witness"
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

// Dialect is what differs between databases; an opener has it.
type Dialect = db.Dialect

// Statement is one of several that go to the database together, with the rows that are sent with
// it.
type Statement = db.Statement

// Store is an open database. It is safe for concurrent use.
type Store struct {
	*schema.Schema

	*accountStore
	*agentStore
	*alarmStore
	*approvalStore
	*archiveStore
	*auditStore
	*controlStore
	*feedStore
	*figureStore
	*paymentStore
	*payoutStore
	*playStore
	*providerStore
	*registryStore
	*roleStore
	*solvencyStore
	*stepStore
	*webhookStore

	db      *db.DB
	changes *change.Changes
	writers *writer.Store
}

// Store has the methods of its features, each of which serves some ports.
type (
	accountStore  = accounts.Store
	agentStore    = agents.Store
	alarmStore    = alarms.Store
	approvalStore = approvals.Store
	archiveStore  = archive.Store
	auditStore    = auditing.Store
	controlStore  = control.Store
	feedStore     = feed.Store
	figureStore   = figures.Store
	paymentStore  = payments.Store
	payoutStore   = payouts.Store
	playStore     = play.Store
	providerStore = provider.Store
	registryStore = registry.Store
	roleStore     = roles.Store
	solvencyStore = solvency.Store
	stepStore     = steps.Store
	webhookStore  = webhooks.Store
)

// Migration is a step of the schema.
type Migration = schema.Migration

const (
	// MonthsAhead is for how many months, the present one included, partitions of
	// rounds and transfers are made.
	MonthsAhead = schema.MonthsAhead
	// PruneMax is how many claims one step of pruning forgets.
	PruneMax = registry.PruneMax
)

// New makes a Store of what an opener found. It asks the database nothing.
func New(o Options) (*Store, error) {
	d := db.New(o.Write, o.Read, o.Dialect, table.Fields)
	tables, err := schema.New(d, o.Migrations, o.Schema)
	if err != nil {
		return nil, err
	}
	seals := blockSeals(o.Sealer)
	seeds, err := play.NewSeeds(o.Sealer)
	if err != nil {
		return nil, err
	}
	recent := batch.NewRecent()
	writers, err := writer.NewStore(d, batch.Options{
		Parts: parts(d.Dialect, seeds), Seals: seals, Recent: recent, IDFrom: o.IDFrom, Clock: d.Now,
	})
	if err != nil {
		return nil, err
	}
	r := read.New(d, o.Sealer, o.IDFrom)
	c := change.New(r, seals)
	return &Store{
		Schema: tables, db: d, changes: c, writers: writers,
		accountStore: accounts.New(r), agentStore: &agents.Store{Changes: c}, alarmStore: &alarms.Store{Changes: c},
		approvalStore: &approvals.Store{Reads: r}, archiveStore: &archive.Store{Reads: r}, auditStore: &auditing.Store{Changes: c},
		controlStore: &control.Store{Changes: c}, feedStore: &feed.Store{Store: &archive.Store{Reads: r}, Recent: recent}, figureStore: &figures.Store{Reads: r},
		paymentStore: &payments.Store{Changes: c}, payoutStore: &payouts.Store{Changes: c}, playStore: play.New(r),
		providerStore: &provider.Store{Changes: c}, registryStore: &registry.Store{Changes: c}, roleStore: &roles.Store{Changes: c},
		solvencyStore: &solvency.Store{Changes: c}, stepStore: &steps.Store{Reads: r}, webhookStore: &webhooks.Store{Changes: c},
	}, nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.changes.Ping(ctx) }

// StoreTime serves ports.StoreClock.
func (s *Store) StoreTime(ctx context.Context) (time.Time, error) { return s.changes.StoreTime(ctx) }

// ProbeWrite writes a row to itself and commits, as every other write does: on a server
// that takes none, on a disk that is full, and where a standby hangs it fails, though
// reads go on. It touches nothing of the ledger.
func (s *Store) ProbeWrite(ctx context.Context) error { return s.changes.ProbeWrite(ctx) }

// ReportHeads sets the function that gets the head of the lane of short transactions
// whenever a commit moved it. It must be called before the first change.
func (s *Store) ReportHeads(sealed func(witness.Head)) { s.changes.ReportHeads(sealed) }

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

const (
	// PruneInterval is how long to rest between two looks for expired data.
	PruneInterval = time.Minute
	// MonthsInterval is how long to rest between two looks whether the partitions of the
	// coming months are there.
	MonthsInterval = time.Hour
)

// Workers are what a database needs beside the casino's own workers (app.Casino.Workers):
// expired data is deleted, and on PostgreSQL the partitions of the coming months are made.
// Without them what expired stays, and rounds of months without a partition of their own
// share the one called rest.
func (s *Store) Workers(clock ports.Clock) []app.Worker {
	return []app.Worker{
		{Name: "prune", Interval: PruneInterval, Step: func(ctx context.Context) (bool, error) { return s.Prune(ctx, clock.Now()) }},
		{Name: "months", Interval: MonthsInterval, WhileRestored: true, Step: func(ctx context.Context) (bool, error) {
			return s.MakeMonths(ctx, clock.Now())
		}},
	}
}
