//go:build !unix

package localnet

import (
	"io"
	"os"
	"path/filepath"
)

// lockDir keeps a file open. It doesn't lock: without flock two processes could use one
// folder.
func lockDir(dir string) (io.Closer, error) {
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
}

// syncDir does nothing: folders can't be synced here.
func syncDir(string) error { return nil }
