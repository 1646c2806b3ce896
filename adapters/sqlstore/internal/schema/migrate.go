// Package schema makes the schema of the SQL store's database and looks after it:
// migrations, the partitions of months, and the settings without which commits could
// be lost.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// Schema is the schema of a database.
type Schema struct {
	db *db.DB
	// session opens a pool of one session to migrate with; nil means that the pool
	// that writes does it.
	session    func() *sql.DB
	migrations *migrate.Migrations
	// made is what each migration makes, by its number.
	made map[string][]thing
}

// New returns the schema of a database, as the files of migrations make it.
func New(d *db.DB, files fs.FS, session func() *sql.DB) (*Schema, error) {
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(files); err != nil {
		return nil, db.Wrap("migrations", err)
	}
	made, err := madeBy(files, migrations)
	if err != nil {
		return nil, err
	}
	return &Schema{d, session, migrations, made}, nil
}

// Migration is a step of the schema.
type Migration struct {
	// Name is its number and what it is about, as in "0001_casino".
	Name string
	// AppliedAt is when the database was brought over it, zero while it wasn't.
	AppliedAt time.Time
	// Unknown says that the database has it and this program doesn't: a newer
	// one has been there.
	Unknown bool
}

// migrationTable is bun's list of what was applied.
const migrationTable = "bun_migrations"

// Migrate brings the schema up to date and returns the names of what it ran. A
// migration counts as done only after it was committed, and can be run again, so
// that a killed one is repeated. Several at the same time come one after the
// other. A schema with tables of somebody else is refused as CheckForeign says,
// before anything is made.
func (s *Schema) Migrate(ctx context.Context) ([]string, error) {
	return s.migrating(ctx, "migrate", (*migrate.Migrator).Migrate)
}

func (s *Schema) migrating(ctx context.Context, doing string,
	do func(*migrate.Migrator, context.Context, ...migrate.MigrationOption) (*migrate.MigrationGroup, error)) (ran []string, err error) {
	pool := s.db.Write
	if s.session != nil {
		pool = bun.NewDB(s.session(), s.db.Dialect.Bun())
		defer func() { err = errors.Join(err, db.Wrap(doing, pool.Close())) }()
	}
	if err := s.db.Dialect.LockSchema(ctx, pool.DB); err != nil {
		return nil, db.Wrap(doing, err)
	}
	if err := s.CheckForeign(ctx); err != nil {
		return nil, err
	}
	migrator := migrate.NewMigrator(pool, s.migrations, migrate.WithMarkAppliedOnSuccess(true), migrate.WithTableName(migrationTable))
	if err := migrator.Init(ctx); err != nil {
		return nil, db.Wrap("migration table", err)
	}
	group, err := do(migrator, ctx)
	if err != nil { // the group holds the migration that failed, too: the table says what was done
		return nil, db.Wrap(doing, err)
	}
	if group != nil {
		for _, m := range group.Migrations {
			ran = append(ran, m.String())
		}
	}
	return ran, db.Wrap(doing, err)
}

// MigrationStatus lists every migration, oldest first. It changes nothing.
func (s *Schema) MigrationStatus(ctx context.Context) ([]Migration, error) {
	tables := 0
	if err := s.db.Read.QueryRowContext(ctx, s.db.Dialect.CountTables(), migrationTable).Scan(&tables); err != nil {
		return nil, db.Wrap("migration status", err)
	}
	var applied migrate.MigrationSlice
	if tables > 0 {
		err := s.db.Rows(ctx, "migration status", "SELECT name, migrated_at FROM ? ORDER BY id",
			[]any{bun.Ident(migrationTable)}, func(row *sql.Rows) error {
				var m migrate.Migration
				err := row.Scan(&m.Name, &m.MigratedAt)
				applied = append(applied, m)
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	when := map[string]time.Time{}
	for _, m := range applied {
		when[m.Name] = m.MigratedAt
	}
	var all []Migration
	for _, m := range s.migrations.Sorted() {
		all = append(all, Migration{Name: m.String(), AppliedAt: when[m.Name].UTC()})
		delete(when, m.Name)
	}
	for _, m := range applied {
		if at, unknown := when[m.Name]; unknown {
			all = append(all, Migration{Name: m.Name, AppliedAt: at.UTC(), Unknown: true})
		}
	}
	return all, nil
}

// Pending returns the names of the migrations that Migrate would run.
func (s *Schema) Pending(ctx context.Context) ([]string, error) {
	all, err := s.MigrationStatus(ctx)
	var pending []string
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			pending = append(pending, m.Name)
		}
	}
	return pending, err
}

// CheckSchema returns a fault of kind InvalidState unless the database has
// exactly the migrations that this program knows.
func (s *Schema) CheckSchema(ctx context.Context) error {
	all, err := s.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	var pending, unknown []string
	for _, m := range all {
		switch {
		case m.Unknown:
			unknown = append(unknown, m.Name)
		case m.AppliedAt.IsZero():
			pending = append(pending, m.Name)
		}
	}
	switch {
	case len(unknown) > 0:
		return fault.New(fault.InvalidState, "the schema is of a newer program: it has %s", strings.Join(unknown, ", "))
	case len(pending) > 0:
		return fault.New(fault.InvalidState, "the schema is not migrated: %s missing", strings.Join(pending, ", "))
	}
	return nil
}

// CheckDurable returns a fault of kind InvalidState that names the settings
// under which the server would forget what it said is committed.
func (s *Schema) CheckDurable(ctx context.Context) error {
	unsafe, err := s.db.Dialect.Unsafe(ctx, s.db.Read.DB)
	if err != nil {
		return db.Wrap("check settings", err)
	}
	if len(unsafe) > 0 {
		return fault.New(fault.InvalidState, "the database could lose what was committed: %s", strings.Join(unsafe, ", "))
	}
	return nil
}
