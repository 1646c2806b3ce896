package load_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// meter reads how much processor time this process (clients included) and a
// PostgreSQL server have used. On a machine that others use too, the time that a
// bet takes says more than how many were made in a second.
type meter struct {
	testing.TB
	// postmaster is the server's first process; 0 where the system doesn't report it.
	postmaster int
}

func newMeter(t testing.TB, url string) meter {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var backend int
	if err := db.QueryRow("SELECT pg_backend_pid()").Scan(&backend); err != nil {
		t.Fatal(err)
	}
	fields := processFields(filepath.Join("/proc", strconv.Itoa(backend), "stat"))
	if fields == nil {
		return meter{t, 0}
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return meter{t, parent}
}

// processFields are those of a process after its name: state, parent, ….
func processFields(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// ticks is how long a tick of /proc is.
const ticks = 10 * time.Millisecond

// read returns the processor time used so far by this process and by the server.
func (m meter) read() (own, server time.Duration) {
	m.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		m.Fatal(err)
	}
	own = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	if m.postmaster == 0 {
		return own, 0
	}
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		m.Fatal(err)
	}
	number := func(text string) time.Duration {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			m.Fatal(err)
		}
		return time.Duration(n) * ticks
	}
	for _, path := range all {
		fields := processFields(path)
		switch {
		case fields == nil:
		case path == fmt.Sprintf("/proc/%d/stat", m.postmaster): // including its ended processes
			server += number(fields[11]) + number(fields[12]) + number(fields[13]) + number(fields[14])
		case fields[1] == strconv.Itoa(m.postmaster):
			server += number(fields[11]) + number(fields[12])
		}
	}
	return own, server
}
