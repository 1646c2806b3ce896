package embedder_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/services"
)

// newSealer returns an embedder's sealer, with its own key.
func newSealer(t *testing.T) ports.Sealer {
	t.Helper()
	keys, err := sealer.ParseKeys([]string{"2026:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	noError(t, err)
	return sealer.New(keys, rand.Reader)
}

// playOn migrates a store, runs the whole story on it, closes it, and counts rounds through the
// embedder's own pool.
func playOn(t *testing.T, store *sqlstore.Store, own *sql.DB, dialect schema.Dialect) {
	t.Helper()
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	writer, err := store.Writer(sqlstore.WriterOptions{ID: "embedder"})
	noError(t, err)
	running, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- writer.Run(running) }()
	h := open(t, app.StoreOf(struct {
		*sqlstore.Store
		ports.Writer
	}{store, writer}))
	h.story()
	stop()
	if err := errors.Join(<-ended, store.Close()); err != nil {
		t.Error(err)
	}
	rounds, err := bun.NewDB(own, dialect).NewSelect().Table("rounds").Count(t.Context())
	if err != nil || rounds != 1 {
		t.Errorf("the embedder's own pool counts %d rounds, %v", rounds, err)
	}
}

// TestAPoolOfSQLiteIsTheEmbedders runs a casino on an embedder's SQLite pool.
func TestAPoolOfSQLiteIsTheEmbedders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "own.db")
	db, err := sql.Open("sqlite", "file:"+path)
	noError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	store, err := sqlite.OpenDB(t.Context(), db, newSealer(t))
	noError(t, err)
	playOn(t, store, db, sqlite.Dialect(path).Bun())
}

// TestAPoolAndASchemaOfPostgreSQLAreTheEmbedders runs a casino in its own schema, beside the
// embedder's.
func TestAPoolAndASchemaOfPostgreSQLAreTheEmbedders(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(services.Postgres(t) + "&search_path=casino&pool_max_conns=30")
	noError(t, err)
	config.ConnConfig.OnNotice = postgres.KeepWarning
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	noError(t, err)
	t.Cleanup(pool.Close)
	options := postgres.Options{Sealer: newSealer(t), Writers: 8, Readers: 8}
	if _, err := postgres.OpenPool(t.Context(), pool, options); !errors.Is(err, postgres.ErrSettings) {
		t.Errorf("without the schema: %v", err)
	}
	if _, err := pool.Exec(t.Context(), "CREATE SCHEMA casino"); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "CREATE TABLE public.rounds (theirs text)"); err != nil {
		t.Fatal(err)
	}
	store, err := postgres.OpenPool(t.Context(), pool, options)
	noError(t, err)
	db := stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { _ = db.Close() })
	playOn(t, store, db, postgres.Dialect().Bun())
}
