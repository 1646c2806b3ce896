//go:build unix

package localnet

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir locks a folder for this process until the lock is closed or the process ends,
// however it ends.
func lockDir(dir string) (io.Closer, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close() // the lock is what failed; there is nothing in the file
		return nil, err
	}
	return file, nil
}

// syncDir puts a folder's entries on disk.
func syncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	defer func() { _ = folder.Close() }() // only read
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	return nil
}
