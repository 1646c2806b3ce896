//go:build unix

package localnet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir locks a folder for this process until the lock is closed or the process ends,
// even by a crash.
func lockDir(dir string) (io.Closer, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close() // locking failed and nothing was written
		return nil, err
	}
	return folderLock{file}, nil
}

type folderLock struct{ file *os.File }

// Close unlocks before it closes the file, because a process being started may have
// inherited the file, and the lock with it.
func (l folderLock) Close() error {
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}

// syncDir puts a folder's entries on disk.
func syncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	defer func() { _ = folder.Close() }() // an error of Close doesn't matter after reading
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	return nil
}
