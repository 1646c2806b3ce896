//go:build !unix

package service

// descriptors is how many files and connections the process may have open.
func descriptors() uint64 { return connectionsMax }
