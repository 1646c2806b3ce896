package localnet_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// npm copies a folder's package, installs the packages of its lock file, and returns the
// copy.
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

// serveReal serves a chain in real time as casino dev does, with the websocket on the
// port above, and returns both addresses.
func serveReal(t *testing.T, seed byte) (rpcURL, websocketURL string) {
	t.Helper()
	chain, err := localnet.Open(localnet.Config{Now: time.Now, Random: seeded(t, seed)})
	if err != nil {
		t.Fatal(err)
	}
	pubsub := chain.Pubsub()
	for range 100 { // the port above may be in use
		calls, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		above := calls.Addr().(*net.TCPAddr).Port + 1
		sockets, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", above))
		if err != nil {
			_ = calls.Close()
			continue
		}
		for listener, handler := range map[net.Listener]http.Handler{calls: chain.Handler(), sockets: pubsub} {
			server := httptest.NewUnstartedServer(handler)
			_ = server.Listener.Close()
			server.Listener = listener
			server.Start()
			t.Cleanup(server.Close)
		}
		t.Cleanup(pubsub.Close) // before the servers, which would wait for its connections
		return "http://" + calls.Addr().String(), "ws://" + sockets.Addr().String()
	}
	t.Fatal("there were no two free ports that follow each other")
	return "", ""
}

// Real clients work unchanged: a session of @solana/web3.js and @solana/spl-token from npm,
// in real time.
func TestWeb3JS(t *testing.T) {
	t.Parallel()
	folder := npm(t, "web3js", "session.mjs")
	url, _ := serveReal(t, 7) // web3.js derives the websocket's address
	run(t, folder, "node", "session.mjs", url)
}

// TestKit confirms with @solana/kit, which asks for a newer Node.js than web3.js.
func TestKit(t *testing.T) {
	t.Parallel()
	folder := npm(t, "kit", "confirm.mjs")
	version, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if major, err := strconv.Atoi(strings.TrimPrefix(strings.Split(string(version), ".")[0], "v")); err != nil || major < 20 {
		t.Skipf("@solana/kit needs Node.js 20, this is %s", version) // allowed: older systems have Node.js 18
	}
	url, websocket := serveReal(t, 8)
	run(t, folder, "node", "confirm.mjs", url, websocket)
}

// The simulation is compared with the real runtime: random transactions, valid or not, end
// with the same error and the same bytes in every account on Solana's own runtime with the
// deployed programs.
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

// trace lists the chain's transactions so far, then lands random transactions and records
// their results.
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

// left returns the content of every account, by key in hex.
func (m *market) left() map[string]any {
	accounts := make(map[string]any)
	for _, key := range m.addresses {
		name := hex.EncodeToString(key[:])
		if stored := m.account(key); stored == nil {
			accounts[name] = nil
		} else {
			accounts[name] = map[string]any{
				"lamports": stored.Lamports, "owner": hex.EncodeToString(stored.Owner[:]), "data": stored.Data[0],
			}
		}
	}
	return accounts
}
