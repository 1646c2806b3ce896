package chaos_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/client"
)

// binary builds the casino once for all tests.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "casino-chaos-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "casino")
	build := exec.Command("go", "build", "-o", path, "../../cmd/casino")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // static, as it is shipped
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the casino: %w\n%s", err, out)
	}
	return path, nil
})

// ready is the line that `casino dev --json` prints.
type ready struct {
	BaseURL  string `json:"baseUrl"`
	RPCURL   string `json:"rpcUrl"`
	Treasury string `json:"treasury"`
	Tokens   []struct {
		Mint   string `json:"mint"`
		Symbol string `json:"symbol"`
	} `json:"tokens"`
	Wallets []struct {
		Name        string `json:"name"`
		Address     string `json:"address"`
		KeypairFile string `json:"keypairFile"`
		Role        string `json:"role"`
	} `json:"wallets"`
}

// service is a running casino.
type service struct {
	ready
	process *exec.Cmd
	log     *strings.Builder
}

// start runs the casino on the folder and waits until it says that it is ready.
func start(t *testing.T, folder string) *service {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	s := &service{log: &strings.Builder{}}
	s.process = exec.Command(path, "dev", "--json", "--data-dir", folder,
		"--http-addr", "127.0.0.1:0", "--localnet-addr", "127.0.0.1:0", "--provider-addr", "127.0.0.1:0")
	s.process.Stderr = s.log
	out, err := s.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = s.process.Wait()
		t.Fatalf("the service did not get ready: %v\n%s", err, s.log)
	}
	if err := json.Unmarshal([]byte(line), &s.ready); err != nil {
		t.Fatalf("the ready line %q: %v", line, err)
	}
	return s
}

// kill ends the process at once, as a power cut does.
func (s *service) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// key reads a demo wallet's key.
func (s *service) key(t *testing.T, name string) (ed25519.PrivateKey, string) {
	t.Helper()
	for _, w := range s.Wallets {
		if w.Name != name {
			continue
		}
		raw, err := os.ReadFile(w.KeypairFile)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int
		if err := json.Unmarshal(raw, &numbers); err != nil {
			t.Fatal(err)
		}
		key := make(ed25519.PrivateKey, len(numbers))
		for i, n := range numbers {
			key[i] = byte(n)
		}
		return key, w.Address
	}
	t.Fatalf("no wallet %s", name)
	return nil, ""
}

// signIn opens a session and returns its bearer token, which outlives restarts.
func (s *service) signIn(t *testing.T, name string) string {
	t.Helper()
	key, _ := s.key(t, name)
	_, session, err := client.New(s.BaseURL, nil).SignIn(context.Background(), key, time.Now())
	if err != nil {
		t.Fatalf("%s can't sign in: %v", name, err)
	}
	return session.Token
}

// audit runs `casino audit` on the folder and returns its output.
func audit(t *testing.T, folder string, arguments ...string) (string, error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, append([]string{"audit", "--data-dir", folder}, arguments...)...).CombinedOutput()
	return string(out), err
}

// stop asks the process to end and waits: everything is in the database file
// afterwards.
func (s *service) stop(t *testing.T) {
	t.Helper()
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Fatalf("the service did not stop cleanly: %v\n%s", err, s.log)
	}
}
