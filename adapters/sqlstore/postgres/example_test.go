package postgres_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
)

// The embedder's own: the sealer of seeds, the CAs that TLS trusts, and a changing password.
var (
	sealer   ports.Sealer
	trusted  *x509.CertPool
	password func(context.Context) (string, error)
)

// A store in a schema named casino. The schema's owner migrates it. The service is a member of
// casino_runtime, and lets the store refuse any schema but this version's.
func ExampleOpen() {
	run := func(ctx context.Context) (err error) {
		owner, err := postgres.Open(ctx, "postgres://owner@db/shared?search_path=casino", postgres.Options{Sealer: sealer})
		if err != nil {
			return err // postgres.ErrSettings if there is no schema casino
		}
		_, err = owner.Migrate(ctx)
		if err := errors.Join(err, owner.Close()); err != nil {
			return err
		}
		store, err := postgres.Open(ctx, "postgres://casino_app@db/shared?search_path=casino",
			postgres.Options{Sealer: sealer, IDFrom: system.IDFrom, Migrated: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		return serve(ctx, store)
	}
	_ = run
}

// An embedder's config, with a password that is fetched before each connection.
func ExampleOpenConfig() {
	open := func(ctx context.Context) (*sqlstore.Store, error) {
		config, err := pgx.ParseConfig("postgres://casino_app@db/casino")
		if err != nil {
			return nil, err
		}
		config.TLSConfig = &tls.Config{ServerName: "db", RootCAs: trusted, MinVersion: tls.VersionTLS13}
		return postgres.OpenConfig(ctx, config, postgres.Options{
			Sealer: sealer, IDFrom: system.IDFrom, Migrated: true,
			BeforeConnect: func(ctx context.Context, c *pgx.ConnConfig) (err error) {
				c.Password, err = password(ctx)
				return err
			},
		})
	}
	_ = open
}

// A pool that the embedder's own queries use, too. It has room for the store's connections,
// passes on the server's warnings, and is closed after the store.
func ExampleOpenPool() {
	run := func(ctx context.Context) (err error) {
		config, err := pgxpool.ParseConfig("postgres://casino_app@db/shared?search_path=casino")
		if err != nil {
			return err
		}
		config.MaxConns = 20 + 8 + 8 + 1
		config.ConnConfig.OnNotice = postgres.KeepWarning
		pool, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			return err
		}
		defer pool.Close()
		store, err := postgres.OpenPool(ctx, pool, postgres.Options{
			Sealer: sealer, IDFrom: system.IDFrom, Migrated: true, Writers: 8, Readers: 8,
		})
		if err != nil {
			return err // postgres.ErrSettings, postgres.ErrPooler: the casino can't use the pool
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		return serve(ctx, store)
	}
	_ = run
}

// A database/sql pool, and the embedder's own queries with bun beside the store.
func ExampleOpenDB() {
	run := func(ctx context.Context) (err error) {
		config, err := pgx.ParseConfig("postgres://casino_app@db/shared?search_path=casino")
		if err != nil {
			return err
		}
		config.OnNotice = postgres.KeepWarning
		db := stdlib.OpenDB(*config)
		defer func() { err = errors.Join(err, db.Close()) }()
		store, err := postgres.OpenDB(ctx, db, postgres.Options{Sealer: sealer, IDFrom: system.IDFrom, Migrated: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }() // before the pool
		if _, err := roundsOf(ctx, db, "a wallet"); err != nil {
			return err
		}
		return serve(ctx, store)
	}
	_ = run
}

// roundsOf counts a player's rounds.
func roundsOf(ctx context.Context, db *sql.DB, wallet string) (int64, error) {
	return bun.NewDB(db, postgres.Dialect().Bun()).NewSelect().Table("rounds").Where("wallet = ?", wallet).Count(ctx)
}

// serve is the embedder's service.
func serve(context.Context, *sqlstore.Store) error { return nil }
