package localnet_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana/localnet"
)

// The clients that people have work unchanged: a session of @solana/web3.js and
// @solana/spl-token as npm has them, in real time.
func TestWeb3JS(t *testing.T) {
	t.Parallel()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install @solana/web3.js from npm and run its session (make test does)") // allowed: needs Node.js and npm
	}
	folder := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "session.mjs"} {
		text, err := os.ReadFile(filepath.Join("web3js", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), name, args...)
		command.Dir = folder
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, said)
		}
	}
	run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	chain, err := localnet.Open(localnet.Config{Now: time.Now, Random: seeded(t, 7)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(chain.Handler())
	defer server.Close()
	run("node", "session.mjs", server.URL)
}
