//go:build !unix

package service

// descriptorLimit returns the maximum number of files and connections of the process.
func descriptorLimit() uint64 { return descriptorsUnknown }
