package sqlstore_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
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
		if undone, err := store.MigrateDown(ctx); err != nil || !slices.Equal(undone, pending) {
			t.Fatalf("down undid %v, %v", undone, err)
		}
	}
}
