//go:build unix

package doctor

import "golang.org/x/sys/unix"

// diskSpace implements Machine.DiskSpace.
func diskSpace(path string) (free uint64, writable bool, err error) {
	var figures unix.Statfs_t
	if err := unix.Statfs(path, &figures); err != nil {
		return 0, false, err
	}
	return uint64(figures.Bavail) * uint64(figures.Bsize), unix.Access(path, unix.W_OK|unix.X_OK) == nil, nil //nolint:unconvert // signed on some systems
}
