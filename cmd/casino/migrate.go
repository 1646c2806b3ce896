package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type migrateCommand struct {
	Status migrateStatusCommand `cmd:"" help:"List what the schema lacks. Example: casino migrate status"`
	Up     migrateUpCommand     `cmd:"" help:"Bring the schema up to date. Example: casino migrate up"`
	Down   migrateDownCommand   `cmd:"" help:"Undo the last migrations with everything in them. Example: casino migrate down --lose-data"`
}

// withDatabase opens the database, which is made when make says so, for the time
// of do. No secret is needed to change a schema.
func withDatabase(ctx context.Context, named settings.Database, make bool, do func(*sqlstore.Store) error) (err error) {
	location, err := named.Location()
	if err != nil {
		return usageError{err}
	}
	store, err := service.OpenDatabase(ctx, location, sealer.New(sealer.Keyring{}, system.Default().Reader()), make)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
}

type migrateStatusCommand struct{ settings.Database }

// Run lists what is missing.
func (c migrateStatusCommand) Run(ctx context.Context, s streams) error {
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		pending, err := store.Pending(ctx)
		return listed(s, err, "missing", pending, "the schema is up to date")
	})
}

type migrateUpCommand struct{ settings.Database }

// Run brings the schema up to date.
func (c migrateUpCommand) Run(ctx context.Context, s streams) error {
	return withDatabase(ctx, c.Database, true, func(store *sqlstore.Store) error {
		ran, err := store.Migrate(ctx)
		return listed(s, err, "done", ran, "the schema was up to date")
	})
}

type migrateDownCommand struct {
	settings.Database
	LoseData bool `help:"Say that what the migrations made may be lost with everything in it."`
}

// Run undoes the last migrations.
func (c migrateDownCommand) Run(ctx context.Context, s streams) error {
	if !c.LoseData {
		return usageError{errors.New("migrate down loses what the migrations made with everything in it: say --lose-data")}
	}
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		undone, err := store.MigrateDown(ctx)
		return listed(s, err, "undone", undone, "there was nothing to undo")
	})
}

// listed prints a word and a migration a line, or that there is none.
func listed(s streams, err error, word string, names []string, none string) error {
	for _, name := range names {
		fmt.Fprintln(s.out, word, name)
	}
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Fprintln(s.out, none)
	}
	return nil
}
