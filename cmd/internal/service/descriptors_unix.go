//go:build unix

package service

import "syscall"

// descriptorLimit returns the maximum number of files and connections of the process.
func descriptorLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return descriptorsUnknown
	}
	return uint64(limit.Cur) //nolint:unconvert // signed on some systems
}
