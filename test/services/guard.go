package services

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
)

// guard is a small process that waits for the end of its input, then runs a
// command and removes a folder. The input ends when end is called or when this
// process is gone, so that a killed test leaves no server behind.
type guard struct {
	process *exec.Cmd
	input   io.Closer
}

func newGuard(command []string, folder string) (*guard, error) {
	// The command's own failure doesn't matter: the server may be down already.
	script := `cat >/dev/null; "$@" >/dev/null 2>&1; i=0; while ! rm -rf "$FOLDER" 2>/dev/null && [ $i -lt 50 ]; do i=$((i+1)); sleep 0.1; done`
	process := exec.Command("sh", append([]string{"-c", script, "guard"}, command...)...) //nolint:gosec // the command is ours, and outlives any context
	process.Env = append(process.Environ(), "FOLDER="+folder)
	process.Dir = "/"
	// A group of its own: a signal for the tests' group, as Ctrl-C sends, leaves it
	// to clean up.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := process.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("services: guard: %w", err)
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("services: guard: %w", err)
	}
	return &guard{process, input}, nil
}

// end runs the command now and waits for it.
func (g *guard) end() error {
	if err := g.input.Close(); err != nil {
		return fmt.Errorf("services: guard: %w", err)
	}
	if err := g.process.Wait(); err != nil {
		return fmt.Errorf("services: guard: %w", err)
	}
	return nil
}

// run runs a command to its end; its output is part of the error.
func run(line ...string) error {
	command := exec.Command(line[0], line[1:]...) //nolint:gosec // the commands are ours and short
	command.Dir = "/"
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("services: %s: %w\n%s", strings.Join(line, " "), err, output)
	}
	return nil
}
