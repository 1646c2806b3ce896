package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/services"
)

// The schemas of two casinos in one database, and how the URL names them. One has a name
// that statements have to quote.
const (
	firstSchema  = "&search_path=casino"
	secondSchema = "&search_path=%22Second%20Casino%22"
)

// twoCasinos is a database with two migrated casinos in schemas of their own, whose public
// schema is somebody else's and has tables of the same names.
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

// inSchema is PostgreSQL with the casino in a schema of its own.
func inSchema(schema string) engine {
	on := onPostgres
	on.fresh = func(t testing.TB) string {
		t.Helper()
		return twoCasinos(t) + schema
	}
	return on
}

// TestPostgresASchemaOfItsOwnConforms runs the suite that commits beside what looks into the
// server's catalog in a schema that isn't public, as the service's role, beside another
// casino.
func TestPostgresASchemaOfItsOwnConforms(t *testing.T) {
	t.Parallel()
	conformance.Controls(t, stores(inSchema(secondSchema), sqlstore.WriterOptions{}))
}

// TestPostgresTwoCasinosOfOneDatabase play at the same time: neither takes the other's
// lanes, sees its rows, or waits for its migration, its stop or its months.
func TestPostgresTwoCasinosOfOneDatabase(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), twoCasinos(t)
	first := worldAt(t, onPostgres, url+firstSchema, sqlstore.WriterOptions{}, unwrapped)
	second := worldAt(t, onPostgres, url+secondSchema, sqlstore.WriterOptions{}, unwrapped)
	first.everything()
	first.start(first.writer)
	first.playedAt(time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC), 1)
	for _, of := range []*world{first, second} { // of the first of which the first writer has a lane
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

	// Whoever migrates the one doesn't wait for whoever migrates the other.
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
		t.Error("the first casino was migrated under somebody's lock of it")
	}
}

// TestPostgresCasinosOfOneDatabaseCanBeKeptApart as the documents say: by who may use
// which schema.
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

// TestPostgresSettingsThatAreWrongAreNamed: those under which the store would be wrong
// without a word, all in one error.
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
	// Neither the time zone nor how dates are written matters, nor what comes after the schema.
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
