package file

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Whoever holds the lock gives it back within microseconds. One that doesn't, because
// its process stands still, must not hold up batches: after lockTries their head is not
// kept, and the next one is.
const (
	lockTries = 100
	lockRest  = 50 * time.Microsecond
)

var errLocked = errors.New("witness: another process holds the file of heads")

// locked runs do while no other process writes the file.
func (f *ledgerFile) locked(do func() error) error {
	number := int(f.Fd())
	for try := 1; ; try++ {
		err := syscall.Flock(number, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("witness: %w", err)
		}
		if try == lockTries {
			return errLocked
		}
		time.Sleep(lockRest)
	}
	defer func() { _ = syscall.Flock(number, syscall.LOCK_UN) }() // closing the file gives it back too
	return do()
}
