package validator

import (
	"bufio"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// files are the Node.js halves, a folder for each runtime.
//
//go:embed surfnet/package.json surfnet/package-lock.json surfnet/.npmrc surfnet/surfnet.mjs
//go:embed litesvm/package.json litesvm/package-lock.json litesvm/.npmrc litesvm/litesvm.mjs
var files embed.FS

// The runtimes by their folders.
const (
	surfnet = "surfnet"
	litesvm = "litesvm"
)

// answerTime bounds the wait for a process's answer, which comes within a second or two on
// a machine with much to do.
const answerTime = time.Minute

// errStuck is the error of a process that doesn't answer.
var errStuck = errors.New("the process doesn't answer")

// process is a Node.js process that runs chains; it ends with the test binary, because its
// stdin does.
type process struct {
	mu      sync.Mutex
	in      io.Writer
	out     interface{ SetReadDeadline(time.Time) error }
	answer  *bufio.Reader
	patient time.Duration
	end     func() error
	// stuck says that an answer was missing, after which nothing is asked of it. Chains that
	// it runs go on, so it ends with the last one.
	stuck  bool
	chains int
}

// host runs the chains of a kind on one process, and on another where that one is stuck.
// Surfpool chooses its ports before it listens on them and, should somebody have taken one
// meanwhile, waits for ever.
type host struct {
	mu     sync.Mutex
	launch func() (*process, error)
	now    *process
	failed error // of the launch, which isn't tried for each test again
}

var hosts = map[string]*host{
	surfnet: {launch: func() (*process, error) { return newProcess(surfnet) }},
	litesvm: {launch: func() (*process, error) { return newProcess(litesvm) }},
}

// process is the one that chains are started on.
func (h *host) process() (*process, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil && h.failed == nil {
		h.now, h.failed = h.launch()
	}
	return h.now, h.failed
}

// leave lets the next chain be started on a new process.
func (h *host) leave(p *process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == p {
		h.now = nil
	}
}

// attempts is how many processes a chain is started on before its test fails.
const attempts = 3

// start starts a chain and returns the process that runs it.
func (h *host) start() (p *process, started network, err error) {
	for range attempts {
		if p, err = h.process(); err != nil {
			return nil, started, err
		}
		if started, err = p.start(); !errors.Is(err, errStuck) {
			break
		}
		h.leave(p)
	}
	return p, started, err
}

// newProcess installs what the lockfile names into a fresh folder and starts it.
func newProcess(kind string) (*process, error) {
	folder, err := os.MkdirTemp("", "validator-")
	if err != nil {
		return nil, err
	}
	list, err := files.ReadDir(kind)
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		text, err := files.ReadFile(kind + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, entry.Name()), text, 0o600); err != nil {
			return nil, err
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = folder
	if output, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm ci: %w\n%s", err, output)
	}
	node := exec.Command("node", filepath.Join(folder, kind+".mjs"))
	node.Dir, node.Stderr = folder, os.Stderr
	in, err := node.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := node.StdoutPipe()
	if err != nil {
		return nil, err
	}
	deadline, ok := out.(*os.File)
	if !ok {
		return nil, fmt.Errorf("a pipe of type %T has no deadline", out)
	}
	end := func() error {
		err := errors.Join(node.Process.Kill(), os.RemoveAll(folder))
		_ = node.Wait() // that it was killed is no news
		return err
	}
	return &process{in: in, out: deadline, answer: bufio.NewReader(out), patient: answerTime, end: end}, node.Start()
}

// network is what the process prints of one of its chains.
type network struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Error string `json:"error"`
}

// do has one command carried out. The caller holds the lock.
func (p *process) do(command map[string]any) (done network, err error) {
	if p.stuck {
		return done, errStuck
	}
	text, err := json.Marshal(command)
	if err != nil {
		return done, err
	}
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return done, err
	}
	if err := p.out.SetReadDeadline(time.Now().Add(p.patient)); err != nil {
		return done, err
	}
	line, err := p.answer.ReadBytes('\n')
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.stuck = true
		return done, errStuck
	}
	if err != nil {
		return done, err
	}
	if err := json.Unmarshal(line, &done); err != nil {
		return done, fmt.Errorf("%w: %s", err, line)
	}
	if done.Error != "" {
		return done, errors.New(done.Error)
	}
	return done, nil
}

// start starts a chain.
func (p *process) start() (network, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	started, err := p.do(map[string]any{"start": true})
	if err == nil {
		p.chains++
		return started, nil
	}
	return started, errors.Join(err, p.endStuck())
}

// stop stops a chain. One of a process that is stuck ends with it.
func (p *process) stop(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.do(map[string]any{"stop": id})
	if errors.Is(err, errStuck) {
		err = nil
	}
	p.chains--
	return errors.Join(err, p.endStuck())
}

// endStuck ends the process where it is stuck and runs no chain any more.
func (p *process) endStuck() error {
	if !p.stuck || p.chains > 0 || p.end == nil {
		return nil
	}
	end := p.end
	p.end = nil
	return end()
}

// Available skips the test where the runtime can't be had.
func Available(t testing.TB) {
	t.Helper()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install Solana's runtime from npm and run on it (make test does)") // allowed: needs Node.js and npm
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the runtime's packages are built for Linux on x86-64 with glibc: this suite runs on the simulated chain alone") // allowed: no other build is asked for
	}
}

// start starts a chain that ends with the test, and returns its URL.
func start(t testing.TB, kind string) string {
	t.Helper()
	Available(t)
	p, started, err := hosts[kind].start()
	if err != nil {
		t.Fatalf("starting a chain on %s: %v", kind, err)
	}
	t.Cleanup(func() {
		if err := p.stop(started.ID); err != nil {
			t.Errorf("stopping a chain on %s: %v", kind, err)
		}
	})
	return started.URL
}
