package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The bounds of the log. Every commit after logPages pages copies back what no reader
// is in the way of; a log that starts over is cut to logKept bytes.
const (
	logPages = "1536" // 6 MiB
	logKept  = "8388608"
	// logLong is the size, in bytes, at which the writer waits for readers, so that
	// the log can start over. With the largest batch after it, it stays below 16 MB.
	logLong = 9 << 20
	// readersWait is how long the writer waits for them, in milliseconds, and
	// logAgain how much longer the log is before it does so again in vain.
	readersWait = "100"
	logAgain    = 8 << 20
)

// writeAheadLog keeps the log of a database short. What was committed lies there
// alone until it is copied into the file, and one damaged page hides all that
// were written after it: SQLite takes the rest for what a crash left.
//
// SQLite starts the log over by itself when a writer finds it copied and no reader in
// it. With readers that always overlap this may never happen, so that a long log makes
// the writer wait for them, for a moment: whoever begins to read meanwhile reads the
// file. One read that lasts, such as a backup's, is not waited for. The log then holds
// what was written during that read, and is cut when it has ended.
type writeAheadLog struct {
	path string
	next int64 // the size at which readers are waited for
}

// shortenLog waits for readers when the log is long. The session is the writer's.
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

// ownersOnly makes the database file with a mode that lets nobody but its owner read
// it, and gives that mode to one that has another. The files beside it get the
// database's mode from SQLite.
func ownersOnly(path string) error {
	// A file that is there must not be opened: closing it would end the locks that
	// this process has on it through other connections.
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
