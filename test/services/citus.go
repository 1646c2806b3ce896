package services

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// citusVariable names the environment variable without which tests on a Citus cluster are skipped.
const citusVariable = "CASINO_TEST_CITUS"

// CitusWanted reports whether tests on Citus clusters run: the extension is missing on most
// machines.
func CitusWanted() bool { return os.Getenv(citusVariable) != "" }

// citusRole is the user that the service connects as, a member of casino_runtime.
const citusRole = "casino_citus"

// citusSettings are those that Citus needs: a commit on several machines has two phases, and
// shards move by logical replication.
var citusSettings = []string{"shared_preload_libraries=citus", "max_prepared_transactions=400", "wal_level=logical", "shared_buffers=128MB",
	"citus.recover_2pc_interval=2s"}

// Citus is a private Citus cluster: a coordinator and workers, each a server that a test may kill.
type Citus struct {
	Coordinator *Cluster
	Workers     []*Cluster
	database    string
	within      string // the folder of the servers' folders
}

// NewCitus starts a coordinator and this many workers, which commit durably and end with the test.
// It skips the test unless `make citus` runs it.
func NewCitus(tb testing.TB, workers int) *Citus {
	tb.Helper()
	if !CitusWanted() {
		tb.Skip("runs with make citus") // allowed: the extension is missing on most machines
	}
	c := &Citus{database: "casino"}
	if _, measured := tb.(*testing.B); !measured {
		c.within = inMemory() // a killed server loses nothing there
	}
	noError(tb, c.add(tb.Context(), newDurable(tb, c.within, citusSettings...)))
	for range workers {
		c.AddWorker(tb)
	}
	return c
}

// AddWorker starts a further worker and makes it known to the coordinator. Shards move to it by
// citus_rebalance_start.
func (c *Citus) AddWorker(tb testing.TB) {
	tb.Helper()
	noError(tb, c.add(tb.Context(), newDurable(tb, c.within, citusSettings...)))
}

// add makes a server the coordinator, or a worker if there is one.
func (c *Citus) add(ctx context.Context, server *Cluster) error {
	if err := execute(ctx, server.URL(), "CREATE DATABASE "+c.database); err != nil {
		return err
	}
	if err := execute(ctx, databaseURL(server.URL(), c.database), "CREATE EXTENSION citus"); err != nil {
		return err
	}
	add := "citus_add_node"
	if c.Coordinator == nil {
		c.Coordinator, add = server, "citus_set_coordinator_host"
	} else {
		c.Workers = append(c.Workers, server)
	}
	return execute(ctx, c.URL(), fmt.Sprintf("SELECT %s('127.0.0.1', %d)", add, server.port))
}

// URL returns the owner's URL of the database at the coordinator.
func (c *Citus) URL() string { return databaseURL(c.Coordinator.URL(), c.database) }

// CitusService returns the URL with which the service connects to a database, of the owner's URL.
func CitusService(owner string) string {
	return strings.Replace(owner, "postgres@", citusRole+"@", 1) + "&plan_cache_mode=force_custom_plan"
}

// Distribute runs deploy/citus/distribute.sql on a migrated schema.
func Distribute(ctx context.Context, owner string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	owner += "&citus.shard_count=8" // the default of 32 takes a minute on a busy machine
	script, err := os.ReadFile(filepath.Join(root, "deploy", "citus", "distribute.sql"))
	if err != nil {
		return fmt.Errorf("services: %w", err)
	}
	db, err := sql.Open("pgx", owner)
	if err != nil {
		return fmt.Errorf("services: open the database: %w", err)
	}
	if _, err = db.ExecContext(ctx, string(script), pgx.QueryExecModeSimpleProtocol); err == nil {
		_, err = db.ExecContext(ctx, `DO $$ BEGIN CREATE ROLE `+citusRole+` LOGIN IN ROLE casino_runtime; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("services: distribute: %w", err)
	}
	return nil
}

// prepared is the cluster that this process's tests share. Its database is copied for each test.
var prepared struct {
	once   sync.Once
	citus  *Citus
	failed error
}

// CitusPrepared returns the owner's URL of a new copy of a database that prepare filled, once in a
// test process, on a cluster of two workers.
func CitusPrepared(tb testing.TB, prepare func(ctx context.Context, owner string) error) (owner string) {
	tb.Helper()
	ctx, name := context.WithoutCancel(tb.Context()), freshName()
	prepared.once.Do(func() { prepared.failed = prepareCitus(ctx, prepare) })
	noError(tb, prepared.failed)
	c := prepared.citus
	noError(tb, c.everywhere(ctx, "CREATE DATABASE "+name+" TEMPLATE "+c.database+" STRATEGY file_copy"))
	tb.Cleanup(func() {
		// A server's maintenance daemon uses the database too, and starts again when it is ended.
		drop := "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"
		for err := c.everywhere(ctx, drop); err != nil; err = c.everywhere(ctx, drop) {
			if Overdue() {
				tb.Fatal(err)
			}
		}
	})
	return databaseURL(c.URL(), name)
}

// prepareCitus starts the shared cluster and fills its database. Then it closes that on all
// servers, because a database in use can't be copied.
func prepareCitus(ctx context.Context, prepare func(ctx context.Context, owner string) error) error {
	prepared.citus = &Citus{database: "prepared"}
	for range 3 {
		server, err := newCluster(inMemory(), slices.Concat(unsafeSettings, citusSettings))
		if err == nil {
			err = server.launch()
		}
		if err == nil {
			err = prepared.citus.add(ctx, server)
		}
		if err != nil {
			return err
		}
	}
	if err := prepare(ctx, prepared.citus.URL()); err != nil {
		return err
	}
	return prepared.citus.everywhere(ctx, "UPDATE pg_database SET datallowconn = false WHERE datname = 'prepared'",
		"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'prepared'")
}

// everywhere runs statements on all servers at the same time, in a database of their own.
func (c *Citus) everywhere(ctx context.Context, statements ...string) error {
	servers := append([]*Cluster{c.Coordinator}, c.Workers...)
	failed := make([]error, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Go(func() {
			for _, statement := range statements {
				failed[i] = errors.Join(failed[i], execute(ctx, server.URL(), statement))
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

func noError(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
