package services

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
)

// Binary builds the casino as it is shipped, and returns its path: bin/tested/casino of the
// module, so that only one of the packages with such tests links it.
var Binary = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "bin", "tested", "casino")
	// Test processes build at the same time, and a program that is written can't be run.
	made := fmt.Sprintf("%s.%d", path, os.Getpid())
	build := exec.Command("go", "build", "-o", made, "./cmd/casino")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0") // static
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("services: building the casino: %w\n%s", err, out)
	}
	return path, os.Rename(made, path)
})

// moduleRoot returns the folder of go.mod, above the working directory.
func moduleRoot() (root string, err error) {
	root, err = os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		above := filepath.Dir(root)
		if above == root {
			err = errors.New("services: no go.mod above the working directory")
		}
		root = above
	}
	return root, err
}

// Ready is the line that `casino dev --json` prints.
type Ready struct {
	BaseURL     string `json:"baseUrl"`
	Pages       string `json:"pagesUrl"`
	RPCURL      string `json:"rpcUrl"`
	ProviderURL string `json:"providerUrl"`
	Treasury    string `json:"treasury"`
	Tokens      []struct {
		Mint     string `json:"mint"`
		Symbol   string `json:"symbol"`
		Decimals uint8  `json:"decimals"`
	} `json:"tokens"`
	Wallets []struct {
		Name        string `json:"name"`
		Address     string `json:"address"`
		KeypairFile string `json:"keypairFile"`
		Role        string `json:"role"`
	} `json:"wallets"`
}

// Dev is a running `casino dev`.
type Dev struct {
	Ready
	// Log is its error output; read it after the process has ended.
	Log     *strings.Builder
	process *exec.Cmd
}

// NewDev starts `casino dev` on a folder, on free ports and with further flags, and waits until
// it prints that it is ready. It is killed with the test. The shared crash is off without the flag
// --crash, because its rounds would be among all events.
func NewDev(tb testing.TB, folder string, more ...string) *Dev {
	tb.Helper()
	path, err := Binary()
	if err != nil {
		tb.Fatal(err)
	}
	d := &Dev{Log: &strings.Builder{}}
	d.process = exec.Command(path, append([]string{"dev", "--json", "--data-dir", folder,
		"--http-addr", "127.0.0.1:0", "--localnet-addr", "127.0.0.1:0", "--provider-addr", "127.0.0.1:0"}, more...)...)
	d.process.Stderr, d.process.Env = d.Log, append(os.Environ(), "CASINO_CRASH=off")
	out, err := d.process.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := d.process.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(d.Kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = d.process.Wait()
		tb.Fatalf("the service did not get ready: %v\n%s", err, d.Log)
	}
	if err := json.Unmarshal([]byte(line), &d.Ready); err != nil {
		tb.Fatalf("the ready line %q: %v", line, err)
	}
	return d
}

// Kill ends the process at once, like a power cut.
func (d *Dev) Kill() {
	_ = d.process.Process.Kill()
	_ = d.process.Wait()
}

// Stop asks the process to end and waits: afterwards everything is in the database file.
func (d *Dev) Stop(tb testing.TB) {
	tb.Helper()
	if err := d.process.Process.Signal(os.Interrupt); err != nil {
		tb.Fatal(err)
	}
	if err := d.process.Wait(); err != nil {
		tb.Fatalf("the service did not stop cleanly: %v\n%s", err, d.Log)
	}
}

// Key reads a demo wallet's key.
func (d *Dev) Key(tb testing.TB, name string) (ed25519.PrivateKey, string) {
	tb.Helper()
	for _, w := range d.Wallets {
		if w.Name != name {
			continue
		}
		raw, err := os.ReadFile(w.KeypairFile)
		if err != nil {
			tb.Fatal(err)
		}
		var numbers []int
		if err := json.Unmarshal(raw, &numbers); err != nil {
			tb.Fatal(err)
		}
		key := make(ed25519.PrivateKey, len(numbers))
		for i, n := range numbers {
			key[i] = byte(n)
		}
		return key, w.Address
	}
	tb.Fatalf("no wallet %s", name)
	return nil, ""
}

// SignIn opens a session and returns its bearer token, which stays valid after restarts.
func (d *Dev) SignIn(tb testing.TB, name string) string {
	tb.Helper()
	key, _ := d.Key(tb, name)
	_, session, err := client.New(d.BaseURL, nil).SignIn(context.Background(), key, time.Now())
	if err != nil {
		tb.Fatalf("%s can't sign in: %v", name, err)
	}
	return session.Token
}

// Audit runs `casino audit` on a folder and returns its output.
func Audit(tb testing.TB, folder string, arguments ...string) (string, error) {
	tb.Helper()
	path, err := Binary()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := exec.Command(path, append([]string{"audit", "--data-dir", folder}, arguments...)...).CombinedOutput()
	return string(out), err
}

// tick is the length of a tick in /proc.
const tick = 10 * time.Millisecond

// processFields returns the fields of a process after its name: state, parent, …; nil if the
// system doesn't report them.
func processFields(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// ParentOf returns the parent of a process, 0 if the system doesn't report it.
func ParentOf(pid int) int {
	fields := processFields(pid)
	if fields == nil {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}

// Meter measures the processor time of groups of processes, each a process with its children.
type Meter struct {
	groups map[string][]int
	before map[string]time.Duration
}

// NewMeter starts measuring.
func NewMeter(groups map[string][]int) Meter { return Meter{groups, spent(groups)} }

// Each returns the cost per request since then, in microseconds, by group.
func (m Meter) Each(requests float64) map[string]float64 {
	each := map[string]float64{}
	for name, now := range spent(m.groups) {
		each[name] = float64((now - m.before[name]).Microseconds()) / requests
	}
	return each
}

func spent(groups map[string][]int) map[string]time.Duration {
	spent := map[string]time.Duration{}
	all, _ := filepath.Glob("/proc/[0-9]*") // only a bad pattern fails
	for _, path := range all {
		pid, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		fields := processFields(pid)
		if fields == nil {
			continue
		}
		for name, members := range groups {
			for _, first := range members {
				switch {
				case pid == first: // including those of its children that have ended
					spent[name] += ticksOf(fields[11:15])
				case fields[1] == strconv.Itoa(first):
					spent[name] += ticksOf(fields[11:13])
				}
			}
		}
	}
	return spent
}

func ticksOf(fields []string) (sum time.Duration) {
	for _, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err == nil {
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// ResidentMegabytes returns the most memory that a process ever had; 0 if the system doesn't
// report it.
func ResidentMegabytes(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
			return kilobytes / 1024
		}
	}
	return 0
}
