//go:build linux

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// nobody is the user of the image.
const nobody = 65532

// cell is an empty root with the static binary in it, as the image has it.
type cell struct {
	*world
	root string
}

// command is the binary in the cell, as a user that owns nothing else. It is
// asked to end when its context does.
func (c *cell) command(ctx context.Context, args ...string) *exec.Cmd {
	made := exec.CommandContext(ctx, "/casino", args...)
	made.Dir, made.Env = "/", []string{}
	made.SysProcAttr = &syscall.SysProcAttr{
		Chroot: c.root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
	}
	made.Cancel = func() error { return made.Process.Signal(os.Interrupt) }
	return made
}

// newCell builds the binary and moves the world's files in beside it.
func newCell(t *testing.T, w *world) *cell {
	t.Helper()
	c := &cell{world: w, root: t.TempDir()}
	for _, folder := range []string{c.root, filepath.Dir(c.root)} { // of the test alone, and its owner's until now
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(c.root, "casino"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the casino: %v\n%s", err, out)
	}
	for name, value := range w.settings {
		if filepath.Dir(value) != w.folder {
			continue
		}
		base := filepath.Base(value)
		raw, err := os.ReadFile(value)
		if err != nil {
			t.Fatal(err)
		}
		inside := filepath.Join(c.root, base)
		if err := os.WriteFile(inside, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(inside, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		w.settings[name] = "/" + base
	}
	return c
}

// TestTheStaticBinaryInAnEmptyRoot runs a session against PostgreSQL and Redis
// with the binary in a root that holds nothing but it and its settings.
func TestTheStaticBinaryInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the binary and needs PostgreSQL and Redis") // allowed: make test runs it
	}
	if os.Getuid() != 0 {
		t.Skip("only root may change a process's root") // allowed: nothing else can make an empty one
	}
	c := newCell(t, onServices(t))
	for _, args := range [][]string{{"version"}, append([]string{"migrate", "status"}, c.flags("database-url")...)} {
		if out, err := c.command(t.Context(), args...).CombinedOutput(); err != nil {
			t.Fatalf("casino %s: %v\n%s", args[0], err, out)
		}
	}
	s := c.await(func(ctx context.Context, log io.Writer) int {
		running := c.command(ctx, append([]string{"serve"}, c.flags()...)...)
		running.Stderr = log
		if err := running.Run(); err != nil && running.ProcessState == nil {
			_, _ = io.WriteString(log, err.Error())
			return exitFailed
		}
		return running.ProcessState.ExitCode()
	})
	for _, args := range [][]string{
		{"capital", "book", string(money.SOL), "10000000000", "founding"}, {"role", "grant", string(fakes.Wallet("finance")), "finance"},
	} {
		if out, err := c.command(t.Context(), append(args, c.flags("database-url")...)...).CombinedOutput(); err != nil {
			t.Fatalf("casino %s: %v\n%s", args[0], err, out)
		}
	}
	c.session(s)
	s.stop()
	out, err := c.command(t.Context(), append([]string{"audit"}, c.flags("database-url")...)...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "everything holds") {
		t.Errorf("audit: %v\n%s", err, out)
	}
}
