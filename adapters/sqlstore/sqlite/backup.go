package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"github.com/casino-service/casino/domain/hashchain"
)

// backupPages is how many pages are copied between two checks of the context.
const backupPages = 4096

// Backup copies a database, which may be in use, to a new file that only its owner can read. The
// copy is a snapshot: it has everything committed before Backup began and nothing committed
// later. The file appears under its name once it is complete, checked and on disk; if the name
// exists, Backup fails.
//
// The source is only read. While it is copied, its log can't start over and keeps growing with
// new writes. Heads are the newest blocks in the copy, by lane.
func Backup(ctx context.Context, from, to string) (heads []hashchain.Head, err error) {
	if _, err := os.Stat(from); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("sqlite: %s exists already", to), err)
	}
	part := to + ".part"
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, ownerMode)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	for _, step := range []func() error{
		func() error { return copyTo(ctx, from, part) },
		func() (err error) { heads, err = checkCopy(ctx, part); return err },
		func() error { return syncFile(part) },
		func() error { return publishFile(part, to) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("sqlite: back up: %w", err)
		}
	}
	return heads, nil
}

// copyTo copies the pages inside one read transaction, so that they are a snapshot.
func copyTo(ctx context.Context, from, to string) (err error) {
	source, err := newConnector(from, cachePages, url.Values{"_query_only": {"1"}})
	if err != nil {
		return err
	}
	pool := sql.OpenDB(source)
	defer func() { err = errors.Join(err, pool.Close()) }()
	session, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if _, err := session.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() { // ends the read-only transaction
		_, ended := session.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, ended)
	}()
	if _, err := session.ExecContext(ctx, "SELECT count(*) FROM sqlite_schema"); err != nil {
		return err
	}
	return session.Raw(func(connection any) (err error) {
		from, ok := connection.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("a %T can't be copied from", connection)
		}
		backup, err := from.NewBackup(fileURI(to))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, backup.Finish()) }()
		for more := true; more; {
			if err := ctx.Err(); err != nil {
				return err
			}
			if more, err = backup.Step(backupPages); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkCopy reads the whole copy back, checks its pages and indexes, and returns its heads. It
// leaves no file beside it.
func checkCopy(ctx context.Context, path string) (heads []hashchain.Head, err error) {
	checked, err := newConnector(path, cachePages, url.Values{"_journal_mode": {"DELETE"}})
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(checked)
	defer func() { err = errors.Join(err, pool.Close()) }()
	var found string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return nil, err
	}
	if found != "ok" {
		return nil, fmt.Errorf("the copy is damaged: %s", found)
	}
	// Every version of the schema has these columns: a backup is also made before a migration.
	rows, err := pool.QueryContext(ctx, "SELECT lane, max(seq), hash FROM blocks GROUP BY lane ORDER BY lane")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var head hashchain.Head
		var hash string
		if err := rows.Scan(&head.Lane, &head.Seq, &hash); err != nil {
			return nil, err
		}
		if head.Hash, err = hashchain.ParseHash(hash); err != nil {
			return nil, err
		}
		heads = append(heads, head)
	}
	return heads, rows.Err()
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// publishFile renames the file to its final name, unless that exists by now, and syncs the
// directory.
func publishFile(part, name string) error {
	if err := os.Link(part, name); err != nil {
		return err
	}
	if err := os.Remove(part); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
