package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/ports"
)

// OpenDatabase opens a database without changing its schema. It creates a missing SQLite
// file only if make is set.
func OpenDatabase(ctx context.Context, at settings.Location, sealed ports.Sealer, make bool) (*sqlstore.Store, error) {
	return openLocation(ctx, at, sealed, make, sqlite.Open)
}

// OpenLean is OpenDatabase for commands that read a whole ledger once.
func OpenLean(ctx context.Context, at settings.Location, sealed ports.Sealer, make bool) (*sqlstore.Store, error) {
	return openLocation(ctx, at, sealed, make, sqlite.OpenLean)
}

func openLocation(ctx context.Context, at settings.Location, sealed ports.Sealer, make bool,
	openFile func(context.Context, string, ports.Sealer) (*sqlstore.Store, error),
) (*sqlstore.Store, error) {
	switch at.Engine {
	case settings.SQLite:
		if _, err := os.Stat(at.Reveal()); errors.Is(err, fs.ErrNotExist) && !make {
			return nil, fmt.Errorf("there is no database at %s: casino migrate up makes one", at.Reveal())
		}
		return openFile(ctx, at.Reveal(), sealed)
	case settings.Postgres:
		return postgres.Open(ctx, at.Reveal(), postgres.Options{Sealer: sealed, IDFrom: system.IDFrom})
	default:
		return nil, fmt.Errorf("%s is not a known database engine", at.Engine)
	}
}

// Migrated returns an error if the database's schema isn't this version's.
func Migrated(ctx context.Context, store *sqlstore.Store) error {
	err := store.CheckSchema(ctx)
	if fault.Is(err, fault.InvalidState) {
		return fmt.Errorf("%w (casino migrate status shows more, casino migrate up brings it up to date)", err)
	}
	return err
}

// databaseProbe returns the probe of a database: it must answer, have this version's
// schema, and accept what a bet needs, a lane of each writer and a commit. A read-only
// database is down, because all important operations write.
func databaseProbe(store *sqlstore.Store, writers *sqlstore.Writers) kernel.Probe {
	return func(ctx context.Context) error {
		if err := store.Ping(ctx); err != nil {
			return err
		}
		return errors.Join(store.CheckSchema(ctx), store.ProbeWrite(ctx), writers.ProbeLane(ctx))
	}
}

// ErrOtherKeys reports keys that made no newest block's seal.
var ErrOtherKeys = errors.New("CASINO_SEED_KEYS has other keys than the service: they verify no newest block. Give the command the keys of casino serve")

// CheckSeals returns an error if the keys made the seal of no lane's newest block. One is
// enough: a forged block must not stop whoever pauses payouts because of it.
func CheckSeals(ctx context.Context, store *sqlstore.Store, seals ports.Authenticator) error {
	heads, err := store.Heads(ctx)
	if err != nil {
		return err
	}
	before := slices.Clone(heads)
	for i := range before {
		before[i].Seq--
	}
	known := len(heads) == 0
	err = store.BlocksAfter(ctx, before, heads, func(b ports.Block) error {
		known = known || seals.Verify(hashchain.SealPurpose, b.Head.Sealed(), b.Seal) == nil
		return nil
	})
	if err == nil && !known {
		err = ErrOtherKeys
	}
	return err
}

// OpenToRead opens a database for reads alone. It neither makes nor changes an SQLite file.
func OpenToRead(ctx context.Context, at settings.Location, sealed ports.Sealer) (*sqlstore.Store, error) {
	return openLocation(ctx, at, sealed, false, sqlite.OpenReadOnly)
}
