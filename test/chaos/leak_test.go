package chaos_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// The most that an idle instance has beside the loops of its workers: the connections that its
// pools keep.
const (
	goroutinesMax = 25
	filesMax      = 100
)

// loop is in the stack of each worker's loop.
const loop = "/adapters/workers.runLoop+"

// noLeaks waits until the instance, now without requests, has no more goroutines and open files
// than it needs.
func (i *instance) noLeaks() {
	i.Helper()
	i.transport.CloseIdleConnections()
	goroutines, files := 0, 0
	eventually(i, "few goroutines and files are left", func() bool {
		goroutines, files = i.goroutines(), i.files()
		return goroutines <= goroutinesMax && files <= filesMax
	})
	i.Logf("an idle instance: %d goroutines beside its loops, %d open files", goroutines, files)
}

// goroutines returns the instance's reported number of goroutines beside its workers' loops.
func (i *instance) goroutines() (n int) {
	i.Helper()
	answer, err := http.Get("http://" + i.operations + "/debug/pprof/goroutine?debug=1")
	noError(i, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	noError(i, err)
	first, _, _ := strings.Cut(string(text), "\n")
	if _, err := fmt.Sscanf(first, "goroutine profile: total %d", &n); err != nil {
		i.Fatalf("%q: %v", first, err)
	}
	loops := 0
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		if strings.Contains(stack, loop) {
			alike, _, _ := strings.Cut(stack[strings.LastIndex(stack[:strings.Index(stack, " @ ")], "\n")+1:], " @ ")
			count, err := strconv.Atoi(alike)
			noError(i, err)
			loops += count
		}
	}
	if loops == 0 {
		i.Fatal("the instance has no worker")
	}
	return n - loops
}

// files returns the process's number of open files, 0 if the system doesn't report it.
func (i *instance) files() int {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", i.process.Process.Pid))
	if err != nil {
		return 0
	}
	return len(open)
}
