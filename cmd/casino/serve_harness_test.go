package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

const productionTokens = `{"tokens": [{"mint": "So11111111111111111111111111111111111111112", "symbol": "SOL", "decimals": 9,
"program": "system", "minDeposit": 1000000, "maxWager": 100000000, "maxPayout": 1000000000, "minWithdrawal": 1000000,
"maxWithdrawal": 1000000000, "twoPersonAbove": null, "twoPersonAbovePerDay": null, "payoutCap": 1000000000, "payoutCapPerHour": 10000000000, "bankrollShare": "0.1"}]}`

// world is the state before the first start: a chain with a funded treasury, and files with
// settings and secrets.
type world struct {
	t        *testing.T
	folder   string
	chain    *localnet.Chain
	rpc      *rpc.Client
	node     *httptest.Server
	treasury ed25519.PrivateKey
	// settings are flags by name, without dashes.
	settings map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOf(t, "genesis")
}

// newWorldOf returns a world with a chain made from the given randomness.
func newWorldOf(t *testing.T, genesis string) *world {
	t.Helper()
	w := &world{t: t, folder: t.TempDir(), treasury: fakes.Key("treasury of production")}
	chain, err := localnet.Open(localnet.Config{
		Dir: t.TempDir(), Now: time.Now, Random: strings.NewReader(strings.Repeat(genesis, 1<<16)),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.chain, w.node = chain, httptest.NewServer(chain.Handler())
	t.Cleanup(func() {
		w.node.Close()
		if err := chain.Close(); err != nil {
			t.Error(err)
		}
	})
	w.rpc = rpc.New(w.node.URL)
	hash, err := w.rpc.GetGenesisHash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keypair := filepath.Join(w.folder, "treasury.json")
	if err := dev.WriteKeypair(keypair, w.treasury); err != nil {
		t.Fatal(err)
	}
	for _, key := range []ed25519.PrivateKey{w.treasury, fakes.Key("alice")} {
		if _, err := chain.Airdrop(dev.PublicKey(key), 20_000_000_000); err != nil {
			t.Fatal(err)
		}
		until(t, "the wallet is funded", func() bool {
			held, err := w.rpc.GetBalance(t.Context(), dev.PublicKey(key), rpc.CommitmentFinalized)
			return err == nil && held.Value > 0
		})
	}
	w.settings = map[string]string{
		"database-url":       "sqlite:" + filepath.Join(w.folder, "casino.db"),
		"state-dir":          t.TempDir(),
		"http-addr":          "127.0.0.1:0",
		"ops-addr":           "127.0.0.1:0",
		"tokens-file":        w.file("tokens.json", productionTokens),
		"solana-rpc-urls":    w.node.URL,
		"solana-single-node": "true",
		"solana-genesis":     hash.String(),
		"treasury-keypair":   keypair,
		"jwt-keys-file":      w.file("jwt.keys", "# newest first\n2026-02:"+random(1)+"\n2026-01:"+random(2)+"\n"),
		"seed-keys":          "2026-01:" + random(3),
		"checkpoint-keys":    "2026-01:" + random(9),
		"superadmin-wallets": string(fakes.Wallet("root")),
		"log-format":         "json",
	}
	return w
}

// random returns a secret of 32 bytes, different for each number.
func random(n byte) string {
	secret := bytes.Repeat([]byte{n}, 32)
	secret[0] = 0xa5
	return hex.EncodeToString(secret)
}

func (w *world) file(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// flags returns the named settings, or all, as arguments.
func (w *world) flags(names ...string) []string {
	var args []string
	for name, value := range w.settings {
		if len(names) == 0 || strings.Contains(strings.Join(names, " "), name) {
			args = append(args, "--"+name+"="+value)
		}
	}
	return args
}

// do runs a command on the world's database and expects success.
func (w *world) do(args ...string) string {
	w.t.Helper()
	names := []string{"database-url"}
	if len(args) > 1 && args[0] == "capital" && args[1] == "book" {
		args = append(args, "--unread")
	}
	if writes := len(args) > 1 && (args[0] == "capital" || args[1] == "pause" || args[1] == "resume"); writes && !slices.Contains(args, "--seed-keys") {
		names = append(names, "seed-keys")
	}
	out, errOut, code := runCasino(w.t, append(args, w.flags(names...)...)...)
	if code != exitDone {
		w.t.Fatalf("casino %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errOut)
	}
	return out
}

// running is a service under test.
type running struct {
	t        *testing.T
	api, ops string
	log      *logLines
	stopping context.CancelFunc
	code     chan int
}

// serve starts the service and waits until it reports that it serves.
func (w *world) serve() *running {
	w.t.Helper()
	return w.await(func(ctx context.Context, log io.Writer) int {
		return run(ctx, append([]string{"serve"}, w.flags()...), io.Discard, log)
	})
}

// await runs a service until its context ends, and waits until it reports that it serves.
func (w *world) await(serve func(context.Context, io.Writer) int) *running {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &running{t: w.t, log: newLogLines(), stopping: cancel, code: make(chan int, 1)}
	go func() {
		s.code <- serve(ctx, s.log)
		close(s.log.ended)
	}()
	w.t.Cleanup(func() {
		cancel()
		<-s.log.ended
		if w.t.Failed() {
			w.t.Logf("the service said:\n%s", s.log)
		}
	})
	line := s.log.await(w.t, "casino serves")
	s.api, s.ops = fmt.Sprint("http://", line["api"], line["base_path"]), fmt.Sprint("http://", line["ops"])
	return s
}

// stop ends the service and expects a clean end.
func (s *running) stop() {
	s.t.Helper()
	s.stopping()
	if code := <-s.code; code != exitDone {
		s.t.Fatalf("the service ended with %d", code)
	}
}

// get sends a request to the operations address.
func (s *running) get(path string) (int, string) {
	s.t.Helper()
	answer, err := http.Get(s.ops + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// signIn opens a session of a wallet.
func (s *running) signIn(name string) *client.Client {
	s.t.Helper()
	session, _, err := client.New(s.api, nil).SignIn(s.t.Context(), fakes.Key(name), time.Now())
	if err != nil {
		s.t.Fatalf("%s can't sign in: %v", name, err)
	}
	return session
}

// pay sends lamports from a wallet to the treasury, and returns the signature
// once it is finalized.
func (w *world) pay(from string, lamports uint64) string {
	w.t.Helper()
	ctx, key := w.t.Context(), fakes.Key(from)
	recent, err := w.rpc.GetLatestBlockhash(ctx, rpc.CommitmentFinalized)
	if err != nil {
		w.t.Fatal(err)
	}
	transfer := system.NewTransferInstruction(lamports, dev.PublicKey(key), dev.PublicKey(w.treasury)).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{transfer}, recent.Value.Blockhash, solana.TransactionPayer(dev.PublicKey(key)))
	if err != nil {
		w.t.Fatal(err)
	}
	private := solana.PrivateKey(key)
	if _, err := tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &private }); err != nil {
		w.t.Fatal(err)
	}
	signature, err := w.rpc.SendTransaction(ctx, tx)
	if err != nil {
		w.t.Fatal(err)
	}
	// Ask the service only then, because a wallet has 20 claims of deposits a minute.
	until(w.t, "the payment is finalized", func() bool {
		found, err := w.rpc.GetSignatureStatuses(ctx, false, signature)
		return err == nil && len(found.Value) == 1 && found.Value[0] != nil && found.Value[0].ConfirmationStatus == rpc.ConfirmationStatusFinalized
	})
	return signature.String()
}

// credited claims a payment until it is credited.
func credited(t *testing.T, session *client.Client, signature string) {
	t.Helper()
	until(t, "the deposit is credited", func() bool {
		answer, err := session.Deposit(t.Context(), api.DepositRequest{Signature: signature, Token: string(money.SOL)})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Transaction.Status == "credited"
	})
}

// until retries, because the real service needs real time, more on a slow machine.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for !done() {
		if services.Overdue() {
			t.Fatalf("%s: not before the tests' time-out", what)
		}
		<-time.After(20 * time.Millisecond)
	}
}

// logLines receives JSON log lines and lets tests wait for one.
type logLines struct {
	mu    sync.Mutex
	text  strings.Builder
	grown chan struct{}
	ended chan struct{}
}

func newLogLines() *logLines {
	return &logLines{grown: make(chan struct{}, 1), ended: make(chan struct{})}
}

func (l *logLines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.grown <- struct{}{}:
	default:
	}
	return l.text.Write(text)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await returns the first line with the message.
func (l *logLines) await(t *testing.T, message string) map[string]any {
	t.Helper()
	for {
		for text := range strings.Lines(l.String()) {
			line := map[string]any{}
			if json.Unmarshal([]byte(text), &line) == nil && line["msg"] == message {
				return line
			}
		}
		select {
		case <-l.grown:
		case <-l.ended:
			t.Fatalf("the service ended without saying %q:\n%s", message, l)
		case <-time.After(time.Second):
			if services.Overdue() {
				t.Fatalf("the service did not say %q before the tests' time-out:\n%s", message, l)
			}
		}
	}
}
