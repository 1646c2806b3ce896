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
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

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
	// Migrations are the files of the dialect's schema.
	Migrations fs.FS
	// Sealer opens and closes server seeds.
	Sealer ports.Sealer
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	write, read *bun.DB
	dialect     Dialect
	migrations  *migrate.Migrations
	sealer      ports.Sealer
	statements  statements
	reads       sync.Map // *query to *sql.Stmt
	// locks are the dialect's statements that lock wallets.
	locks   []*query
	closing sync.Once
	closed  error
}

// New makes a Store of what an opener found. It asks the database nothing.
func New(o Options) (*Store, error) {
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(o.Migrations); err != nil {
		return nil, fmt.Errorf("sqlstore: migrations: %w", err)
	}
	var locks []*query
	for _, text := range o.Dialect.LockWallets() {
		locks = append(locks, newQuery(text, "wallet"))
	}
	return &Store{
		locks:      locks,
		write:      bun.NewDB(o.Write, o.Dialect.Bun()),
		read:       bun.NewDB(o.Read, o.Dialect.Bun()),
		dialect:    o.Dialect,
		migrations: migrations,
		sealer:     o.Sealer,
		statements: statements{dialect: o.Dialect},
	}, nil
}

// Close closes every connection. Writers must have been drained before.
func (s *Store) Close() error {
	s.closing.Do(func() { s.closed = errors.Join(s.read.Close(), s.write.Close()) })
	return s.closed
}

// Migrate brings the schema up to date and returns the names of what it ran. A
// migration counts as done only after it was committed, and can be run again.
func (s *Store) Migrate(ctx context.Context) ([]string, error) {
	migrator, err := s.migrator(ctx)
	if err != nil {
		return nil, err
	}
	group, err := migrator.Migrate(ctx)
	return names(group), wrap("migrate", err)
}

// MigrateDown undoes the last group of migrations that Migrate ran. What they
// made is gone with everything in it.
func (s *Store) MigrateDown(ctx context.Context) ([]string, error) {
	migrator, err := s.migrator(ctx)
	if err != nil {
		return nil, err
	}
	group, err := migrator.Rollback(ctx)
	return names(group), wrap("migrate down", err)
}

// Pending returns the names of the migrations that Migrate would run.
func (s *Store) Pending(ctx context.Context) ([]string, error) {
	migrator, err := s.migrator(ctx)
	if err != nil {
		return nil, err
	}
	all, err := migrator.MigrationsWithStatus(ctx)
	if err != nil {
		return nil, wrap("migration status", err)
	}
	return names(&migrate.MigrationGroup{Migrations: all.Unapplied()}), nil
}

func (s *Store) migrator(ctx context.Context) (*migrate.Migrator, error) {
	migrator := migrate.NewMigrator(s.write, s.migrations, migrate.WithMarkAppliedOnSuccess(true))
	return migrator, wrap("migration table", migrator.Init(ctx))
}

func names(group *migrate.MigrationGroup) []string {
	if group == nil {
		return nil
	}
	all := make([]string, len(group.Migrations))
	for i, m := range group.Migrations {
		all[i] = m.String()
	}
	return all
}

// wrap names what was being done when a database failed.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlstore: %s: %w", doing, err)
}
