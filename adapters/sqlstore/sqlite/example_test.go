package sqlite_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
)

// An embedder's pool: the store takes connections out of it and leaves it open, and the
// embedder's own queries use it.
func ExampleOpenDB() {
	folder, err := os.MkdirTemp("", "casino")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := errors.Join(own(context.Background(), filepath.Join(folder, "casino.db")), os.RemoveAll(folder)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// agents after the store was closed: 1
}

func own(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	keys, err := sealer.ParseKeys([]string{"2026:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		return err
	}
	store, err := sqlite.OpenDB(ctx, db, sealer.New(keys, rand.Reader))
	if err != nil {
		return err // sqlite.ErrSettings: the casino can't use the pool
	}
	_, err = store.Migrate(ctx)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	agents, err := bun.NewDB(db, sqlite.Dialect(path).Bun()).NewSelect().Table("agents").Count(ctx)
	fmt.Println("agents after the store was closed:", agents)
	return err
}
