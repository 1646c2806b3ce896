package services_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/test/services"
)

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func text(t *testing.T, db *sql.DB, query string) (answer string) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

func TestEachTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for range 2 {
		db := open(t, services.Postgres(t))
		names[text(t, db, "SELECT current_database()")] = true
		if _, err := db.Exec("CREATE TABLE t (a text COLLATE \"C\")"); err != nil {
			t.Error(err)
		}
		if got := text(t, db, "SHOW server_encoding"); got != "UTF8" {
			t.Errorf("the encoding is %s", got)
		}
	}
	if len(names) != 2 {
		t.Errorf("databases %v", names)
	}
}

func TestADatabaseGoesWithItsTest(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("a test", func(t *testing.T) {
		name = text(t, open(t, services.Postgres(t)), "SELECT current_database()")
	})
	db := open(t, services.Postgres(t))
	if left := text(t, db, "SELECT count(*) FROM pg_database WHERE datname = '"+name+"'"); left != "0" {
		t.Errorf("%s is left", name)
	}
}

func TestAPreparedDatabaseIsFilledOnceAndCopied(t *testing.T) {
	t.Parallel()
	name := fmt.Sprint("a table ", time.Now()) // another one in each run of a process
	times := 0
	prepare := func(_ context.Context, url string) error {
		times++
		db, err := sql.Open("pgx", url)
		if err != nil {
			return err
		}
		if _, err := db.Exec("CREATE TABLE t AS SELECT 'there' AS a"); err != nil {
			return err
		}
		return db.Close()
	}
	for range 2 {
		db := open(t, services.PostgresPrepared(t, name, prepare))
		if text(t, db, "SELECT a FROM t") != "there" {
			t.Error("the copy lacks what was prepared")
		}
		if _, err := db.Exec("DROP TABLE t"); err != nil {
			t.Error(err)
		}
	}
	if times != 1 {
		t.Errorf("prepared %d times", times)
	}
}

func TestAClusterKeepsWhatItCommittedThroughAKill(t *testing.T) {
	t.Parallel()
	c := services.NewCluster(t)
	db := open(t, c.URL())
	if _, err := db.Exec("CREATE TABLE t AS SELECT 'kept' AS a"); err != nil {
		t.Fatal(err)
	}
	for _, end := range []func(testing.TB){c.Kill, c.Stop} {
		end(t)
		if err := open(t, c.URL()).Ping(); err == nil {
			t.Fatal("the server answers after its end")
		}
		c.Start(t)
		if got := text(t, open(t, c.URL()), "SELECT a FROM t"); got != "kept" {
			t.Errorf("kept %q", got)
		}
	}
	c.Restart(t)
	if got := text(t, open(t, c.URL()), "SHOW fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
}
