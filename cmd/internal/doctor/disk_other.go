//go:build !unix

package doctor

import "errors"

// diskSpace implements Machine.DiskSpace.
func diskSpace(string) (free uint64, writable bool, err error) {
	return 0, false, errors.ErrUnsupported
}
