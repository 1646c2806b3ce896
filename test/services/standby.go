package services

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// followTime bounds the wait for a standby to follow its primary.
const followTime = 30 * time.Second

// NewStandby makes a server that follows the primary by streaming replication, and
// waits until it does. It ends with the test. Whether the primary's commits wait for
// it is Synchronous' to say.
func (c *Cluster) NewStandby(tb testing.TB) *Cluster {
	tb.Helper()
	s, err := bareCluster("", c.settings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.guard.end(); err != nil {
			tb.Error(err)
		}
	})
	s.Follow(tb, c)
	return s
}

// Follow makes the server anew as a standby of the primary, on the port it had, and
// starts it. What was on it is gone.
func (c *Cluster) Follow(tb testing.TB, primary *Cluster) {
	tb.Helper()
	if err := os.RemoveAll(c.data()); err != nil {
		tb.Fatal(err)
	}
	backup := c.as(c.program("pg_basebackup"), "-D", c.data(), "-R", "-X", "stream", "-c", "fast", "--no-sync",
		"-d", primary.URL())
	if err := errors.Join(run(backup...), c.configure()); err != nil {
		tb.Fatal(err)
	}
	c.Start(tb)
	primary.await(tb, "SELECT 1/count(*) FROM pg_stat_replication WHERE state = 'streaming'")
}

// Synchronous makes the server's commits wait for a standby, or not any more.
func (c *Cluster) Synchronous(tb testing.TB, on bool) {
	tb.Helper()
	names := "''"
	if on {
		names = "'*'"
	}
	c.administer(tb, "ALTER SYSTEM SET synchronous_standby_names = "+names)
	c.administer(tb, "SELECT pg_reload_conf()")
	if on {
		c.await(tb, "SELECT 1/count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
	}
}

// Promote makes a primary of a standby, and waits until it takes writes.
func (c *Cluster) Promote(tb testing.TB) {
	tb.Helper()
	if err := c.control("promote"); err != nil {
		tb.Fatal(err)
	}
}

// Freeze stops the processes by which a standby follows its primary, as a disk or a
// machine that hangs does. The server's first process goes on, so that it can be ended.
func (c *Cluster) Freeze(tb testing.TB) {
	tb.Helper()
	c.signal(tb, syscall.SIGSTOP)
	c.frozen = true
}

// Thaw lets them go on.
func (c *Cluster) Thaw(tb testing.TB) {
	tb.Helper()
	c.signal(tb, syscall.SIGCONT)
	c.frozen = false
}

// signal sends a signal to each process that the server's first one started.
func (c *Cluster) signal(tb testing.TB, signal syscall.Signal) {
	tb.Helper()
	first := c.PID(tb)
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		tb.Fatal(err)
	}
	sent := 0
	for _, folder := range folders {
		status, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it ended meanwhile
		}
		// "pid (name) state parent …": the name may have anything in it.
		_, after, _ := strings.Cut(string(status), ") ")
		fields := strings.Fields(after)
		if len(fields) < 2 || fields[1] != strconv.Itoa(first) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err == nil {
			err = syscall.Kill(pid, signal)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			tb.Fatal(err)
		}
		sent++
	}
	if sent == 0 {
		tb.Fatalf("the server %d has no processes", first)
	}
}

// PID is the server's first process.
func (c *Cluster) PID(tb testing.TB) int {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		tb.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 1 {
		tb.Fatalf("the server's pid file says %q", first)
	}
	return pid
}

func (c *Cluster) administer(tb testing.TB, statement string) {
	tb.Helper()
	if err := execute(tb.Context(), c.URL(), statement); err != nil {
		tb.Fatal(err)
	}
}

// await asks until the statement doesn't fail.
func (c *Cluster) await(tb testing.TB, statement string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), followTime)
	defer cancel()
	for {
		err := execute(ctx, c.URL(), statement)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			tb.Fatal(fmt.Errorf("services: within %s: %w", followTime, err))
		}
		wait(ctx, 20*time.Millisecond)
	}
}

// MultiURL is the URL of both servers, of which the one that takes writes is used.
func (c *Cluster) MultiURL(other *Cluster) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write",
		c.port, other.port)
}

// ReadOnly makes the server refuse writes, those of open sessions too.
func (c *Cluster) ReadOnly(tb testing.TB) {
	tb.Helper()
	c.administer(tb, "ALTER SYSTEM SET default_transaction_read_only = on")
	c.administer(tb, "SELECT pg_reload_conf()")
}

// CutOff ends all sessions of clients.
func (c *Cluster) CutOff(tb testing.TB) {
	tb.Helper()
	c.administer(tb, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
}
