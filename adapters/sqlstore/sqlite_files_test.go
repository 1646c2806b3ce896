package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/test/fakes"
)

// logMost is the largest allowed log of a database, in bytes: one damaged page would lose all
// after it.
const logMost = 16_000_000

// readersWait is how long the writer of a long log waits for its readers, and logAgain how many
// bytes the log grows before it does so again.
const readersWait, logAgain = 100 * time.Millisecond, 8 << 20

// TestSQLiteOnlyTheOwnerReadsTheFiles checks the mode of a new database, of one that was copied
// with a wider mode, and of the log and its index.
func TestSQLiteOnlyTheOwnerReadsTheFiles(t *testing.T) {
	t.Parallel()
	migrated, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"made here": nil, "with a wider mode": migrated} {
		path := filepath.Join(t.TempDir(), "casino.db")
		if content != nil {
			if err := errors.Join(os.WriteFile(path, content, 0o600), os.Chmod(path, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		store, err := sqlite.Open(t.Context(), path, newSealer(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		again, err := sqlite.Open(t.Context(), path, newSealer(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, path + "-wal", path + "-shm"} {
			if mode := modeOf(t, file); mode != 0o600 {
				t.Errorf("%s: %s has mode %v", name, filepath.Base(file), mode)
			}
		}
		if err := errors.Join(again.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// fill signs in players, each with money, and returns the largest size of the log on the way.
func (w *world) fill(t *testing.T, from, to int) int64 {
	var most atomic.Int64
	callers(16, to-from, func(i int) {
		who := fakes.Wallet(fmt.Sprint("player ", from+i))
		w.signIn(1_000_000, who)
		w.commit(w.play(who, 1))
		size := sizeOf(t, w.where+"-wal")
		for seen := most.Load(); size > seen && !most.CompareAndSwap(seen, size); seen = most.Load() {
		}
	})
	return most.Load()
}

// readUntil reads in overlapping transactions, each of which ends after another write, so that a
// part of the log is always in use. A writer that waits for the readers, and doesn't write
// meanwhile, sees each end within a few milliseconds, except those that were slow because the
// machine was busy: readUntil returns how many these are.
func readUntil(ctx context.Context, t *testing.T, db *sql.DB) (lasted int64) {
	ctx, over := context.WithoutCancel(ctx), ctx.Done()
	const newest = "SELECT coalesce(max(seq), 0) FROM blocks"
	var before *sql.Tx
	defer func() {
		if before != nil {
			_ = before.Rollback()
		}
	}()
	var began time.Time
	for {
		follows := time.Now()
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Error(err)
			return lasted
		}
		var sees, now int64
		if err := tx.QueryRow(newest).Scan(&sees); err != nil {
			t.Error(err)
		}
		if before != nil {
			_ = before.Rollback()
			if time.Since(began) > readersWait/2 {
				lasted++
			}
		}
		before, began = tx, follows
		for tries := 0; now <= sees && tries < 8; tries++ {
			select {
			case <-over:
				return lasted
			case <-time.After(time.Millisecond):
			}
			if err := db.QueryRowContext(ctx, newest).Scan(&now); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestSQLiteTheLogStaysShortBesideReaders checks that the log starts over even if overlapping
// readers always use it.
func TestSQLiteTheLogStaysShortBesideReaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	db := w.beside()
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	var lasted atomic.Int64
	for range 2 {
		readers.Go(func() { lasted.Add(readUntil(ctx, t, db)) })
	}
	most := w.fill(t, 0, 1_300)
	stop()
	readers.Wait()
	if most > logMost+lasted.Load()*logAgain {
		t.Errorf("the log had %d bytes, %d reads lasted", most, lasted.Load())
	}
	if written := w.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"); written < logMost/4 {
		t.Errorf("only %d bytes were written", written)
	}
}

// TestSQLiteOneLongReadIsNotWaitedFor checks that a long read, such as a backup's, only keeps the
// log from starting over; writes succeed meanwhile, and the log is cut afterwards.
func TestSQLiteOneLongReadIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	w.fill(t, 0, 10)
	db := w.beside()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var blocks, still int
	const count = "SELECT count(*) FROM blocks"
	if err := tx.QueryRow(count).Scan(&blocks); err != nil {
		t.Fatal(err)
	}
	if most := w.fill(t, 10, 1_200); most < logMost {
		t.Fatalf("the log has %d bytes: the read was not in its way", most)
	}
	if err := tx.QueryRow(count).Scan(&still); err != nil || still != blocks {
		t.Errorf("the read sees %d blocks, %d at first: %v", still, blocks, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	w.fill(t, 1_200, 1_300)
	if size := sizeOf(t, w.where+"-wal"); size > logMost {
		t.Errorf("after the read the log has %d bytes", size)
	}
}

// closeBesideARead closes a store with commits newer than a read that is still running. It ends
// the read when end is closed or Close returns, and returns the copy of the file alone as it is
// when Close returns.
func closeBesideARead(t *testing.T, end <-chan time.Time) (copied string, closing error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "casino.db")
	store, err := sqlite.Open(t.Context(), path, newSealer(t))
	if err != nil {
		t.Fatal(err)
	}
	read, err := store.Readers().BeginTx(context.WithoutCancel(t.Context()), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var tables int
	if err := read.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil || tables != 0 {
		t.Fatalf("%d tables in a new file: %v", tables, err)
	}
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- store.Close() }()
	select {
	case closing = <-closed:
		copied = copyAlone(t, path)
		_ = read.Rollback()
	case <-end:
		_ = read.Rollback()
		closing = <-closed
		copied = copyAlone(t, path)
	}
	return copied, closing
}

// copyAlone copies a database file without the files beside it.
func copyAlone(t *testing.T, path string) (copied string) {
	t.Helper()
	content, err := os.ReadFile(path)
	copied = filepath.Join(t.TempDir(), "copy.db")
	if err := errors.Join(err, os.WriteFile(copied, content, 0o600)); err != nil {
		t.Fatal(err)
	}
	return copied
}

// TestSQLiteCloseWaitsForReads closes a store during a read: a copy of the file alone then has
// every commit.
func TestSQLiteCloseWaitsForReads(t *testing.T) {
	t.Parallel()
	copied, err := closeBesideARead(t, time.After(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), copied, newSealer(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.CheckSchema(t.Context()), store.Close()); err != nil {
		t.Errorf("the copy lacks commits: %v", err)
	}
}

// TestSQLiteCloseReportsReadsThatDoNotEnd closes a store during a read that lasts: Close reports
// that the file lacks commits.
func TestSQLiteCloseReportsReadsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	if _, err := closeBesideARead(t, nil); err == nil || !strings.Contains(err.Error(), "1 reads didn't end: the newest commits are only in ") {
		t.Errorf("Close returned %v", err)
	}
}

// TestSQLiteBackupBesideAService copies a database while players play, and proves the
// copy.
func TestSQLiteBackupBesideAService(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	w.fill(t, 0, 50)
	copied := filepath.Join(t.TempDir(), "copy.db")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.fill(t, 50, 400)
	}()
	heads, err := sqlite.Backup(t.Context(), w.where, copied)
	if err != nil {
		t.Fatal(err)
	}
	<-ended
	if mode := modeOf(t, copied); mode != 0o600 {
		t.Errorf("the copy has mode %v", mode)
	}
	left, err := filepath.Glob(copied + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("beside the copy lies %v, %v", left, err)
	}
	if now := w.number("SELECT max(seq) FROM blocks"); len(heads) != 1 || heads[0].Seq == 0 || heads[0].Seq >= now {
		t.Fatalf("its heads are %v, the service is at %d", heads, now)
	}
	if _, err := sqlite.Backup(t.Context(), w.where, copied); err == nil {
		t.Error("a file that is there was overwritten")
	}
	store, err := sqlite.Open(t.Context(), copied, newSealer(t))
	if err != nil {
		t.Fatal(err)
	}
	games, err := fakes.StandardGames()
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.NewAuditor(store, games, heads).Run(t.Context())
	if err := errors.Join(err, report.Err(), store.Close()); err != nil {
		t.Errorf("%v: %v", err, report.Findings)
	}
	if len(report.Heads) != 1 || report.Heads[0] != heads[0] {
		t.Errorf("the copy ends at %v, said was %v", report.Heads, heads)
	}
}

// TestSQLiteBackupThatFailsLeavesNothing checks that no partial copy can be taken for a complete
// one.
func TestSQLiteBackupThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	w.signIn(1_000, alice)
	folder := t.TempDir()
	target := filepath.Join(folder, "copy.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlite.Backup(ctx, w.where, target); !errors.Is(err, context.Canceled) {
		t.Errorf("a backup that was stopped: %v", err)
	}
	none := filepath.Join(folder, "none.db")
	if _, err := sqlite.Backup(t.Context(), none, target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup of nothing: %v", err)
	}
	if err := os.WriteFile(none, []byte("not a database, though a file of some length"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Backup(t.Context(), none, target); err == nil {
		t.Error("what is no database was copied")
	}
	if err := os.Remove(none); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
