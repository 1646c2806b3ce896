package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// openDatabase opens the database for the checks that read it. Opening checks the settings of
// sessions, and that no pooler is between.
func (d *doctor) openDatabase(ctx context.Context) []Finding {
	const name = "database"
	at := d.plan.Database
	if at.Engine == "" {
		return skipped(name, "no database is named", "Name it in CASINO_DATABASE_URL.")
	}
	asked := d.Machine.Now()
	if at.Engine == settings.SQLite {
		if _, err := os.Stat(at.Reveal()); err != nil {
			return fault(name, err, "Name the file in CASINO_DATABASE_URL, or make it with casino migrate up.")
		}
	}
	store, err := service.OpenToRead(ctx, at, sealer.New(d.plan.Seeds, d.machine.Reader()))
	if err == nil && at.Engine == settings.SQLite {
		err = store.Ping(ctx)
	}
	if err != nil {
		remedy := "Start the server, and correct address, user or password in CASINO_DATABASE_URL."
		if errors.Is(err, postgres.ErrPooler) || errors.Is(err, postgres.ErrSettings) {
			remedy = "Change what the line names in the URL, the role or the database (docs/operations/postgres.md)."
		}
		return fault(name, err, remedy)
	}
	d.store.Store(store)
	took := d.Machine.Now().Sub(asked).Round(time.Millisecond)
	if at.Engine == settings.SQLite {
		return ok(name, "sqlite, opened in %s", took)
	}
	server, err := postgres.Inspect(ctx, at.Reveal())
	if err != nil {
		return fault(name, err, "Allow the service's login to read the catalogues of the server.")
	}
	d.server.Store(&server)
	return ok(name, "postgres %s, answers in %s as %s", server.Version, took, server.User)
}

// repairDatabase is the remedy for a check that the database stands in the way of.
const repairDatabase = "Repair what the line about the database names."

// withStore calls do with the open database. An error of it means that the database can't be read.
func (d *doctor) withStore(name string, do func(*sqlstore.Store) ([]Finding, error)) []Finding {
	store := d.store.Load()
	if store == nil {
		return skipped(name, "the database can't be read", repairDatabase)
	}
	found, err := do(store)
	if err != nil {
		return append(found, fault(name, err, repairDatabase)...)
	}
	return found
}

// withServer calls do with the inspected server, or says that there is none.
func (d *doctor) withServer(name string, do func(postgres.Inspection) []Finding) []Finding {
	server := d.server.Load()
	switch {
	case server != nil:
		return do(*server)
	case d.plan.Database.Engine == settings.SQLite:
		return skipped(name, "SQLite has none", "Use PostgreSQL for more than one instance.")
	}
	return skipped(name, "the database can't be read", repairDatabase)
}

func (d *doctor) checkMigrations(ctx context.Context) []Finding {
	const name = "migrations"
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		if err := store.CheckSchema(ctx); err != nil {
			return fault(name, err, "Run casino migrate up as the owner of the schema, with the version that the line asks for."), nil
		}
		all, err := store.MigrationStatus(ctx)
		if err != nil {
			return nil, err
		}
		return ok(name, "all %d are done, the newest is %s", len(all), all[len(all)-1].Name), nil
	})
}

func (d *doctor) checkDurability(ctx context.Context) []Finding {
	const name = "durability"
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		if err := store.CheckDurable(ctx); err != nil {
			return fault(name, err, "Turn the named settings on, in postgresql.conf and for the role (ALTER ROLE … RESET)."), nil
		}
		server := d.server.Load()
		if server == nil {
			return ok(name, "the service commits with WAL and synchronous=FULL"), nil
		}
		s := server.Settings
		found := fmt.Sprintf("fsync=%s full_page_writes=%s synchronous_commit=%s synchronous_standby_names='%s' data_checksums=%s",
			s["fsync"], s["full_page_writes"], s["synchronous_commit"], s["synchronous_standby_names"], s["data_checksums"])
		switch {
		case s["synchronous_standby_names"] == "":
			return warning(name, "a lost server loses the newest commits: "+found,
				"Add a standby and name it in synchronous_standby_names, with synchronous_commit=on (docs/operations/postgres.md)."), nil
		case s["data_checksums"] != "on":
			return warning(name, "a faulty disk isn't noticed: "+found, "Stop the server and run pg_checksums --enable."), nil
		}
		return ok(name, "%s", found), nil
	})
}

func (d *doctor) checkConnections(context.Context) []Finding {
	const name = "connections"
	return d.withServer(name, func(server postgres.Inspection) []Finding {
		free, need := server.Limit-server.Used, postgres.SessionsMax()
		found := fmt.Sprintf("%d of %d are free, an instance opens up to %d", free, server.Limit, need)
		if free < need && !d.running.Load() {
			return warning(name, found, fmt.Sprintf("Raise max_connections or the role's CONNECTION LIMIT by %d, or end other sessions.", need-free))
		}
		return ok(name, "%s", found)
	})
}

// namedMax is how many rights a line names.
const namedMax = 6

func (d *doctor) checkRole(context.Context) []Finding {
	const name = "role"
	return d.withServer(name, func(server postgres.Inspection) []Finding {
		var found []Finding
		if len(server.Missing) > 0 {
			remedy := fmt.Sprintf("As the owner of the schema: GRANT %s TO %s;", strings.Replace(server.Missing[0], " on ", " ON ", 1), postgres.RuntimeRole)
			if !server.Member {
				remedy = fmt.Sprintf("As the owner of the schema: GRANT %s TO %s;", postgres.RuntimeRole, server.User)
			}
			found = append(found, fault(name, fmt.Errorf("%s lacks %s", server.User, listed(server.Missing)), remedy+" then run casino doctor again.")...)
		}
		if len(server.Excess) > 0 {
			found = append(found, fault(name, fmt.Errorf("%s %s, which the service doesn't need", server.User, listed(server.Excess)),
				"Connect as a role that has nothing but "+postgres.RuntimeRole+" (docs/operations/postgres.md), or REVOKE what the line names.")...)
		}
		if !server.Origin {
			found = append(found, warning(name, server.User+" can't call pg_control_system(), so a restored server isn't recognized by its origin",
				"As a superuser: GRANT EXECUTE ON FUNCTION pg_control_system() TO "+postgres.RuntimeRole+".")...)
		}
		if len(found) == 0 {
			return ok(name, "%s has the rights of %s and no others", server.User, postgres.RuntimeRole)
		}
		return found
	})
}

// listed names the first of several things, and the number of the others.
func listed(all []string) string {
	if more := len(all) - namedMax; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:namedMax], ", "), more)
	}
	return strings.Join(all, ", ")
}

// checkSeals checks that CASINO_SEED_KEYS are those that the service sealed its blocks with.
func (d *doctor) checkSeals(ctx context.Context) []Finding {
	const name = "seals"
	if len(d.plan.Seeds.IDs()) == 0 {
		return skipped(name, "there are no seed keys", "Set CASINO_SEED_KEYS.")
	}
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		heads, err := store.Heads(ctx)
		if err == nil {
			err = service.CheckSeals(ctx, store, sealer.NewAuthenticator(d.plan.Seeds))
		}
		if errors.Is(err, service.ErrOtherKeys) {
			return fault(name, fmt.Errorf("the seed keys %s verify the newest block of none of %d lanes", strings.Join(d.plan.Seeds.IDs(), ", "), len(heads)),
				"Give CASINO_SEED_KEYS the keys that the service used until now, with new ones before them."), nil
		}
		return ok(name, "the seed keys verify a newest block, of %d lanes", len(heads)), err
	})
}
