package sqlstore_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/domain/fault"
)

func TestMigrationsGoUpAgainAfterDownAndTwice(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	// A path with what a URI would read as settings is still only a path.
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a ?mode=ro&%23#.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	pending, err := store.Pending(ctx)
	if err != nil || len(pending) == 0 {
		t.Fatalf("pending in an empty database: %v, %v", pending, err)
	}
	for range 2 {
		ran, err := store.Migrate(ctx)
		if err != nil || !slices.Equal(ran, pending) {
			t.Fatalf("migrate ran %v, %v; want %v", ran, err, pending)
		}
		if again, err := store.Migrate(ctx); err != nil || len(again) != 0 {
			t.Fatalf("a second migrate ran %v, %v", again, err)
		}
		downStepByStep(t, store, pending)
	}
}

// downStepByStep undoes one migration at a time, the newest first.
func downStepByStep(t *testing.T, store *sqlstore.Store, all []string) {
	t.Helper()
	for _, newest := range slices.Backward(all) {
		if undone, err := store.MigrateDown(t.Context()); err != nil || !slices.Equal(undone, []string{newest}) {
			t.Fatalf("down undid %v, %v; want %s", undone, err, newest)
		}
	}
	if undone, err := store.MigrateDown(t.Context()); err != nil || len(undone) != 0 {
		t.Fatalf("down without anything to undo: %v, %v", undone, err)
	}
}

func TestMigrateDownNeverGoesOverWhatHappened(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for _, played := range []bool{false, true} {
			w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
			owner, side := w.store, w.beside()
			if on.numbered { // the service's own role can't change the schema
				owner = openOwner(t, w.where)
			}
			refused := func(want string) {
				t.Helper()
				undone, err := owner.MigrateDown(t.Context())
				if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), want) || len(undone) != 0 {
					t.Errorf("want %q: undid %v, %v", want, undone, err)
				}
			}
			if _, err := side.Exec("INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 9)"); err != nil {
				t.Fatal(err)
			}
			refused("9999")
			if _, err := side.Exec("DELETE FROM bun_migrations WHERE name = '9999'"); err != nil {
				t.Fatal(err)
			}
			w.begin(1000, w.login(alice))
			want := "transfers"
			if played {
				if _, errs := w.together(w.play(alice, 10)); errors.Join(errs...) != nil {
					t.Fatal(errs)
				}
				want = "rounds"
			}
			if on.numbered { // where writers share lanes out
				refused("stop every instance")
			}
			w.writer.Release()
			refused(want)
			if err := w.store.CheckSchema(t.Context()); err != nil {
				t.Errorf("after it was refused: %v", err)
			}
		}
	})
}
