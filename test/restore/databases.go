package restore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/services"
)

// Database is where a casino's data is, and can be put back.
type Database interface {
	// Open opens it as the service does.
	Open(ctx context.Context) (*sqlstore.Store, error)
	// Copy copies it and says where the copy is. Online says that it may be in use.
	Copy(ctx context.Context) (where string, err error)
	// PutBack puts a copy in its place.
	PutBack(ctx context.Context, where string) error
	// Online says whether it can be copied while it is in use, Live whether it can be put
	// back under a running service.
	Online() bool
	Live() bool
}

// seeds seals server seeds with a key that all processes have.
func seeds(random io.Reader) (ports.Sealer, error) {
	ring, err := sealer.ParseKeys([]string{"test:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		return nil, err
	}
	return sealer.New(ring, random), nil
}

// Folder returns an empty folder of the test, in memory where there is such a place:
// nothing here is about disks, and each commit waits for one.
func Folder(tb testing.TB) string {
	tb.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "casino-restore")
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			tb.Error(err)
		}
	})
	return folder
}

// inFile is a database on SQLite.
type inFile struct {
	folder string
	copies atomic.Int64
}

// SQLite returns an empty migrated database on SQLite, of the test alone.
func SQLite(tb testing.TB) Database {
	tb.Helper()
	f := &inFile{folder: Folder(tb)}
	store, err := sqlite.Open(tb.Context(), f.path(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = store.Migrate(tb.Context())
	if err := errors.Join(err, store.Close()); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f *inFile) path() string { return filepath.Join(f.folder, "casino.db") }

func (f *inFile) Open(ctx context.Context) (*sqlstore.Store, error) {
	sealer, err := seeds(rand.Reader)
	if err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, f.path(), sealer)
}

func (f *inFile) Copy(ctx context.Context) (string, error) {
	where := filepath.Join(f.folder, fmt.Sprint("copy", f.copies.Add(1), ".db"))
	_, err := sqlite.Backup(ctx, f.path(), where)
	return where, err
}

func (f *inFile) PutBack(_ context.Context, where string) error {
	content, err := os.ReadFile(where)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(f.path()+"-wal"), os.RemoveAll(f.path()+"-shm"), os.WriteFile(f.path(), content, 0o600))
}

func (*inFile) Online() bool { return true }
func (*inFile) Live() bool   { return false }

// onServer is a database on PostgreSQL.
type onServer struct {
	url    *url.URL
	copies atomic.Int64
}

// Postgres returns an empty migrated database on PostgreSQL, of the test alone.
func Postgres(tb testing.TB) Database {
	tb.Helper()
	where := services.PostgresPrepared(tb, "restore", func(ctx context.Context, url string) error {
		store, err := postgres.Open(ctx, url, postgres.Options{})
		if err != nil {
			return err
		}
		_, err = store.Migrate(ctx)
		return errors.Join(err, store.Close())
	})
	parsed, err := url.Parse(where)
	if err != nil {
		tb.Fatal(err)
	}
	s := &onServer{url: parsed}
	tb.Cleanup(func() {
		for i := range s.copies.Load() {
			if err := s.run(context.WithoutCancel(tb.Context()), "DROP DATABASE IF EXISTS "+s.copyName(i+1)); err != nil {
				tb.Error(err)
			}
		}
	})
	return s
}

func (s *onServer) name() string            { return strings.Trim(s.url.Path, "/") }
func (s *onServer) copyName(i int64) string { return fmt.Sprint(s.name(), "_copy", i) }

// Open connects as the service does, as a member of the role that is granted what it
// needs and nothing else.
func (s *onServer) Open(ctx context.Context) (*sqlstore.Store, error) {
	sealer, err := seeds(rand.Reader)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, s.url.String()+"&role=casino_runtime", postgres.Options{Sealer: sealer, Migrated: true, Readers: 2})
}

func (s *onServer) Copy(ctx context.Context) (string, error) {
	where := s.copyName(s.copies.Add(1))
	return where, s.run(ctx, "CREATE DATABASE "+where+" TEMPLATE "+s.name())
}

func (s *onServer) PutBack(ctx context.Context, where string) error {
	if err := s.run(ctx, "DROP DATABASE "+s.name()+" WITH (FORCE)"); err != nil {
		return err
	}
	return s.run(ctx, "CREATE DATABASE "+s.name()+" TEMPLATE "+where)
}

func (*onServer) Online() bool { return false }
func (*onServer) Live() bool   { return true }

// run runs a statement on the server's own database.
func (s *onServer) run(ctx context.Context, statement string) error {
	own := *s.url
	own.Path = "/postgres"
	db, err := sql.Open("pgx", own.String())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}
