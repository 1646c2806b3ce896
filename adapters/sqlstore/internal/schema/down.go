package schema

import (
	"context"
	"errors"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// MigrateDown undoes the newest migration, and none before it. What it made is gone
// with everything in it, so that it is refused, as a fault of kind InvalidState, where
// money has moved, while somebody writes, and under a newer program's migrations.
func (s *Schema) MigrateDown(ctx context.Context) ([]string, error) {
	return s.migrating(ctx, "migrate down", s.undoNewest)
}

func (s *Schema) undoNewest(m *migrate.Migrator, ctx context.Context, _ ...migrate.MigrationOption) (undone *migrate.MigrationGroup, err error) {
	undone = &migrate.MigrationGroup{}
	held, err := s.holdLanes(ctx, m.DB())
	// The server takes them back some time after the session is closed, which the next one
	// would take for a service that writes.
	defer func() { err = errors.Join(err, s.giveLanes(ctx, m.DB(), held)) }()
	if err = errors.Join(err, s.unplayed(ctx, m.DB())); err != nil {
		return undone, err
	}
	if missing, err := m.MissingMigrations(ctx); err != nil || len(missing) > 0 {
		return undone, errors.Join(err, fault.New(fault.InvalidState,
			"the schema is of a newer program (%s): undo with that one what it made", missing))
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

// holdLanes takes every lane, so that nobody writes until they are given back, and returns
// those that it has.
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

// giveLanes gives lanes back. The pool of migrations has one session, which is theirs.
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

// moved are the tables whose rows can't be made again, and which of their rows
// count: blocks of writers stand for months that were detached.
var moved = []struct{ table, where string }{{"rounds", ""}, {"transfers", ""}, {"blocks", " WHERE lane > 0"}}

// unplayed refuses a database in which something happened.
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
				"the database has %s: migrate down never goes over what was played or paid. Restore a backup into a fresh database instead", of.table)
		}
	}
	return nil
}
