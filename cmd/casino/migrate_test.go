package main

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/services"
)

// migration is a database on its own server, owned by a role that isn't a superuser.
type migration struct {
	t       *testing.T
	admin   *sql.DB // a superuser's connection to the database
	ownerAt string  // the owner's URL of the database
}

func newMigration(t *testing.T) migration {
	t.Helper()
	root := services.NewCluster(t).URL()
	at := strings.Replace(root, "/postgres?", "/casino?", 1)
	m := migration{t, connection(t, at), strings.Replace(at, "postgres@", "owner@", 1)}
	server := connection(t, root)
	for _, statement := range []string{"CREATE ROLE owner LOGIN", "CREATE DATABASE casino OWNER owner"} {
		if _, err := server.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func connection(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// administer runs a statement as the superuser.
func (m migration) administer(statement string) {
	m.t.Helper()
	if _, err := m.admin.ExecContext(m.t.Context(), statement); err != nil {
		m.t.Fatal(err)
	}
}

// up runs casino migrate up as the owner.
func (m migration) up() (out, errOut string, code int) {
	m.t.Helper()
	return runCasino(m.t, "migrate", "up", "--database-url", m.ownerAt)
}

// names returns the migrations that casino migrate status lists as done or as missing.
func (m migration) names(state string) []string {
	m.t.Helper()
	out, errOut, code := runCasino(m.t, "migrate", "status", "--database-url", m.ownerAt)
	if code != exitDone {
		m.t.Fatalf("migrate status: exit %d\n%s", code, errOut)
	}
	var names []string
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); fields[0] == state {
			names = append(names, fields[1])
		}
	}
	return names
}

// TestMigrateUpWithoutCreateRole runs migrate up as an owner that may not create roles. It
// explains what to do, reports nothing as done, and works once the role may.
func TestMigrateUpWithoutCreateRole(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	for range 2 { // a failure doesn't affect the next run
		out, errOut, code := m.up()
		if code != exitFailed || out != "" {
			t.Errorf("exit %d, printed %q", code, out)
		}
		for _, want := range []string{"this user may not create the role casino_runtime", "\nHINT: Have an administrator run: CREATE ROLE casino_runtime NOLOGIN\n"} {
			if !strings.Contains(errOut, want) {
				t.Errorf("%q is not in\n%s", want, errOut)
			}
		}
	}
	var tables int
	if err := m.admin.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'bun_%'").Scan(&tables); err != nil || tables != 0 {
		t.Errorf("%d tables of a migration that failed, %v", tables, err)
	}
	all := m.names("missing")
	if done := m.names("done"); len(done) > 0 || len(all) < 2 {
		t.Errorf("done %v, missing %v", done, all)
	}

	m.administer("ALTER ROLE owner CREATEROLE")
	out, errOut, code := m.up()
	if want := "done " + strings.Join(all, "\ndone ") + "\n"; code != exitDone || out != want {
		t.Errorf("with CREATEROLE: exit %d, printed %q, want %q\n%s", code, out, want, errOut)
	}
	if missing := m.names("missing"); len(missing) > 0 {
		t.Errorf("still missing: %v", missing)
	}
}

// TestMigrateUpPrintsOnlyWhatIsDone fails in a later migration: only earlier ones are
// printed as done, and the next run continues with it.
func TestMigrateUpPrintsOnlyWhatIsDone(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	m.administer("CREATE ROLE casino_runtime NOLOGIN") // as the hint says
	m.administer(`CREATE FUNCTION refuse_table() RETURNS event_trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.votes') THEN
				RAISE EXCEPTION 'this table is refused';
			END IF;
		END $$`)
	m.administer("CREATE EVENT TRIGGER refuse_table ON ddl_command_end EXECUTE FUNCTION refuse_table()")
	out, errOut, code := m.up()
	done, missing := m.names("done"), m.names("missing")
	if code != exitFailed || !strings.Contains(errOut, "this table is refused") || len(done) == 0 || len(missing) == 0 {
		t.Fatalf("exit %d, done %v, missing %v\n%s", code, done, missing, errOut)
	}
	for _, name := range missing {
		if strings.Contains(out, name) {
			t.Errorf("%s is missing, and was printed as done:\n%s", name, out)
		}
	}

	m.administer("DROP EVENT TRIGGER refuse_table")
	out, errOut, code = m.up()
	if want := "done " + strings.Join(missing, "\ndone ") + "\n"; code != exitDone || out != want {
		t.Errorf("the second run: exit %d, printed %q, want %q\n%s", code, out, want, errOut)
	}
}
