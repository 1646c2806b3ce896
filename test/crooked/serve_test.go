package crooked_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// treasury is what the operator has on chain.
const treasury = 1_000_000_000_000

const servedTokens = `{"tokens": [{"mint": "So11111111111111111111111111111111111111112", "symbol": "SOL", "decimals": 9, "program": "system",
"minDeposit": 1000, "maxWager": 1000000000, "maxPayout": 100000000000, "minWithdrawal": 1000000, "maxWithdrawal": 100000000000,
"twoPersonAbove": null, "twoPersonAbovePerDay": null, "payoutCap": 100000000000, "payoutCapPerHour": 1000000000000, "bankrollShare": "0.1"}]}`

// startServe starts a `casino serve` on PostgreSQL.
func startServe(t *testing.T) *casino {
	t.Helper()
	binary, err := services.Binary()
	must(err)
	folder, machine, database := t.TempDir(), system.Default(), services.NewCluster(t).URL()
	chain, err := localnet.Open(localnet.Config{SlotDuration: 50 * time.Millisecond, BlockhashAge: 150, Now: machine.Now, Random: machine.Reader()})
	must(err)
	node := httptest.NewServer(chain.Handler())
	t.Cleanup(func() {
		node.Close()
		_ = chain.Close()
	})
	key := solana.PrivateKey(fakes.Key("treasury"))
	_, err = chain.Airdrop(key.PublicKey(), treasury)
	must(err)
	genesis, err := rpc.New(node.URL).GetGenesisHash(t.Context())
	must(err)
	write := func(name, text string) { must(os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o600)) }
	secrets := map[string]string{}
	for _, name := range []string{"jwt", "seed", "checkpoint", "receipt"} {
		secrets[name] = fmt.Sprintf("test:%x", sha256.Sum256([]byte(folder+name)))
		write(name+".keys", secrets[name])
	}
	write("treasury.json", strings.Join(strings.Fields(fmt.Sprint([]byte(key))), ","))
	write("tokens.json", servedTokens)
	api, operations := services.FreeAddresses(t)
	command := func(ctx context.Context, arguments ...string) *exec.Cmd {
		made := exec.CommandContext(ctx, binary, arguments...)
		made.Dir, made.Env = folder, []string{
			"CASINO_DATABASE_URL=" + database, "CASINO_REDIS_URL=none", "CASINO_SOLANA_RPC_URLS=" + node.URL, "CASINO_SOLANA_SINGLE_NODE=true", "CASINO_SOLANA_GENESIS=" + genesis.String(),
			"CASINO_TREASURY_KEYPAIR=treasury.json", "CASINO_TOKENS_FILE=tokens.json", "CASINO_JWT_KEYS_FILE=jwt.keys", "CASINO_SEED_KEYS_FILE=seed.keys",
			"CASINO_CHECKPOINT_KEYS_FILE=checkpoint.keys", "CASINO_RECEIPT_KEYS_FILE=receipt.keys", "CASINO_SUPERADMIN_WALLETS=" + string(fakes.Wallet("superadmin")),
			"CASINO_STATE_DIR=state", "CASINO_TRUSTED_PROXIES=127.0.0.0/8", "CASINO_WRITES_PER_MINUTE=1000000", "CASINO_SOLVENCY_KEEP=24h",
		}
		return made
	}
	run := func(arguments ...string) {
		if out, err := command(t.Context(), arguments...).CombinedOutput(); err != nil {
			t.Fatalf("casino %s: %v\n%s", arguments, err, out)
		}
	}
	run("migrate", "up")
	process := command(context.Background(), "serve", "--http-addr", api, "--ops-addr", operations)
	var log strings.Builder
	process.Stdout, process.Stderr = &log, &log
	must(process.Start())
	ended := make(chan struct{})
	go func() {
		_ = process.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = process.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("the service said:\n%s", &log)
		}
	})
	awaitReady(t, operations, ended)
	run("capital", "book", string(money.SOL), fmt.Sprint(treasury), "founding", "--unread")
	c := &casino{id: "'%s'", binary: binary, baseURL: "http://" + api + "/casino", token: string(money.SOL), transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	t.Cleanup(c.transport.CloseIdleConnections)
	c.signIn = func() *client.Client { return c.signedIn(fakes.Key("superadmin")) }
	separator := "?"
	if strings.Contains(database, "?") {
		separator = "&"
	}
	c.database, err = sql.Open("pgx", database+separator+"default_query_exec_mode=simple_protocol")
	must(err)
	t.Cleanup(func() { must(c.database.Close()) })
	c.readKeys(secrets["seed"], secrets["receipt"])
	c.readLimits(t)
	return c
}

// awaitReady waits until a service is ready.
func awaitReady(t *testing.T, operations string, ended <-chan struct{}) {
	t.Helper()
	for ready := false; !ready; {
		answer, err := http.Get("http://" + operations + "/readyz")
		if ready = err == nil && answer.StatusCode == http.StatusOK; err == nil {
			must(answer.Body.Close())
		}
		select {
		case <-ended:
			t.Fatal("the service has ended")
		case <-time.After(20 * time.Millisecond):
		}
		if services.Overdue() {
			t.Fatal("the service is not ready before the tests' time-out")
		}
	}
}

// TestACheatInPostgreSQLIsFound makes wins void in the database of a `casino serve`, after an
// honest capture there.
func TestACheatInPostgreSQLIsFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the real binary") // allowed: make test runs it
	}
	c := startServe(t)
	if checks := checkedBy(t, c, c.captured(t, cheat{trick: honest}), false); len(checks) > 0 {
		t.Errorf("an honest house is accused by %q", checks)
	}
	edit := "BEGIN; SET LOCAL session_replication_role = replica; " + strings.Replace(voidAll, "void = 1", "void = TRUE", 1) + "; COMMIT"
	if checks := checkedBy(t, c, c.captured(t, cheat{trick: editing(edit)}), false); !slices.Contains(checks, "receipt") {
		t.Errorf("found by %q only", checks)
	}
}
