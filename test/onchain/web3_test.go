package onchain_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
	"github.com/casino-service/casino/test/validator"
)

// deployment is the production service as its operator runs it, on a chain in real time that it
// reads through two nodes.
type deployment struct {
	*testing.T
	chain    *validator.Chain
	folder   string
	binary   string
	rpc      string
	mint     sol.PublicKey
	treasury ed25519.PrivateKey
	flags    []string
	process  *exec.Cmd
	api      string
}

// The initial balances of the treasury and the player.
const (
	treasuryLamports = 100_000_000_000
	tokensOfHouse    = 1_000_000_000
)

func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{T: t, chain: validator.Start(t, time.Now), folder: t.TempDir(), treasury: fakes.Key("treasury")}
	var err error
	d.binary, err = services.Binary()
	d.must(nil, err)
	one, other := validator.NewProxy(t, d.chain.Handler()), validator.NewProxy(t, d.chain.Handler())
	d.rpc = one.URL
	house, authority, player := sol.PrivateKey(d.treasury), sol.PrivateKey(fakes.Key("authority")), fakes.Wallet("player")
	for _, key := range []sol.PublicKey{house.PublicKey(), authority.PublicKey(), sol.MPK(string(player))} {
		d.must(d.chain.Airdrop(key, treasuryLamports))
	}
	if d.mint, err = d.chain.CreateMint(authority, decimals); err != nil {
		t.Fatal(err)
	}
	d.must(d.chain.MintTo(authority, d.mint, house.PublicKey(), tokensOfHouse))
	d.must(d.chain.MintTo(authority, d.mint, sol.MPK(string(player)), tokensOfHouse))
	genesis, err := d.chain.Genesis()
	noError(t, err)
	const limits = `"minDeposit": 1000, "maxWager": 100000000, "maxPayout": 1000000000, "minWithdrawal": 1000000,
"maxWithdrawal": 1000000000, "twoPersonAbove": null, "twoPersonAbovePerDay": null, "payoutCap": 1000000000, "payoutCapPerHour": 10000000000, "newAccountFee": 0, "bankrollShare": "0.1"`
	tokens := fmt.Sprintf(`{"tokens": [{"mint": %q, "symbol": "SOL", "decimals": 9, "program": "system", %s},
{"mint": %q, "symbol": "USD", "decimals": %d, "program": "spl-token", %s}]}`, money.SOL, limits, d.mint, decimals, limits)
	d.flags = []string{
		"serve", "--withdraw-destination=any", "--http-addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0", "--log-format=json",
		"--database-url=sqlite:" + filepath.Join(d.folder, "casino.db"), "--tokens-file=" + d.file("tokens.json", tokens),
		"--solana-rpc-urls=" + one.URL + "," + other.URL, "--solana-genesis=" + genesis,
		"--state-dir=" + d.TempDir(),
		"--treasury-keypair=" + d.file("treasury.json", numbers(d.treasury)),
		"--jwt-keys=a:" + secret(1), "--seed-keys=a:" + secret(2), "--checkpoint-keys=a:" + secret(3), "--superadmin-wallets=" + string(fakes.Wallet("root")),
	}
	return d
}

func (d *deployment) must(_ any, err error) {
	d.Helper()
	noError(d, err)
}

func (d *deployment) file(name, text string) string {
	d.Helper()
	path := filepath.Join(d.folder, name)
	d.must(nil, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// numbers writes a key as Solana's tools do.
func numbers(key ed25519.PrivateKey) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]byte(key)), " "), " ", ",")
}

// secret returns 32 bytes made from a number.
func secret(n byte) string {
	bytes := make([]byte, 32)
	for i := range bytes {
		bytes[i] = n + byte(i)*7
	}
	return hex.EncodeToString(bytes)
}

// do runs a command on the deployment's database.
func (d *deployment) do(args ...string) {
	d.Helper()
	if output, err := d.try(args...); err != nil {
		d.Fatalf("casino %v: %v\n%s", args, err, output)
	}
}

func (d *deployment) try(args ...string) (output []byte, err error) {
	database := d.flags[slices.IndexFunc(d.flags, func(f string) bool { return strings.HasPrefix(f, "--database-url") })]
	command := exec.Command(d.binary, append(args, database)...)
	command.Env = append(os.Environ(), "CASINO_SEED_KEYS=a:"+secret(2)) // commands that write need them
	return command.CombinedOutput()
}

// start runs the service and waits until it logs that it serves.
func (d *deployment) start() {
	d.Helper()
	d.process = exec.Command(d.binary, d.flags...)
	log, err := d.process.StderrPipe()
	noError(d, err)
	d.must(nil, d.process.Start())
	d.Cleanup(d.stop)
	var output []string
	lines := bufio.NewScanner(log)
	for d.api = ""; d.api == "" && lines.Scan(); {
		var line struct {
			Message string `json:"msg"`
			API     string `json:"api"`
			Base    string `json:"base_path"`
		}
		output = append(output, lines.Text())
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "casino serves" {
			d.api = "http://" + line.API + line.Base
		}
	}
	if d.api == "" {
		d.Fatalf("the service did not start:\n%s", strings.Join(output, "\n"))
	}
	go func() { _, _ = io.Copy(io.Discard, log) }() // otherwise the service would wait for a reader
}

// stop ends the service as its operator does.
func (d *deployment) stop() {
	if d.process == nil {
		return
	}
	_ = d.process.Process.Signal(os.Interrupt)
	_ = d.process.Wait()
	d.process = nil
}

// TestAnEveningWithWeb3JS runs the production service on the runtime with the unchanged client of
// web3.js as the player, and then makes a deposit while the service is down.
func TestAnEveningWithWeb3JS(t *testing.T) {
	t.Parallel()
	d := deploy(t)
	scripts := d.install()
	d.do("migrate", "up")
	d.start()
	settings, err := json.Marshal(map[string]any{
		"rpc": d.rpc, "api": d.api, "mint": d.mint, "decimals": decimals,
		"player": bytesOf(fakes.Key("player")), "admin": bytesOf(fakes.Key("root")),
	})
	d.must(nil, err)
	evening := exec.Command("node", filepath.Join(scripts, "player.mjs"), string(settings))
	evening.Dir = scripts
	if output, err := evening.CombinedOutput(); err != nil {
		t.Fatalf("the player's evening: %v\n%s", err, output)
	}

	d.stop()
	const late = 700_000_000
	key := sol.PrivateKey(fakes.Key("player"))
	recent, err := d.chain.Blockhash()
	d.must(nil, err)
	pay := system.NewTransferInstruction(late, key.PublicKey(), sol.PrivateKey(d.treasury).PublicKey()).Build()
	tx, err := sol.NewTransaction([]sol.Instruction{pay}, recent, sol.TransactionPayer(key.PublicKey()))
	d.must(nil, err)
	d.must(tx.Sign(func(sol.PublicKey) *sol.PrivateKey { return &key }))
	d.must(d.chain.Submit(tx))
	d.start()
	session, _, err := client.New(d.api, nil).SignIn(t.Context(), fakes.Key("player"), time.Now())
	d.must(nil, err)
	const afterwards = 2_000_000_000 - 500_000_000 + late
	d.eventually("a deposit sent while the service was down is credited without a call", func() bool {
		balances, err := session.Balance(t.Context(), api.BalanceParams{})
		d.must(nil, err)
		for _, b := range balances {
			if b.Token == string(money.SOL) && b.Balance == afterwards {
				return true
			}
		}
		return false
	})
	// Ledger and chain agree to the unit: the player's money, the treasury's initial money, the
	// payouts, their fees and the rent of the account that one opened.
	d.do("capital", "book", string(money.SOL), fmt.Sprint(treasuryLamports), "the first lamports", "--unread")
	d.do("capital", "book", d.mint.String(), fmt.Sprint(tokensOfHouse), "the first tokens", "--unread")
	house := sol.PrivateKey(d.treasury).PublicKey()
	d.eventually("the ledger agrees with the chain", func() bool {
		_, err := d.try("audit", "--chain", "--solana-rpc-urls="+d.rpc, "--treasury-address="+house.String())
		return err == nil
	})
}

// bytesOf returns a key as JSON numbers.
func bytesOf(key ed25519.PrivateKey) []int {
	all := make([]int, len(key))
	for i, b := range key {
		all[i] = int(b)
	}
	return all
}

func (d *deployment) eventually(what string, holds func() bool) {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			d.Fatalf("not within a minute: %s", what)
		case <-tick.C:
		}
	}
}

// install puts the player's script beside the client that localnet's test locks.
func (d *deployment) install() string {
	d.Helper()
	const locked = "../../adapters/simulated/localnet/web3js"
	into := d.TempDir()
	for _, path := range []string{
		locked + "/package.json", locked + "/package-lock.json", locked + "/.npmrc", "web3js/player.mjs",
	} {
		text, err := os.ReadFile(path)
		d.must(nil, err)
		d.must(nil, os.WriteFile(filepath.Join(into, filepath.Base(path)), text, 0o600))
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = into
	if output, err := npm.CombinedOutput(); err != nil {
		d.Fatalf("npm ci: %v\n%s", err, output)
	}
	return into
}
