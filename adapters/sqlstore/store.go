// Package sqlstore keeps all data in an SQL database. One set of queries over bun serves SQLite
// and PostgreSQL. Its Writer commits every change of money, seeds, rounds, withdrawals and logins
// in batches.
//
// The folders beside it (sqlite, postgres) open a Store; wiring hands the Store and its Writer to
// the use cases. Its own packages are in internal. The kernel packages are: db adapts to
// databases, table makes statements from bun models, chain seals blocks, read runs queries and
// lists, change runs short transactions, batch is the data one transaction of the writer sees and
// changes, writer commits items, schema migrates. Each other package is a feature with its
// models, reads, short transactions and parts of a batch. New combines them. No other package
// imports them, and they import no other adapter.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
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
	"github.com/casino-service/casino/adapters/sqlstore/internal/crash"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/feed"
	"github.com/casino-service/casino/adapters/sqlstore/internal/figures"
	"github.com/casino-service/casino/adapters/sqlstore/internal/headlog"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/registry"
	"github.com/casino-service/casino/adapters/sqlstore/internal/reporting"
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

// Options are filled in by an opener.
type Options struct {
	// Write is the pool for transactions that write. On SQLite it has one connection.
	Write *sql.DB
	// Read is the pool for reads. It can't write.
	Read *sql.DB
	// Dialect adapts the store to the database.
	Dialect Dialect
	// Schema opens a pool of one session without time limits for migrations; nil means that Write
	// is used.
	Schema func() *sql.DB
	// Migrations holds the files of the dialect's schema.
	Migrations fs.FS
	// Sealer encrypts and decrypts server seeds. If it is an AuthenticatingSealer, blocks are
	// sealed too, and blocks without a seal are refused. If it has no key, no block is written.
	Sealer ports.Sealer
	// IDFrom returns the least id that may be drawn at a time, if all ids contain their creation
	// time, else it is nil. It speeds up lists of a period. Every store on a database must use
	// the same.
	IDFrom func(time.Time) string
}

// AuthenticatingSealer is a Sealer with keys that also seal blocks.
type AuthenticatingSealer interface {
	ports.Sealer
	// Authenticator returns the authenticator of blocks, nil without a key.
	Authenticator() ports.Authenticator
}

// blockSeals returns the authenticator that seals blocks with the keys of a sealer.
func blockSeals(s ports.Sealer) seal.Authenticator {
	keyed, ok := s.(AuthenticatingSealer)
	if !ok {
		return seal.None{}
	}
	if made := keyed.Authenticator(); made != nil {
		return made
	}
	return keyless{}
}

// keyless are the seals of a store without keys, which is opened to be read: it checks none,
// and writes no block, since a block without a seal would stop the public log.
type keyless struct{ seal.None }

// Seal returns an error.
func (keyless) Seal(string, []byte) (string, error) {
	return "", errors.New("sqlstore: there is no key to seal a block with")
}

// Dialect adapts the store to a database; openers provide it.
type Dialect = db.Dialect

// Statement is one of several that are sent to the database together, with its rows.
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
	*crashStore
	*feedStore
	*figureStore
	*headLogStore
	*paymentStore
	*payoutStore
	*playStore
	*providerStore
	*registryStore
	*reportingStore
	*roleStore
	*solvencyStore
	*stepStore
	*webhookStore

	db      *db.DB
	changes *change.Changes
	writers *writer.Store
}

// Store embeds its features, each of which implements some ports.
type (
	accountStore   = accounts.Store
	agentStore     = agents.Store
	alarmStore     = alarms.Store
	approvalStore  = approvals.Store
	archiveStore   = archive.Store
	auditStore     = auditing.Store
	controlStore   = control.Store
	crashStore     = crash.Store
	feedStore      = feed.Store
	figureStore    = figures.Store
	headLogStore   = headlog.Store
	paymentStore   = payments.Store
	payoutStore    = payouts.Store
	playStore      = play.Store
	providerStore  = provider.Store
	registryStore  = registry.Store
	reportingStore = reporting.Store
	roleStore      = roles.Store
	solvencyStore  = solvency.Store
	stepStore      = steps.Store
	webhookStore   = webhooks.Store
)

// Migration is a step of the schema.
type Migration = schema.Migration

const (
	// MonthsAhead is for how many months, including the current one, partitions of rounds and
	// transfers are made.
	MonthsAhead = schema.MonthsAhead
	// PruneMax is how many claims one pruning step deletes.
	PruneMax = registry.PruneMax
)

// New makes a Store from an opener's options. It doesn't access the database.
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
		controlStore: &control.Store{Changes: c}, crashStore: &crash.Store{Changes: c}, feedStore: &feed.Store{Store: &archive.Store{Reads: r}, Recent: recent}, figureStore: &figures.Store{Reads: r},
		headLogStore: &headlog.Store{Changes: c},
		paymentStore: &payments.Store{Changes: c}, payoutStore: &payouts.Store{Changes: c}, playStore: play.New(r),
		providerStore: &provider.Store{Changes: c}, registryStore: &registry.Store{Changes: c}, reportingStore: &reporting.Store{Changes: c}, roleStore: &roles.Store{Changes: c},
		solvencyStore: &solvency.Store{Changes: c}, stepStore: &steps.Store{Reads: r}, webhookStore: &webhooks.Store{Changes: c},
	}, nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.changes.Ping(ctx) }

// StoreTime implements ports.StoreClock.
func (s *Store) StoreTime(ctx context.Context) (time.Time, error) { return s.changes.StoreTime(ctx) }

// ProbeWrite updates a row with its own values and commits. It fails on a read-only server, on a
// full disk, and where a standby doesn't answer, even if reads work. It changes nothing in the
// ledger.
func (s *Store) ProbeWrite(ctx context.Context) error { return s.changes.ProbeWrite(ctx) }

// ReportHeads sets the function that receives the head of the lane of short transactions after
// each commit that moved it. Call it before the first change.
func (s *Store) ReportHeads(sealed func(witness.Head)) { s.changes.ReportHeads(sealed) }

// Observe adds a hook for every query except those of batches. hook gets the name of each pool of
// connections ("write" or "read") and the pool. Events of prepared queries have no start time.
// Call it before the first query.
func (s *Store) Observe(hook func(pool string, db *sql.DB) bun.QueryHook) {
	s.db.Observe(hook("write", s.db.Write.DB), hook("read", s.db.Read.DB))
}

// Follow makes the store use a clock instead of the database's for hourly withdrawal limits.
// Simulations, whose time differs from the database's, use it. Call it before the first query.
func (s *Store) Follow(clock ports.Clock) { s.db.Follow(clock.Now) }

// Close waits for running reads and closes every connection. On SQLite the file then has every
// commit, so that a copy of it alone is complete, unless Close returns an error or another process
// reads the file. Writers must be drained and must have released their lanes before.
func (s *Store) Close() error { return s.db.Close() }

// Writer returns a writer that commits nothing until Run or Step is called.
func (s *Store) Writer(o WriterOptions) (*Writer, error) { return s.writers.Writer(o) }

// Writers returns as many writers as the database can use, named after the options' ID.
func (s *Store) Writers(o WriterOptions) (*Writers, error) { return s.writers.Writers(o) }

const (
	// PruneInterval is the pause between two searches for expired data.
	PruneInterval = time.Minute
	// MonthsInterval is the pause between two checks for the partitions of the coming months.
	MonthsInterval = time.Hour
)

// Workers returns the database's workers, which run in addition to app.Casino.Workers: they
// delete expired data and, on PostgreSQL, make the partitions of the coming months. Without them
// expired data stays, and rounds of months without a partition share the partition called rest.
func (s *Store) Workers(clock ports.Clock) []app.Worker {
	return []app.Worker{
		{Name: "prune", Interval: PruneInterval, Step: func(ctx context.Context) (bool, error) { return s.Prune(ctx, clock.Now()) }},
		{Name: "months", Interval: MonthsInterval, WhileRestored: true, Step: func(ctx context.Context) (bool, error) {
			return s.MakeMonths(ctx, clock.Now())
		}},
	}
}
