package localnet_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// npm copies a folder's package, installs what its lock file names, and returns
// the copy.
func npm(t *testing.T, folder, script string) string {
	t.Helper()
	if os.Getenv("CASINO_TEST_NODE") != "1" {
		t.Skip("set CASINO_TEST_NODE=1 to install " + folder + "'s packages from npm and run it (make test does)") // allowed: needs Node.js and npm
	}
	into := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", script} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(into, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, into, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	return into
}

func run(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, said)
	}
	t.Logf("%s", said)
}

// The clients that people have work unchanged: a session of @solana/web3.js and
// @solana/spl-token as npm has them, in real time.
func TestWeb3JS(t *testing.T) {
	t.Parallel()
	folder := npm(t, "web3js", "session.mjs")
	chain, err := localnet.Open(localnet.Config{Now: time.Now, Random: seeded(t, 7)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(chain.Handler())
	defer server.Close()
	run(t, folder, "node", "session.mjs", server.URL)
}

// The simulation is held to the real thing: random transactions, sensible or not, end
// with the same error and the same bytes in every account on Solana's own runtime with
// the deployed programs.
func TestAgainstRuntime(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the runtime's package is built for Linux on x86-64 with glibc") // allowed: no other build is asked for
	}
	folder := npm(t, "runtime", "replay.mjs")
	trace := filepath.Join(folder, "trace.jsonl")
	file, err := os.Create(trace)
	if err != nil {
		t.Fatal(err)
	}
	buffer := bufio.NewWriter(file)
	lines := json.NewEncoder(buffer)
	rapid.Check(t, func(r *rapid.T) {
		for _, line := range newMarket(r, t).trace() {
			if err := lines.Encode(line); err != nil {
				r.Fatal(err)
			}
		}
	})
	if err := buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, folder, "node", "replay.mjs", trace)
}

// trace lists everything that happened on a chain so far, then lands random transactions
// and records how each ended.
func (m *market) trace() (lines []map[string]any) {
	lines = append(lines, map[string]any{"faucet": hex.EncodeToString(m.faucet[:])})
	told := make(map[string]bool)
	for _, key := range append([]solana.PublicKey{m.faucet}, m.addresses[:wallets]...) {
		var listed []struct{ Signature string }
		m.ask("getSignaturesForAddress", &listed, key)
		for i := len(listed) - 1; i >= 0; i-- {
			signature := listed[i].Signature
			if told[signature] {
				continue
			}
			told[signature] = true
			var landed struct{ Transaction [2]string }
			m.ask("getTransaction", &landed, signature, map[string]string{"encoding": "base64"})
			lines = append(lines, map[string]any{"transaction": landed.Transaction[0]})
		}
	}
	for range 30 {
		m.clock.slots(2)
		tx := m.transaction()
		sent := tx.MustToBase64()
		var would struct{ Value struct{ Err any } }
		m.ask("simulateTransaction", &would, sent, map[string]string{"encoding": "base64", "commitment": "processed"})
		m.submit(tx)
		lines = append(lines, map[string]any{"transaction": sent, "err": would.Value.Err, "accounts": m.left()})
	}
	return lines
}

// left is what every account holds, by key in hex. The native mint is left out: it
// is a fixture, and its lamports are each chain's own.
func (m *market) left() map[string]any {
	var answer struct {
		Value []*struct {
			Lamports uint64
			Owner    solana.PublicKey
			Data     [2]string
		}
	}
	m.ask("getMultipleAccounts", &answer, m.addresses, map[string]string{"commitment": "processed"})
	accounts := make(map[string]any)
	for i, stored := range answer.Value {
		switch key := m.addresses[i]; {
		case key == solana.WrappedSol:
		case stored == nil:
			accounts[hex.EncodeToString(key[:])] = nil
		default:
			accounts[hex.EncodeToString(key[:])] = map[string]any{
				"lamports": stored.Lamports, "owner": hex.EncodeToString(stored.Owner[:]), "data": stored.Data[0],
			}
		}
	}
	return accounts
}
