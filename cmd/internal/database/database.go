// Package database has the commands that work on the database itself, with or without a
// running service. They need no role, only access to the database.
package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
)

// storeFlags name the database of a command: the named one, or else that of casino dev's
// folder. A folder on the command line takes precedence over a database in the environment.
type storeFlags struct {
	dev.DataFlags
	settings.Database
}

// AfterApply decides which of the two is used.
func (f *storeFlags) AfterApply(parsed *kong.Context) error {
	written := map[string]bool{}
	for _, part := range parsed.Path {
		if part.Flag != nil {
			written[part.Flag.Name] = true
		}
	}
	switch database := written["database-url"] || written["database-url-file"]; {
	case written["data-dir"] && database:
		return errors.New("--data-dir and --database-url name two databases: give only one")
	case written["data-dir"]:
		f.Database = settings.Database{}
	}
	return nil
}

// offline has the open database and its surroundings.
type offline struct {
	store   *sqlstore.Store
	machine *system.System
	games   *game.Registry
	// keyed means that sealed seeds can be opened.
	keyed bool
}

// withOffline runs do with the open database.
func (f storeFlags) withOffline(ctx context.Context, do func(*offline) error) error {
	return f.withKeys(ctx, settings.Seeds{}, do)
}

// withKeys is withOffline with the keys of seeds, if given. A data folder has its own.
func (f storeFlags) withKeys(ctx context.Context, seeds settings.Seeds, do func(*offline) error) error {
	ring, given, err := seeds.Ring()
	if err != nil {
		return cli.Usage(err)
	}
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return err
	}
	machine := system.Default()
	work := func(store *sqlstore.Store) error {
		return do(&offline{store: store, machine: machine, games: games, keyed: given || !f.Given()})
	}
	if !f.Given() {
		return inFolder(ctx, dev.Folder(f.DataDir), machine, work)
	}
	return withSealedDatabase(ctx, f.Database, false, ring, func(store *sqlstore.Store) error {
		if err := service.Migrated(ctx, store); err != nil {
			return err
		}
		return work(store)
	})
}

// withSealing is withKeys for commands that write. It refuses missing keys and keys of another
// service: the public log stops at a block without the service's seal.
func (f storeFlags) withSealing(ctx context.Context, seeds settings.Seeds, do func(*offline) error) error {
	return f.withKeys(ctx, seeds, func(o *offline) error {
		seals, err := f.readSeals(o, seeds)
		if err != nil {
			return err
		}
		if err := service.CheckSeals(ctx, o.store, seals); errors.Is(err, service.ErrOtherKeys) {
			return cli.Usage(err)
		} else if err != nil {
			return err
		}
		return do(o)
	})
}

// inFolder runs do with the open database of a data folder.
func inFolder(ctx context.Context, dir dev.Folder, machine *system.System, do func(*sqlstore.Store) error) (err error) {
	if _, err := os.Stat(dir.Database()); errors.Is(err, fs.ErrNotExist) {
		return cli.Usage(fmt.Errorf("there is no database at %s: casino dev makes one", dir.Database()))
	}
	store, err := dev.OpenFolder(ctx, dir, machine, sqlite.OpenLean)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
}

// roleCommands returns the commands that change roles. They need no role, but the list of
// roles is sealed with the service's keys, so access to the database alone isn't
// sufficient.
func (f storeFlags) roleCommands(ctx context.Context, o *offline, keys settings.Seeds, state settings.State) (admin.RoleCommands, error) {
	if !f.Given() {
		state.StateDir = dev.Folder(f.DataDir).State()
	}
	seals, err := f.readSeals(o, keys)
	if err != nil {
		return admin.RoleCommands{}, err
	}
	versions, err := keptVersions(ctx, state, o, seals)
	if err != nil {
		return admin.RoleCommands{}, err
	}
	keeper, err := keeperIn(state, o, seals)
	sealed := admin.SealedRoles{Lists: o.store, Seals: seals, Versions: versions}
	return admin.RoleCommands{
		Roles: keeper.Roles(sealed), Lists: sealed, Agents: o.store, Withdrawals: o.store, Policy: rbac.DefaultPolicy(), Clock: o.machine, Entropy: o.machine,
	}, err
}
