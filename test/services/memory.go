package services

import "syscall"

// memoryFolder is where Linux mounts a file system that is in memory.
const memoryFolder = "/dev/shm"

// memoryWanted is what has to be free there for a server of tests: several times what the
// databases of a package's tests have had at once, since other packages run beside it.
const memoryWanted = 2 << 30

// inMemory returns a folder whose files are in memory, or "" where there is none or too little
// room in it, as in most containers. A server of tests makes and removes some hundred thousand
// small files, for which a file system on a disk can need as long as the server for its work.
func inMemory() string { return roomyFolder(memoryFolder, memoryWanted) }

// roomyFolder returns the folder if it is on a file system with so many bytes free, else "".
func roomyFolder(folder string, wanted uint64) string {
	var figures syscall.Statfs_t
	if err := syscall.Statfs(folder, &figures); err != nil {
		return "" // there is none
	}
	if figures.Bavail*uint64(figures.Bsize) < wanted { //nolint:gosec // a size of blocks is positive
		return ""
	}
	return folder
}
