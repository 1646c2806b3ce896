package load_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// playersMade is how many wallets play: signed in by their own signatures, funded by deposits on
// the simulated chain.
const playersMade = 1_000

// product is the real binary, each part as a separate process with default settings: the service,
// its dependencies, and the load.
type product struct {
	*testing.B
	folder, binary string
	environment    []string
	pid, chain     int
	base           string // of the API of `casino dev`
	redis          *services.RedisServer
	operations     string
	where          []string // flags that say where the service is
	audit          []string
}

// measurement is the part of `casino bench --json`'s output that is used here.
type measurement struct {
	Sent      int64   `json:"sent"`
	PerSecond float64 `json:"perSecond"`
	Latency   struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
	} `json:"latency"`
	CPUMicros float64           `json:"clientCpuMicros"`
	Failures  []json.RawMessage `json:"failures"`
	Heard     *struct {
		Missing int64 `json:"missing"`
		Latency struct {
			P50 float64 `json:"p50"`
			P99 float64 `json:"p99"`
		} `json:"latency"`
	} `json:"heard"`
}

func newProduct(b *testing.B) *product {
	b.Helper()
	binary, err := services.Binary()
	noError(b, err)
	folder := b.TempDir()
	return &product{B: b, folder: folder, binary: binary, environment: []string{"HOME=" + folder}}
}

// startDev starts `casino dev`.
func startDev(b *testing.B) *product {
	b.Helper()
	p := newProduct(b)
	data := filepath.Join(p.folder, "data")
	line := p.start("dev", "--json", "--data-dir", data, "--http-addr", "127.0.0.1:0", "--localnet-addr", "127.0.0.1:0", "--provider-addr", "127.0.0.1:0")
	var ready struct {
		BaseURL string `json:"baseUrl"`
	}
	noError(b, json.Unmarshal([]byte(line.text), &ready))
	p.pid, p.base = line.pid, ready.BaseURL
	p.where = []string{"--data-dir", data}
	p.audit = []string{"audit", "--data-dir", data}
	return p
}

// startServe starts `casino serve` on a database, with its own Redis and simulated chain, its
// workers, and full telemetry. The chain has slots of 100 ms; everything else is at its default.
func startServe(b *testing.B, database string) *product {
	b.Helper()
	return newProduct(b).serve(database)
}

// serve starts what startServe does, of the product's binary.
func (p *product) serve(database string) *product {
	b := p.B
	b.Helper()
	p.redis = services.StartRedis(b)
	chain := p.start("localnet", "--data-dir", p.folder, "--localnet-addr", "127.0.0.1:0", "--slot-duration", "100ms")
	p.chain = chain.pid
	node := strings.Trim(strings.Fields(chain.text[strings.Index(chain.text, "http://"):])[0], ",")
	genesis := p.fundTreasury(node)
	for _, name := range []string{"jwt", "seed", "checkpoint", "receipt"} {
		p.write(name+".keys", fmt.Sprintf("bench:%x", sha256.Sum256([]byte(p.folder+name))))
	}
	p.write("treasury.json", strings.Join(strings.Fields(fmt.Sprint([]byte(fakes.Key("treasury")))), ","))
	p.write("tokens.json", fmt.Sprintf(`{"tokens": [{"mint": %q, "symbol": "SOL", "program": "system", "decimals": 9,
		"minDeposit": 1000000, "maxWager": 1000000000, "maxPayout": 100000000000, "minWithdrawal": 1000000, "maxWithdrawal": 100000000000,
		"twoPersonAbove": null, "twoPersonAbovePerDay": null, "payoutCap": 100000000000, "payoutCapPerHour": 1000000000000, "bankrollShare": "0.1"}]}`, money.SOL))
	api, operations := services.FreeAddresses(b)
	p.environment = append(p.environment,
		"CASINO_DATABASE_URL="+database, "CASINO_REDIS_URL="+p.redis.URL(), "CASINO_SOLANA_RPC_URLS="+node, "CASINO_SOLANA_SINGLE_NODE=true",
		"CASINO_SOLANA_GENESIS="+genesis, "CASINO_TREASURY_KEYPAIR=treasury.json", "CASINO_TOKENS_FILE=tokens.json",
		"CASINO_JWT_KEYS_FILE=jwt.keys", "CASINO_SEED_KEYS_FILE=seed.keys", "CASINO_CHECKPOINT_KEYS_FILE=checkpoint.keys", "CASINO_RECEIPT_KEYS_FILE=receipt.keys",
		"CASINO_STATE_DIR=state", "CASINO_HTTP_ADDR="+api, "CASINO_OPS_ADDR="+operations)
	p.operations = operations
	p.run("migrate", "up")
	p.pid = p.startQuiet("serve")
	p.ready(operations)
	p.run("capital", "book", string(money.SOL), fmt.Sprint(capital), "founding", "--unread")
	p.where = []string{"--base-url", "http://" + api + "/casino", "--rpc-url", node, "--bet-real-money"}
	p.audit = []string{"audit"}
	return p
}

// capital is the operator's payment, in lamports.
const capital = 1_000_000_000_000_000

// fundTreasury puts the operator's money on the chain, and returns the chain's genesis hash.
func (p *product) fundTreasury(node string) (genesis string) {
	p.Helper()
	client, treasury := rpc.New(node), solana.PrivateKey(fakes.Key("treasury")).PublicKey()
	hash, err := client.GetGenesisHash(p.Context())
	if err == nil {
		_, err = client.RequestAirdrop(p.Context(), treasury, capital, rpc.CommitmentFinalized)
	}
	noError(p, err)
	p.eventually("the treasury is funded", func() bool {
		held, err := client.GetBalance(p.Context(), treasury, rpc.CommitmentFinalized)
		return err == nil && held.Value == capital
	})
	return hash.String()
}

func (p *product) write(name, text string) {
	p.Helper()
	noError(p, os.WriteFile(filepath.Join(p.folder, name), []byte(text+"\n"), 0o600))
}

// command returns a command of the binary, with only the product's environment.
func (p *product) command(arguments ...string) *exec.Cmd {
	command := exec.CommandContext(context.Background(), p.binary, arguments...) //nolint:gosec // our own binary
	command.Dir, command.Env = p.folder, p.environment
	return command
}

func (p *product) run(arguments ...string) string {
	p.Helper()
	var out, log bytes.Buffer
	command := p.command(arguments...)
	command.Stdout, command.Stderr = &out, &log
	if err := command.Run(); err != nil {
		p.Fatalf("casino %s: %v\n%s%s", strings.Join(arguments, " "), err, &out, &log)
	}
	return out.String()
}

// firstLine is what a process prints when it is ready.
type firstLine struct {
	text string
	pid  int
}

// start starts a process that prints a line when it is ready. It ends with the benchmark.
func (p *product) start(arguments ...string) firstLine {
	p.Helper()
	command := p.command(arguments...)
	out, err := command.StdoutPipe()
	noError(p, err)
	p.begin(command, arguments[0])
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.Fatalf("casino %s did not get ready: %v", arguments[0], err)
	}
	return firstLine{text, command.Process.Pid}
}

// startQuiet starts a process that prints nothing but its log.
func (p *product) startQuiet(name string) (pid int) {
	p.Helper()
	command := p.command(name)
	p.begin(command, name)
	return command.Process.Pid
}

// begin starts a process that logs to a file, as under systemd.
func (p *product) begin(command *exec.Cmd, name string) {
	p.Helper()
	log, err := os.Create(filepath.Join(p.folder, name+".log"))
	noError(p, err)
	command.Stderr = log
	noError(p, command.Start())
	p.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = log.Close()
		if text, err := os.ReadFile(log.Name()); p.Failed() && err == nil {
			p.Logf("the end of the log of casino %s:\n%s", name, text[max(0, len(text)-5_000):])
		}
	})
}

// ready waits until the service is ready.
func (p *product) ready(operations string) {
	p.Helper()
	p.eventually("the service is ready", func() bool {
		answer, err := http.Get("http://" + operations + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

func (p *product) eventually(what string, done func() bool) {
	p.Helper()
	for end := time.Now().Add(time.Minute); !done(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("%s: not within a minute", what)
		}
	}
}

// enroll makes players and returns the file with their sessions.
func (p *product) enroll(players int) (sessions string) {
	p.Helper()
	sessions = filepath.Join(p.folder, "sessions")
	p.run(append([]string{"bench", "--players", fmt.Sprint(players), "--stake", "1", "--sessions-out", sessions, "--clients", "8",
		"--duration", "1s", "--warmup", "0s", "--mix", "play=1"}, p.where...)...)
	return sessions
}

// load loads the service. Failures and bad answers end the benchmark.
func (p *product) load(arguments ...string) measurement {
	p.Helper()
	text := p.run(append(append([]string{"bench", "--json", "--duration", measured(p.B).String()}, arguments...), p.where...)...)
	var m measurement
	if err := json.Unmarshal([]byte(text), &m); err != nil || len(m.Failures) > 0 {
		p.Fatalf("%v\n%s", err, text)
	}
	return m
}

// audited audits the ledger that the load made.
func (p *product) audited() {
	p.Helper()
	p.Log(strings.SplitN(p.run(p.audit...), "\n", 2)[0])
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
