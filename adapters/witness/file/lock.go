package file

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// The lock is normally held for microseconds. If its holder hangs, batches must not wait:
// after lockTries attempts their head is skipped, and the next one is stored instead.
const (
	lockTries = 100
	lockRest  = 50 * time.Microsecond
)

var errLocked = errors.New("witness: another process holds the file of heads")

// withLock runs do while no other process writes the file.
func (f *ledgerFile) withLock(do func() error) error {
	if err := lockFile(f.File, lockTries); err != nil {
		return err
	}
	defer func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }() // closing the file gives it back too
	return do()
}

// lockFile locks a file until it is closed or unlocked.
func lockFile(f *os.File, tries int) error {
	for try := 1; ; try++ {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("witness: %w", err)
		}
		if try == tries {
			return errLocked
		}
		time.Sleep(lockRest)
	}
}
