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

// process is the one Node.js process of a runtime in a test binary; it ends with
// it, because its stdin does.
type process struct {
	mu     sync.Mutex
	in     io.Writer
	answer *bufio.Reader
}

var launch = map[string]func() (*process, error){
	surfnet: sync.OnceValues(func() (*process, error) { return newProcess(surfnet) }),
	litesvm: sync.OnceValues(func() (*process, error) { return newProcess(litesvm) }),
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
	return &process{in: in, answer: bufio.NewReader(out)}, node.Start()
}

// network is what the process prints of one of its chains.
type network struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Error string `json:"error"`
}

// do has one command carried out.
func (p *process) do(command map[string]any) (done network, err error) {
	text, err := json.Marshal(command)
	if err != nil {
		return done, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return done, err
	}
	line, err := p.answer.ReadBytes('\n')
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
	p, err := launch[kind]()
	if err != nil {
		t.Fatalf("starting %s: %v", kind, err)
	}
	started, err := p.do(map[string]any{"start": true})
	if err != nil {
		t.Fatalf("starting a chain on %s: %v", kind, err)
	}
	t.Cleanup(func() {
		if _, err := p.do(map[string]any{"stop": started.ID}); err != nil {
			t.Errorf("stopping a chain on %s: %v", kind, err)
		}
	})
	return started.URL
}
