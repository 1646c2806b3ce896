// Package schema manages the schema of the SQL store's database: migrations, monthly partitions,
// and the settings without which commits could be lost.
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
	// session opens a pool of one session for migrations; nil means that the write pool is used.
	session    func() *sql.DB
	migrations *migrate.Migrations
	// made maps a migration's number to what it makes.
	made map[string][]thing
}

// New returns the schema of a database, with migrations from these files.
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
	// Name is its number and topic, such as "0001_casino".
	Name string
	// AppliedAt is when it was applied, zero if it wasn't.
	AppliedAt time.Time
	// Unknown says that the database has it and this program doesn't: a newer program applied it.
	Unknown bool
}

// migrationTable is bun's table of applied migrations.
const migrationTable = "bun_migrations"

// Migrate brings the schema up to date and returns the names of the migrations it ran. A
// migration is recorded only after its commit, and can be run again, so that a killed one is
// repeated. Concurrent calls run one after the other. A schema with foreign tables is refused as
// by CheckForeign, before any change.
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
	if err != nil { // the group includes the migration that failed; the table says what was done
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
		return fault.New(fault.InvalidState, "the schema has migrations of a newer version: %s. Run that version", strings.Join(unknown, ", "))
	case len(pending) > 0:
		return fault.New(fault.InvalidState, "the schema is not migrated: %s missing", strings.Join(pending, ", "))
	}
	return nil
}

// CheckDurable returns a fault of kind InvalidState that names the settings with which the server
// could lose a committed transaction.
func (s *Schema) CheckDurable(ctx context.Context) error {
	unsafe, err := s.db.Dialect.Unsafe(ctx, s.db.Read.DB)
	if err != nil {
		return db.Wrap("check settings", err)
	}
	if len(unsafe) > 0 {
		return fault.New(fault.InvalidState, "the database could lose committed transactions with these settings: %s", strings.Join(unsafe, ", "))
	}
	return nil
}

// MigrateDown reverts the newest migration only. Its tables are dropped with their contents.
// Therefore it refuses, with a fault of kind InvalidState, if money has moved, while a writer
// runs, and if a newer program's migrations are applied.
func (s *Schema) MigrateDown(ctx context.Context) ([]string, error) {
	return s.migrating(ctx, "migrate down", s.undoNewest)
}

func (s *Schema) undoNewest(m *migrate.Migrator, ctx context.Context, _ ...migrate.MigrationOption) (undone *migrate.MigrationGroup, err error) {
	undone = &migrate.MigrationGroup{}
	held, err := s.holdLanes(ctx, m.DB())
	// The server releases them some time after the session is closed; until then the next
	// MigrateDown would report a running writer.
	defer func() { err = errors.Join(err, s.giveLanes(ctx, m.DB(), held)) }()
	if err = errors.Join(err, s.unplayed(ctx, m.DB())); err != nil {
		return undone, err
	}
	if missing, err := m.MissingMigrations(ctx); err != nil || len(missing) > 0 {
		return undone, errors.Join(err, fault.New(fault.InvalidState,
			"the schema has migrations of a newer version (%s): run migrate down with that version", missing))
	}
	all, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return undone, err
	}
	applied := all.Applied()
	if len(applied) == 0 {
		return undone, nil
	}
	newest := applied[0]
	if newest.Down != nil {
		if err := newest.Down(ctx, m, &newest); err != nil {
			return undone, err
		}
	}
	if err := m.MarkUnapplied(ctx, &newest); err != nil {
		return undone, err
	}
	undone.Migrations = migrate.MigrationSlice{newest}
	return undone, nil
}

// holdLanes takes every lane, so that no writer runs until they are released, and returns those
// it took.
func (s *Schema) holdLanes(ctx context.Context, pool *bun.DB) (held []int, err error) {
	session, err := pool.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	for lane := 1; lane <= s.db.Dialect.Lanes(); lane++ {
		mine, err := s.db.Dialect.TakeLane(ctx, session, lane)
		if err != nil {
			return held, err
		}
		if !mine {
			return held, fault.New(fault.InvalidState,
				"a service writes to the database (it holds lane %d): stop every instance before migrate down", lane)
		}
		held = append(held, lane)
	}
	return held, nil
}

// giveLanes releases lanes. The pool of migrations has one session, which holds them.
func (s *Schema) giveLanes(ctx context.Context, pool *bun.DB, held []int) (err error) {
	session, err := pool.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	for _, lane := range held {
		err = errors.Join(err, s.db.Dialect.GiveLane(ctx, session, lane))
	}
	return err
}

// moved lists the tables with rows that can't be recreated, and which of their rows count:
// writers' blocks prove rounds of months that were detached.
var moved = []struct{ table, where string }{{"rounds", ""}, {"transfers", ""}, {"blocks", " WHERE lane > 0"}}

// unplayed refuses a database with such rows.
func (s *Schema) unplayed(ctx context.Context, pool *bun.DB) error {
	for _, of := range moved {
		there := 0
		if err := pool.QueryRowContext(ctx, s.db.Dialect.CountTables(), of.table).Scan(&there); err != nil {
			return db.Wrap("look for "+of.table, err)
		}
		if there == 0 {
			continue
		}
		rows := 0
		err := pool.DB.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 AS one FROM "+of.table+of.where+" LIMIT 1) AS found").Scan(&rows)
		if err != nil {
			return db.Wrap("look into "+of.table, err)
		}
		if rows > 0 {
			return fault.New(fault.InvalidState,
				"the database has %s: migrate down never deletes games or payments. Restore a backup into a new database instead", of.table)
		}
	}
	return nil
}

// MonthsAhead is for how many months, including the current one, partitions of rounds and
// transfers are made.
const MonthsAhead = 3

// MakeMonths makes the partitions of the coming months where rounds and transfers have
// partitions, and reports whether it made some. Calling it once a day is enough; rows of a month
// without a partition go to the partition called rest.
func (s *Schema) MakeMonths(ctx context.Context, now time.Time) (worked bool, err error) {
	text := s.db.Dialect.MakeMonths()
	if text == "" {
		return false, nil
	}
	made := 0
	err = s.db.Write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return tx.QueryRowContext(ctx, text, db.Micros(now), MonthsAhead).Scan(&made)
	})
	return made > 0, db.Wrap("make partitions", err)
}

// DetachMonth takes the rounds and transfers of a month out of the service's tables. It needs the
// schema's owner. Blocks, balances and figures stay, and audits read the month's own tables
// (rounds_YYYY_MM, transfers_YYYY_MM) while they exist. Lists and histories no longer show the
// month. A month that ended within 31 days or has an open transaction is refused.
func (s *Schema) DetachMonth(ctx context.Context, month time.Time) error {
	return s.moveMonth(ctx, "detach month", month, false)
}

// AttachMonth attaches a detached month again. It needs the schema's owner.
func (s *Schema) AttachMonth(ctx context.Context, month time.Time) error {
	return s.moveMonth(ctx, "attach month", month, true)
}

func (s *Schema) moveMonth(ctx context.Context, doing string, month time.Time, back bool) (err error) {
	text := s.db.Dialect.MoveMonth(back)
	if text == "" {
		return fault.New(fault.InvalidState, "this database has no monthly partitions")
	}
	pool := bun.NewDB(s.session(), s.db.Dialect.Bun())
	defer func() { err = errors.Join(err, db.Wrap(doing, pool.Close())) }()
	if err := s.db.Dialect.LockSchema(ctx, pool.DB); err != nil {
		return db.Wrap(doing, err)
	}
	_, err = pool.ExecContext(ctx, text, month.UTC().Format(db.MonthLayout))
	return db.Wrap(doing, err)
}
