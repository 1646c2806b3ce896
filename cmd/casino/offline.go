package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
)

// storeFlags name a database that a command works on beside the service, or
// while it is stopped.
type storeFlags struct{ dataFlags }

// offline is what such a command has.
type offline struct {
	store   *sqlstore.Store
	machine *system.System
	games   *game.Registry
}

// withOffline opens the database of the data folder for the time of do.
func (f storeFlags) withOffline(ctx context.Context, do func(*offline) error) (err error) {
	dir := dataDir(f.DataDir)
	if _, err := os.Stat(dir.database()); errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("there is no database at %s: casino dev makes one", dir.database())}
	}
	games, err := game.NewRegistry(game.Standard()...)
	if err != nil {
		return err
	}
	machine := system.Default()
	store, err := openDatabase(ctx, dir, machine)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(&offline{store: store, machine: machine, games: games})
}

// operator changes roles by the word of whoever holds the database.
func (o *offline) operator() app.Operator {
	return app.Operator{Roles: o.store, Policy: rbac.DefaultPolicy(), Clock: o.machine, Entropy: o.machine}
}
