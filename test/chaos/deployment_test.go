package chaos_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// deployment is what instances of `casino serve` share: a database, a Redis, a simulated chain,
// keys and tokens.
type deployment struct {
	testing.TB
	folder      string
	binary      string
	environment []string
	chain       *localnet.Chain
	rpc, nodes  string // one node of the chain, and all of them
	mint        string // the second token's
	booked      bool
	secrets     []string
	transport   *http.Transport
}

// deploy prepares a database for the service.
func deploy(t testing.TB, database, redis string) *deployment {
	t.Helper()
	path, err := services.Binary()
	noError(t, err)
	d := &deployment{TB: t, folder: t.TempDir(), binary: path, transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	t.Cleanup(d.transport.CloseIdleConnections)
	d.fundTreasury()
	for _, name := range []string{"jwt.keys", "seed.keys", "checkpoint.keys"} {
		secret := fmt.Sprintf("%x", sha256.Sum256([]byte(d.folder+name)))
		d.write(name, "test:"+secret)
		d.secrets = append(d.secrets, secret)
	}
	d.write("treasury.json", keypairText(fakes.Key("treasury")))
	d.write("tokens.json", `{"tokens": [`+termsText(sol, "SOL", "system", 9)+","+termsText(d.mint, "DEMO", "spl-token", 6)+"]}")
	genesis, err := rpc.New(d.rpc).GetGenesisHash(t.Context())
	noError(t, err)
	d.environment = []string{
		"CASINO_DATABASE_URL=" + database, "CASINO_REDIS_URL=" + redis,
		"CASINO_SOLANA_RPC_URLS=" + d.nodes, "CASINO_SOLANA_GENESIS=" + genesis.String(),
		"CASINO_WITHDRAW_DESTINATION=any", "CASINO_TREASURY_KEYPAIR=treasury.json", "CASINO_TOKENS_FILE=tokens.json",
		"CASINO_JWT_KEYS_FILE=jwt.keys", "CASINO_SEED_KEYS_FILE=seed.keys", "CASINO_CHECKPOINT_KEYS_FILE=checkpoint.keys",
		"CASINO_SUPERADMIN_WALLETS=" + string(fakes.Wallet("superadmin")),
		"CASINO_STATE_DIR=state", "CASINO_TRUSTED_PROXIES=127.0.0.0/8", "CASINO_WRITES_PER_MINUTE=1000000", "CASINO_LOG_LEVEL=warn",
	}
	d.run("migrate", "up")
	return d
}

// fundTreasury starts the chain and puts the operator's money on it.
func (d *deployment) fundTreasury() {
	d.Helper()
	machine := system.Default()
	chain, err := localnet.Open(localnet.Config{SlotDuration: 50 * time.Millisecond, BlockhashAge: 150, Now: machine.Now, Random: machine.Reader()})
	noError(d, err)
	first, second := httptest.NewServer(chain.Handler()), httptest.NewServer(chain.Handler())
	d.Cleanup(func() {
		first.Close()
		second.Close()
		_ = chain.Close()
	})
	d.chain, d.rpc, d.nodes = chain, first.URL, first.URL+","+second.URL
	authority := solana.PrivateKey(fakes.Key("mint authority"))
	d.fund("mint authority", capital)
	mint, err := chain.CreateMint(authority, 6)
	noError(d, err)
	d.mint = mint.String()
	d.fund("treasury", capital)
	d.mintTo("treasury", capital)
	node := rpc.New(d.rpc)
	eventually(d, "the mint is finalized", func() bool {
		_, err := node.GetAccountInfoWithOpts(d.Context(), mint, &rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentFinalized})
		return err == nil
	})
}

// capital is the operator's payment of each token, in base units.
const capital = 1_000_000_000_000

// fund gives a wallet lamports.
func (d *deployment) fund(name string, lamports uint64) {
	d.Helper()
	if _, err := d.chain.Airdrop(solana.PrivateKey(fakes.Key(name)).PublicKey(), lamports); err != nil {
		d.Fatal(err)
	}
}

// mintTo gives a wallet units of the second token.
func (d *deployment) mintTo(name string, units uint64) {
	d.Helper()
	mint, owner := solana.MustPublicKeyFromBase58(d.mint), solana.PrivateKey(fakes.Key(name)).PublicKey()
	if _, err := d.chain.MintTo(solana.PrivateKey(fakes.Key("mint authority")), mint, owner, units); err != nil {
		d.Fatal(err)
	}
}

func (d *deployment) write(name, text string) {
	d.Helper()
	noError(d, os.WriteFile(filepath.Join(d.folder, name), []byte(text+"\n"), 0o600))
}

// keypairText returns a key in the format of the Solana CLI.
func keypairText(key ed25519.PrivateKey) string {
	return strings.Join(strings.Fields(fmt.Sprint([]byte(key))), ",")
}

// termsText returns a token of a tokens file.
func termsText(mint, symbol, program string, decimals int) string {
	return fmt.Sprintf(`{"mint": %q, "symbol": %q, "program": %q, "decimals": %d,
		"minDeposit": 1000, "minWager": 1000, "maxWager": 1000000000, "maxPayout": 100000000000,
		"minWithdrawal": 1000000, "maxWithdrawal": 100000000000, "twoPersonAbove": null, "twoPersonAbovePerDay": null,
		"payoutCap": 100000000000, "payoutCapPerHour": 1000000000000, "newAccountFee": 0, "bankrollShare": "0.1"}`, mint, symbol, program, decimals)
}

// command returns a command of the binary, with only the deployment's environment.
func (d *deployment) command(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, d.binary, arguments...)
	command.Dir, command.Env = d.folder, d.environment
	return command
}

// run runs a command to its end and returns its output.
func (d *deployment) run(arguments ...string) string {
	d.Helper()
	out, err := d.command(d.Context(), arguments...).CombinedOutput()
	if err != nil {
		d.Fatalf("casino %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// audited audits the ledger.
func (d *deployment) audited() {
	d.Helper()
	out := d.run("audit")
	if !strings.Contains(out, "everything holds") {
		d.Errorf("the audit: %s", out)
	}
	d.Log(strings.TrimSpace(out))
}

// instance is a `casino serve`, always at the same addresses.
type instance struct {
	*deployment
	api, operations string
	process         *exec.Cmd
	ended           chan struct{} // closed when the process has ended, with result
	result          error
	log             *buffer
	confine         func(*exec.Cmd)
}

// start runs an instance and waits until it is ready.
func (d *deployment) start() *instance { return d.startConfined(nil) }

// startConfined is start for a process that confine changes first.
func (d *deployment) startConfined(confine func(*exec.Cmd)) *instance {
	d.Helper()
	api, operations := services.FreeAddresses(d)
	i := &instance{deployment: d, api: api, operations: operations, log: &buffer{}, confine: confine}
	d.Cleanup(func() {
		i.kill()
		log := i.log.String()
		for _, never := range append([]string{"panic", "eyJ"}, d.secrets...) {
			if strings.Contains(log, never) {
				d.Errorf("the log holds %q:\n%s", never, log)
			}
		}
		if d.Failed() {
			d.Logf("the instance's log:\n%s", log[:min(len(log), 20_000)])
			for line := range strings.Lines(log) {
				if strings.Contains(line, "INTERNAL_ERROR") {
					d.Log(line)
				}
			}
		}
	})
	i.again()
	d.book()
	return i
}

// book books the operator's capital, without which every bet is refused, while the first instance
// runs.
func (d *deployment) book() {
	d.Helper()
	if d.booked {
		return
	}
	d.booked = true
	for _, token := range []string{sol, d.mint} {
		d.run("capital", "book", token, fmt.Sprint(capital), "founding "+token, "--unread")
	}
}

// again starts the instance after a kill, and returns how long it took to be ready.
func (i *instance) again() time.Duration {
	i.Helper()
	begin := time.Now()
	i.process = i.command(context.Background(), "serve", "--http-addr", i.api, "--ops-addr", i.operations)
	if i.confine != nil {
		i.confine(i.process)
	}
	i.process.Stdout, i.process.Stderr = i.log, i.log
	noError(i, i.process.Start())
	process, ended := i.process, make(chan struct{})
	i.ended = ended
	go func() {
		i.result = process.Wait()
		close(ended)
	}()
	i.ready()
	return time.Since(begin)
}

// ready waits until the instance is ready.
func (i *instance) ready() {
	i.Helper()
	probe := &http.Client{Timeout: 10 * time.Second}
	for ; ; pause(i, 10*time.Millisecond) {
		answer, err := probe.Get("http://" + i.operations + "/readyz")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-i.ended:
			i.Fatalf("the instance ended before it was ready: %v\n%s", i.result, i.log)
		default:
		}
		if services.Overdue() {
			i.Fatalf("the instance is not ready before the tests' time-out: %v\n%s", err, i.log)
		}
	}
}

// kill ends the process at once, like a power cut.
func (i *instance) kill() {
	_ = i.process.Process.Kill()
	<-i.ended
}

// stop asks the process to end and waits for that.
func (i *instance) stop() {
	i.Helper()
	noError(i, i.process.Process.Signal(os.Interrupt))
	if <-i.ended; i.result != nil {
		i.Errorf("the instance did not stop cleanly: %v\n%s", i.result, i.log)
	}
}

// client returns a client of this instance with its own address.
func (i *instance) client(address string) *client.Client {
	return client.New("http://"+i.api+"/casino", &http.Client{
		Transport: forwarded{address, i.transport}, Timeout: 30 * time.Second,
	})
}

// buffer collects what a process prints.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends.
func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

// String returns all of it.
func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
