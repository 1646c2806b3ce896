//go:build unix

package service

import "syscall"

// descriptorLimit is how many files and connections the process may have open.
func descriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return connectionsMax
	}
	return uint64(limit.Cur) //nolint:unconvert // it is signed on some systems
}
