//go:build !unix

package localnet

import (
	"io"
	"os"
	"path/filepath"
)

// lockDir keeps a file open. Where there is no flock, two processes on one folder
// are the user's care.
func lockDir(dir string) (io.Closer, error) {
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
}

// syncDir does nothing: folders can't be synced here.
func syncDir(string) error { return nil }
