package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type MigrateCommand struct {
	Status migrateStatusCommand `cmd:"" help:"List the migrations, and which of them are missing. Example: casino migrate status"`
	Up     migrateUpCommand     `cmd:"" help:"Bring the schema up to date. Example: casino migrate up"`
	Down   migrateDownCommand   `cmd:"" help:"Undo the newest migration, losing the data in it; never where money has moved or while a service runs. Example: casino migrate down --lose-data"`
	Detach migrateDetachCommand `cmd:"" help:"Move an old month's rounds and transfers out of the service's tables; audits still read them. Example: casino migrate detach 2026-01"`
	Attach migrateAttachCommand `cmd:"" help:"Put a detached month back. Example: casino migrate attach 2026-01"`
}

// withDatabase runs do with the open database, which is created first if make is set.
// Schema changes need no secret.
func withDatabase(ctx context.Context, named settings.Database, make bool, do func(*sqlstore.Store) error) error {
	return withSealedDatabase(ctx, named, make, sealer.Keyring{}, do)
}

// withSealedDatabase is withDatabase with the keys of seeds.
func withSealedDatabase(ctx context.Context, named settings.Database, make bool, ring sealer.Keyring, do func(*sqlstore.Store) error) (err error) {
	location, err := named.Location()
	if err != nil {
		return cli.Usage(err)
	}
	store, err := service.OpenLean(ctx, location, sealer.New(ring, system.Default().Reader()), make)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
}

type migrateStatusCommand struct{ settings.Database }

// Run lists every migration and whether it was run.
func (c migrateStatusCommand) Run(ctx context.Context, s cli.Streams) error {
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		all, err := store.MigrationStatus(ctx)
		if err != nil {
			return err
		}
		for _, m := range all {
			switch {
			case m.Unknown:
				fmt.Fprintln(s.Out, "unknown", m.Name, "of a newer version")
			case m.AppliedAt.IsZero():
				fmt.Fprintln(s.Out, "missing", m.Name)
			default:
				fmt.Fprintln(s.Out, "done   ", m.Name, m.AppliedAt.Format(time.RFC3339))
			}
		}
		return nil
	})
}

type migrateUpCommand struct{ settings.Database }

// Run brings the schema up to date.
func (c migrateUpCommand) Run(ctx context.Context, s cli.Streams) error {
	return withDatabase(ctx, c.Database, true, func(store *sqlstore.Store) error {
		ran, err := store.Migrate(ctx)
		return printMigrations(s, err, "done", ran, "the schema was up to date")
	})
}

type migrateDownCommand struct {
	settings.Database
	LoseData bool `help:"Confirm that the data in what the migration made is lost."`
}

// Run undoes the newest migration.
func (c migrateDownCommand) Run(ctx context.Context, s cli.Streams) error {
	if !c.LoseData {
		return cli.Usage(errors.New("migrate down loses the data in what the newest migration made: confirm with --lose-data"))
	}
	return withDatabase(ctx, c.Database, false, func(store *sqlstore.Store) error {
		undone, err := store.MigrateDown(ctx)
		return printMigrations(s, err, "undone", undone, "there was nothing to undo")
	})
}

// printMigrations prints each migration after the word done, or none if there are no names.
func printMigrations(s cli.Streams, err error, done string, names []string, none string) error {
	for _, name := range names {
		fmt.Fprintln(s.Out, done, name)
	}
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Fprintln(s.Out, none)
	}
	return nil
}

// monthFlags name a month of a database.
type monthFlags struct {
	settings.Database
	Month string `arg:"" placeholder:"YYYY-MM" help:"The month, as in 2026-01."`
}

// moveMonth calls do for the month.
func (f monthFlags) moveMonth(ctx context.Context, s cli.Streams, done string, do func(*sqlstore.Store, time.Time) error) error {
	month, err := time.Parse("2006-01", f.Month)
	if err != nil {
		return cli.Usage(fmt.Errorf("%q is not a month such as 2026-01", f.Month))
	}
	return withDatabase(ctx, f.Database, false, func(store *sqlstore.Store) error {
		if err := do(store, month); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.Out, done, f.Month)
		return err
	})
}

type migrateDetachCommand struct{ monthFlags }

// Run moves the month out of the service's tables.
func (c migrateDetachCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.moveMonth(ctx, s, "detached", func(store *sqlstore.Store, month time.Time) error {
		return store.DetachMonth(ctx, month)
	})
}

type migrateAttachCommand struct{ monthFlags }

// Run puts the month back.
func (c migrateAttachCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.moveMonth(ctx, s, "attached", func(store *sqlstore.Store, month time.Time) error {
		return store.AttachMonth(ctx, month)
	})
}
