package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/services"
)

// openOwner opens a database as the owner of its schema.
func openOwner(t *testing.T, url string) *sqlstore.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func openSide(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execAll(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestPostgresMigrationsGoUpAgainAfterDown(t *testing.T) {
	t.Parallel()
	url := services.Postgres(t)
	store := openOwner(t, url)
	ctx := t.Context()
	if err := store.CheckSchema(ctx); !fault.Is(err, fault.InvalidState) {
		t.Errorf("an empty database is taken for a migrated one: %v", err)
	}
	if _, err := postgres.Open(ctx, url, postgres.Options{Migrated: true}); !fault.Is(err, fault.InvalidState) {
		t.Errorf("an empty database is opened: %v", err)
	}
	pending, err := store.Pending(ctx)
	if err != nil || len(pending) == 0 {
		t.Fatalf("pending in an empty database: %v, %v", pending, err)
	}
	for range 2 {
		if ran, err := store.Migrate(ctx); err != nil || !slices.Equal(ran, pending) {
			t.Fatalf("migrate ran %v, %v; want %v", ran, err, pending)
		}
		if again, err := store.Migrate(ctx); err != nil || len(again) != 0 {
			t.Fatalf("a second migrate ran %v, %v", again, err)
		}
		if err := store.CheckSchema(ctx); err != nil {
			t.Error(err)
		}
		downStepByStep(t, store, pending)
	}
	var left int
	if err := openSide(t, url).QueryRow(`SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace
		AND relkind IN ('r', 'p', 'v', 'S') AND relname NOT LIKE 'bun%'`).Scan(&left); err != nil || left > 0 {
		t.Errorf("%d tables are left after down, %v", left, err)
	}
}

func TestPostgresASchemaOfANewerProgramIsRefused(t *testing.T) {
	t.Parallel()
	url := onPostgres.fresh(t)
	execAll(t, openSide(t, url), `INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 9)`)
	_, err := postgres.Open(t.Context(), url, postgres.Options{Migrated: true})
	if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "9999") {
		t.Errorf("opened with %v", err)
	}
}

// TestPostgresTenMigrateAtOnce kills one of ten processes while it holds the lock.
func TestPostgresTenMigrateAtOnce(t *testing.T) {
	t.Parallel()
	url := services.Postgres(t)
	pending, err := openOwner(t, url).Pending(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db := openSide(t, url)
	doomed := openOwner(t, url)
	ended := make(chan error, 1)
	// The doomed process gets the lock first and then waits for a locked table.
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`CREATE TABLE players (wallet text)`); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := doomed.Migrate(context.WithoutCancel(t.Context()))
		ended <- err
	}()
	waitFor(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, 1)
	var all sync.WaitGroup
	ran := make([][]string, 10)
	for i := range ran {
		store := openOwner(t, url)
		all.Go(func() {
			var err error
			if ran[i], err = store.Migrate(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	waitFor(t, db, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, 10)
	execAll(t, db, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if <-ended == nil {
		t.Error("the killed one says that it migrated")
	}
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	all.Wait()
	slices.SortFunc(ran, func(a, b []string) int { return len(a) - len(b) })
	if !slices.Equal(ran[9], pending) || len(ran[8]) > 0 {
		t.Errorf("the ten ran %v", ran)
	}
	if err := openOwner(t, url).CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
}

// waitFor waits until a query of one number returns want.
func waitFor(t *testing.T, db *sql.DB, query string, want int) {
	t.Helper()
	for {
		var n int
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if n == want {
			return
		}
		pauseALittle()
	}
}

func TestPostgresSettingsThatLoseCommitsAreNamed(t *testing.T) {
	t.Parallel()
	safe := services.NewCluster(t)
	if err := openOwner(t, safe.URL()).CheckDurable(t.Context()); err != nil {
		t.Errorf("a server with everything on: %v", err)
	}
	for _, setting := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		execAll(t, openSide(t, safe.URL()), "ALTER SYSTEM SET "+setting+" = off")
	}
	safe.Restart(t)
	err := openOwner(t, safe.URL()).CheckDurable(t.Context())
	if !fault.Is(err, fault.InvalidState) {
		t.Fatalf("everything is off: %v", err)
	}
	for _, setting := range []string{"fsync=off", "full_page_writes=off", "synchronous_commit=off"} {
		if !strings.Contains(err.Error(), setting) {
			t.Errorf("%v doesn't name %s", err, setting)
		}
	}
}

// TestPostgresACommitThatSkipsTheStandbyIsNamed: synchronous_commit=local loses nothing more than
// on, remote_write and remote_apply while there is no synchronous standby, and commits in a
// failover to one.
func TestPostgresACommitThatSkipsTheStandbyIsNamed(t *testing.T) {
	t.Parallel()
	cluster := services.NewCluster(t)
	for _, c := range []struct {
		level, standby string
		refused        bool
	}{
		{"local", "", false}, {"on", "standby", false}, {"remote_write", "standby", false}, {"remote_apply", "standby", false}, {"local", "standby", true},
	} {
		execAll(t, openSide(t, cluster.URL()), "ALTER SYSTEM SET synchronous_commit = "+c.level, "ALTER SYSTEM SET synchronous_standby_names = '"+c.standby+"'")
		cluster.Restart(t)
		err := openOwner(t, cluster.URL()).CheckDurable(t.Context())
		if fault.Is(err, fault.InvalidState) != c.refused || !c.refused && err != nil || c.refused && !strings.Contains(err.Error(), "synchronous_commit=local") {
			t.Errorf("%s with the standby %q: %v", c.level, c.standby, err)
		}
	}
}

// TestPostgresTheRuntimeRoleCanNeitherChangeTheSchemaNorWhatIsKept tries as the service's role,
// and then as the owner, who is only stopped by triggers.
func TestPostgresTheRuntimeRoleCanNeitherChangeTheSchemaNorWhatIsKept(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onPostgres, sqlstore.WriterOptions{})
	w.everything()
	w.sharedCrash()
	if err := w.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeReal, Genesis: "genesis", Ledger: "ours"}); err != nil {
		t.Fatal(err)
	}
	if id, founded, err := w.store.Identity(t.Context()); err != nil || !founded || id.Mode != ports.ModeReal || id.Genesis != "genesis" {
		t.Errorf("founded %v as %+v, %v", founded, id, err)
	}
	kept := []string{
		`INSERT INTO blocks SELECT * FROM blocks WHERE seq = 1`, `UPDATE blocks SET number = number + 1000`,
		`UPDATE blocks SET hash = previous`, `DELETE FROM blocks`,
		`UPDATE transfers SET amount = amount + 1`, `DELETE FROM transfers`, `UPDATE rounds SET payout = 0`, `DELETE FROM rounds`,
		`UPDATE names SET name = ''`, `DELETE FROM names`, `TRUNCATE names`, `UPDATE players SET key = gen_random_uuid()`,
		`UPDATE audit SET was = ''`, `DELETE FROM audit`, `DELETE FROM transactions`, `DELETE FROM seed_pairs`, `DELETE FROM payout_attempts`,
		`TRUNCATE blocks`, `TRUNCATE transfers`, `TRUNCATE transfers_other`, `TRUNCATE rounds`, `TRUNCATE rounds_other`, `TRUNCATE audit`,
		`TRUNCATE transactions, approvals, payout_attempts`, `TRUNCATE seed_pairs`, `TRUNCATE unique_keys`, `TRUNCATE payout_attempts`,
		`UPDATE seed_pairs SET nonce = nonce + 1, was = nonce WHERE state = 'retired'`, `UPDATE seed_pairs SET nonce = nonce + 1`,
		`UPDATE seed_pairs SET nonce = 0, was = nonce WHERE nonce > 0`, `UPDATE payout_attempts SET bytes = '\x00'`,
		`UPDATE payout_attempts SET dead = false`, `UPDATE meta SET value = ''`, `UPDATE balances SET amount = -1`,
		`UPDATE transactions SET amount = amount + 1`, `DELETE FROM unique_keys WHERE keep_until IS NULL`,
		`INSERT INTO transfers SELECT kind, scope, id || 'x', n, debit_kind, debit_owner, credit_kind, credit_owner, token, 0, wallet, lane, seq, position FROM transfers`,
		`INSERT INTO transfers SELECT * FROM transfers LIMIT 1`, `INSERT INTO transfers SELECT * FROM all_transfers WHERE kind = 'round'`,
		`UPDATE ledger_events SET was = ''`, `DELETE FROM ledger_events`, `TRUNCATE ledger_events`, `DELETE FROM meta`, `TRUNCATE meta`,
		`UPDATE crash_chains SET epoch = epoch + 1`, `TRUNCATE crash_chains CASCADE`, `UPDATE crash_way_points SET sealed = ''`, `DELETE FROM crash_way_points`, `TRUNCATE crash_way_points`,
		`TRUNCATE crash_rounds`, `DELETE FROM crash_lease`, `TRUNCATE crash_lease`, `UPDATE crash_lease SET fence = fence - 1`, `UPDATE crash_lease SET worker = 'x'`,
		`DELETE FROM control`, `TRUNCATE control`, `UPDATE control SET ledger = ledger || 'x'`,
		// A nonce that its pair has not reached, one that is used, one of a pair that doesn't
		// change.
		`INSERT INTO rounds ` + ofRounds + ` SELECT gen_random_uuid(), wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config,
			outcome, void, pair_id, nonce + 100, balance, at, lane, seq, position FROM rounds`,
		`INSERT INTO rounds ` + ofRounds + ` SELECT gen_random_uuid(), wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config,
			outcome, void, pair_id, nonce, balance, at, lane, seq, position FROM rounds`,
	}
	schema := []string{
		`SELECT setval('block_numbers', 1)`, `INSERT INTO detached_months VALUES ('2020_01')`, `SELECT drop_month('2020_01')`, `CREATE TABLE mine (a text)`, `DROP TABLE rounds_other`, `ALTER TABLE rounds DISABLE TRIGGER ALL`, `DROP TRIGGER rounds_append_only ON rounds`,
		`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
		`ALTER TABLE rounds DETACH PARTITION rounds_other`, `INSERT INTO rounds_other SELECT * FROM rounds LIMIT 1`,
		`SET session_replication_role = replica`, `SELECT make_partition('rounds', 'x', 'FOR VALUES FROM (''0a000000-0000-0000-0000-000000000000'') TO (''0b000000-0000-0000-0000-000000000000'')')`,
		`UPDATE bun_migrations SET name = ''`, `DELETE FROM players`, `DELETE FROM balances`, `DELETE FROM lane_totals`,
		`CREATE TEMP TABLE t AS SELECT 1; ALTER TABLE transfers RENAME TO x`,
	}
	// Everybody may call a new function until that is revoked.
	if n := w.number(`SELECT count(*) FROM pg_proc AS p WHERE p.pronamespace = current_schema()::regnamespace AND p.prorettype <> 'trigger'::regtype
			AND (p.prosrc LIKE '%EXECUTE%' OR p.prosecdef) AND has_function_privilege('public', p.oid, 'EXECUTE')`); n != 0 {
		t.Errorf("everybody may call %d functions that build statements or run with their owner's rights", n)
	}
	for who, attempts := range map[string][]string{
		w.where + runtimeRole: slices.Concat(kept, blocksOutOfOrder, schema), w.where: slices.Concat(kept, blocksOutOfOrder),
	} {
		db := openSide(t, who)
		for _, attempt := range attempts {
			if _, err := db.Exec(attempt); err == nil {
				t.Errorf("allowed as %q: %s", strings.TrimPrefix(who, w.where), attempt)
			}
		}
	}
	w.sound()
}

func TestPostgresErrorsDoNotTellThePassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"postgres://casino:hunter2@127.0.0.1:1/casino", "postgres://casino:hunter2@127.0.0.1:notaport/casino",
		"host=127.0.0.1 port=1 user=casino password=hunter2 dbname=casino", "host=127.0.0.1 password=hunter2 port=x",
		"postgres://casino:hunter2@[::1/casino", "postgres://casino:hunter2%zz@127.0.0.1/casino",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := postgres.Open(ctx, url, postgres.Options{})
		cancel()
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("opened %d characters of URL with %v", len(url), err)
		}
	}
}

// The schemas of two casinos in one database, and their names in the URL. One name must be quoted
// in statements.
const (
	firstSchema  = "&search_path=casino"
	secondSchema = "&search_path=%22Second%20Casino%22"
)

// twoCasinos returns a database with two migrated casinos, each in its own schema, and with
// foreign tables of the same names in the public schema.
func twoCasinos(t testing.TB) string {
	t.Helper()
	return services.PostgresPrepared(t, "two casinos", func(ctx context.Context, url string) error {
		db, err := onPostgres.beside(url)
		if err != nil {
			return err
		}
		_, err = db.ExecContext(ctx, `CREATE SCHEMA casino; CREATE SCHEMA "Second Casino";
			CREATE TABLE public.players (theirs text); CREATE TABLE public.rounds (theirs text); CREATE TABLE public.control (theirs text)`)
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
		for _, schema := range []string{firstSchema, secondSchema} {
			store, err := postgres.Open(ctx, url+schema, postgres.Options{})
			if err != nil {
				return err
			}
			_, err = store.Migrate(ctx)
			if err := errors.Join(err, store.Close()); err != nil {
				return err
			}
		}
		return nil
	})
}

// inSchema is PostgreSQL with the casino in this schema.
func inSchema(schema string) engine {
	on := onPostgres
	on.fresh = func(t testing.TB) string {
		t.Helper()
		return twoCasinos(t) + schema
	}
	return on
}

// TestPostgresASchemaOfItsOwnConforms runs the suite that commits, and tests of the catalog
// queries, in a schema other than public, as the service's role, beside another casino.
func TestPostgresASchemaOfItsOwnConforms(t *testing.T) {
	t.Parallel()
	conformance.Controls(t, stores(inSchema(secondSchema), sqlstore.WriterOptions{}))
}

// TestPostgresTwoCasinosOfOneDatabase plays in two casinos at the same time: neither takes the
// other's lanes, sees its rows, or waits for its migration, its stop or its months.
func TestPostgresTwoCasinosOfOneDatabase(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), twoCasinos(t)
	first := worldAt(t, onPostgres, url+firstSchema, sqlstore.WriterOptions{}, unwrapped)
	second := worldAt(t, onPostgres, url+secondSchema, sqlstore.WriterOptions{}, unwrapped)
	first.everything()
	first.start(first.writer)
	first.playedAt(time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC), 1)
	for _, of := range []*world{first, second} { // a writer of the first casino has a lane
		if err := of.writer.ProbeLane(ctx); err != nil {
			t.Error(err)
		}
	}
	if n := second.number(`SELECT count(DISTINCT objid) + 10 * count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`); n != 21 {
		t.Errorf("%d locks of %d lanes: want two of one", n/10, n%10)
	}
	if n := second.number(`SELECT count(*) FROM rounds`); n != 0 {
		t.Errorf("the second casino has %d rounds of the first", n)
	}
	second.everything()
	second.start(second.writer)
	first.sound()
	second.sound()

	owner := openOwner(t, url+firstSchema)
	january := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	if worked, err := first.store.MakeMonths(ctx, january.AddDate(-1, 0, 0)); err != nil || !worked {
		t.Errorf("make months: %v, %v", worked, err)
	}
	if err := owner.DetachMonth(ctx, january.AddDate(-1, 0, 0)); err != nil {
		t.Errorf("detach: %v", err)
	}
	if n := second.number(`SELECT count(*) FROM pg_class WHERE relname = 'rounds_2024_01'
		AND relnamespace = 'casino'::regnamespace AND NOT relispartition`); n != 1 {
		t.Errorf("%d detached months of the first casino", n)
	}
	if err := owner.AttachMonth(ctx, january.AddDate(-1, 0, 0)); err != nil {
		t.Errorf("attach: %v", err)
	}
	first.commit(first.play(alice, 10))
	first.sound()

	// Migrating one casino doesn't wait for migrating the other.
	side := first.beside()
	held, err := side.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	if _, err := held.ExecContext(ctx, `SELECT pg_advisory_lock(('casino'::regnamespace::oid::bigint << 32) + 1667301376)`); err != nil {
		t.Fatal(err)
	}
	if _, err := openOwner(t, url+secondSchema).Migrate(ctx); err != nil {
		t.Error(err)
	}
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	if _, err := owner.Migrate(short); err == nil {
		t.Error("the first casino was migrated although it is locked")
	}
}

// TestPostgresCasinosOfOneDatabaseCanBeKeptApart follows the documents: grants on schemas
// separate them.
func TestPostgresCasinosOfOneDatabaseCanBeKeptApart(t *testing.T) {
	t.Parallel()
	url := twoCasinos(t)
	execAll(t, openSide(t, url), `DO $$ BEGIN CREATE ROLE second_app LOGIN IN ROLE casino_runtime; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
		`REVOKE USAGE ON SCHEMA "Second Casino" FROM casino_runtime`, `GRANT USAGE ON SCHEMA "Second Casino" TO second_app`)
	second := strings.Replace(url, "postgres@", "second_app@", 1) + secondSchema
	store, err := postgres.Open(t.Context(), second, postgres.Options{Sealer: newSealer(t), Migrated: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Totals(t.Context()); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	_, err = postgres.Open(t.Context(), url+secondSchema+runtimeRole, postgres.Options{Sealer: newSealer(t), Migrated: true})
	if !errors.Is(err, postgres.ErrSettings) || !strings.Contains(err.Error(), "Second Casino") {
		t.Errorf("another member of casino_runtime opened it: %v", err)
	}
}

// TestPostgresSettingsThatAreWrongAreNamed checks that one error lists all settings under which
// the store would silently be wrong.
func TestPostgresSettingsThatAreWrongAreNamed(t *testing.T) {
	t.Parallel()
	url := onPostgres.fresh(t)
	for settings, wants := range map[string][]string{
		"&default_transaction_isolation=repeatable%20read":                  {"default_transaction_isolation"},
		"&standard_conforming_strings=off&session_replication_role=replica": {"standard_conforming_strings", "session_replication_role"},
		"&datestyle=SQL,DMY":                     {"DateStyle"},
		"&client_encoding=LATIN1":                {"client_encoding"},
		"&search_path=elsewhere,public":          {"search_path", `CREATE SCHEMA "elsewhere"`},
		`&search_path=%22a%20%22%22b%22%22,c%22`: {`CREATE SCHEMA "a ""b"",c"`},
		"&search_path=":                          {"search_path names no schema"},
	} {
		_, err := postgres.Open(t.Context(), url+settings, postgres.Options{})
		if !errors.Is(err, postgres.ErrSettings) {
			t.Errorf("%s: %v", settings, err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v doesn't name %s", settings, err, want)
			}
		}
	}
	// The time zone, the date format and further schemas in search_path don't matter.
	for _, settings := range []string{"&TimeZone=Asia/Kathmandu", "&search_path=PUBLIC,elsewhere"} {
		store, err := postgres.Open(t.Context(), url+settings, postgres.Options{Migrated: true})
		if err != nil {
			t.Errorf("%s: %v", settings, err)
			continue
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}
