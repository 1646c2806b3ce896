package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// The limits of the log. After every logPages pages a commit checkpoints the pages that no reader
// needs; a log that starts over is truncated to logKept bytes.
const (
	logPages = "1536" // 6 MiB
	logKept  = "8388608"
	// logLong is the size, in bytes, at which the writer waits for readers, so that the log can
	// start over. With the largest batch after it, the log stays below 16 MB.
	logLong = 9 << 20
	// readersWait is how long the writer waits for them, in milliseconds. After a wait in vain it
	// waits again when the log is logAgain longer.
	readersWait = "100"
	logAgain    = 8 << 20
	// emptyTime limits how long a store that closes copies its log into the file.
	emptyTime = 5 * time.Second
)

// writeAheadLog keeps the log of a database short. Committed data exists only in the log until it
// is copied into the file, and after one damaged page SQLite ignores the rest of the log, as it
// would after a crash.
//
// SQLite restarts the log by itself when a writer finds it copied and no reader in it. With
// readers that always overlap this may never happen, so a long log makes the writer wait briefly
// for them; readers that begin meanwhile read the file. The writer doesn't wait for a long read
// such as a backup. The log then grows during that read, and is truncated after it.
type writeAheadLog struct {
	path string
	next int64 // the size at which to wait for readers
}

// shortenLog waits for readers when the log is long. The session must be the writer's.
func (l *writeAheadLog) shortenLog(ctx context.Context, session *sql.Conn) error {
	info, err := os.Stat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("sqlite: %w", err)
	case info.Size() < logLong:
		l.next = logLong
		return nil
	case info.Size() < l.next:
		return nil
	}
	if _, err := session.ExecContext(ctx, "PRAGMA busy_timeout="+readersWait); err != nil {
		return err
	}
	var busy bool
	var pages, copied int64
	err = session.QueryRowContext(ctx, "PRAGMA wal_checkpoint(RESTART)").Scan(&busy, &pages, &copied)
	_, back := session.ExecContext(context.WithoutCancel(ctx), "PRAGMA busy_timeout="+busyTimeout)
	l.next = logLong
	if busy {
		l.next = info.Size() + logAgain
	}
	return errors.Join(err, back)
}

// readersPause is the pause between two looks at the readers of a store that closes.
const readersPause = time.Millisecond

// emptyLog copies the log into the file. SQLite does that itself when the last connection to a
// file closes, but not while two of them close at once, it reports no error, and a read that is
// still running keeps its connection open after its pool is closed. So emptyLog waits for the
// readers first. It returns an error if the file lacks commits because some are left at the
// end of ctx. A reader of another process is no error: it empties the log when it closes.
func (l *writeAheadLog) emptyLog(ctx context.Context, readers, writers *sql.DB) error {
	if writers.Stats().OpenConnections == 0 {
		return nil // it wrote nothing, and a new connection would change the file's mode
	}
	look := time.NewTicker(readersPause)
	defer look.Stop()
	for readers.Stats().OpenConnections > 0 && ctx.Err() == nil {
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), emptyTime)
	defer cancel()
	var busy bool
	var pages, copied int64
	if err := writers.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied); err != nil {
		return fmt.Errorf("sqlite: copy the log into the file: %w", err)
	}
	if reading := readers.Stats().OpenConnections; reading > 0 && copied < pages {
		return fmt.Errorf("sqlite: %d reads didn't end: the newest commits are only in %s", reading, l.path)
	}
	return nil
}

// ownersOnly creates the database file with a mode that only its owner can read, and sets that
// mode on an existing file. SQLite gives the files beside it the same mode.
func ownersOnly(path string) error {
	// An existing file must not be opened: closing it would release the locks that this process
	// has on it through other connections.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, ownerMode)
	switch {
	case err == nil:
		if err := file.Close(); err != nil {
			return fmt.Errorf("sqlite: %w", err)
		}
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("sqlite: %w", err)
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().Perm()&^ownerMode != 0 {
			err = os.Chmod(name, ownerMode)
		}
		if err != nil {
			return fmt.Errorf("sqlite: only its owner may read the database: %w", err)
		}
	}
	return nil
}

const ownerMode fs.FileMode = 0o600
