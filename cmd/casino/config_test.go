package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runCasino runs the command line and returns its output and exit code.
func runCasino(t *testing.T, args ...string) (out, errOut string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	t.Parallel()
	for _, node := range program(t).Children {
		command := node.Name
		out, _, code := runCasino(t, command, "--help")
		if code != exitDone || !strings.Contains(strings.Join(strings.Fields(out), " "), "Example: casino "+command) {
			t.Errorf("casino %s --help: exit %d\n%s", command, code, out)
		}
		if asked, _, code := runCasino(t, "help", command); code != exitDone || asked != out {
			t.Errorf("casino help %s: exit %d\n%s", command, code, asked)
		}
	}
	if out, _, code := runCasino(t, "help"); code != exitDone || !strings.Contains(out, "backup <file>") {
		t.Errorf("casino help: exit %d\n%s", code, out)
	}
}

func TestWrongUsageIsExitCodeTwo(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no command":             {},
		"an unknown command":     {"frobnicate"},
		"an unknown flag":        {"version", "--loud"},
		"a public address":       {"dev", "--http-addr", "0.0.0.0:8080"},
		"a public chain":         {"localnet", "--localnet-addr", ":8899"},
		"no address":             {"dev", "--http-addr", "here"},
		"an empty path segment":  {"config", "--base-path", "/a//b"},
		"everybody trusted":      {"config", "--trusted-proxies", "0.0.0.0/0"},
		"no network":             {"config", "--trusted-proxies", "proxy.local"},
		"no origin":              {"config", "--cors-origins", "example.com"},
		"a database not there":   {"audit", "--data-dir", filepath.Join(t.TempDir(), "none")},
		"a server's backup":      {"backup", "--database-url", "postgres://casino@host/casino", filepath.Join(t.TempDir(), "copy.db")},
		"two databases":          {"audit", "--data-dir", t.TempDir(), "--database-url", "sqlite:x.db"},
		"a head that is none":    {"audit", "--head", "0:1"},
		"a wallet that is none":  {"role", "grant", "alice", "finance"},
		"a game that is none":    {"verify", "--game-type", "chess", "--server-seed", "s", "--client-seed", "c", "--nonce", "0"},
		"a config that is none":  {"verify", "--game-type", "dice", "--config", "{", "--server-seed", "s", "--client-seed", "c", "--nonce", "0"},
		"a level that is none":   {"config", "--log-level", "loud"},
		"no language":            {"config", "--default-language", "português"},
		"a destination rule":     {"config", "--withdraw-destination", "mine"},
		"serve with nothing":     {"serve"},
		"no such engine":         {"migrate", "up", "--database-url", "mysql://host/db"},
		"an unmeant loss":        {"migrate", "down", "--database-url", "sqlite:" + filepath.Join(t.TempDir(), "none")},
		"no month":               {"migrate", "detach", "--database-url", "sqlite:x", "January"},
		"a sweep of nothing":     {"capital", "sweep", "So11111111111111111111111111111111111111112", "0", "wallet", "reason"},
		"capital of nothing":     {"capital", "book", "So11111111111111111111111111111111111111112", "0", "reference"},
		"a negative nonce":       {"verify", "--game-type", "dice", "--server-seed", "s", "--client-seed", "c", "--nonce=-1"},
		"a round not there":      {"verify", "--round", filepath.Join(t.TempDir(), "none.json")},
		"receipts without keys":  {"verify", "--receipt", "receipts.jsonl", "--wallet", "w"},
		"half a round":           {"verify", "--game-type", "dice", "--server-seed", "s"},
		"a revoke without whom":  {"role", "revoke"},
		"a demo with a bad wait": {"demo", "--wait", "soon"},
	} {
		if _, errOut, code := runCasino(t, args...); code != exitUsage || errOut == "" {
			t.Errorf("%s (casino %s): exit %d\n%s", name, strings.Join(args, " "), code, errOut)
		}
	}
}

func TestAllFaultsOfTheConfigurationAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, errOut, code := runCasino(t, "config", "--http-addr", "0.0.0.0:1", "--localnet-addr", "example.com:1", "--provider-addr", "0.0.0.0:1", "--base-path", "x",
		"--trusted-proxies", "::/0", "--cors-origins", "x", "--default-language", "p")
	if code != exitUsage {
		t.Errorf("exit %d", code)
	}
	for _, name := range []string{"HTTP_ADDR", "LOCALNET_ADDR", "PROVIDER_ADDR", "BASE_PATH", "TRUSTED_PROXIES", "CORS_ORIGINS", "DEFAULT_LANGUAGE"} {
		if !strings.Contains(errOut, "CASINO_"+name) {
			t.Errorf("the fault of CASINO_%s is not reported:\n%s", name, errOut)
		}
	}
}

func TestConfigPrintsWhatIsInForce(t *testing.T) {
	t.Parallel()
	out, errOut, code := runCasino(t, "config", "--http-addr", "127.0.0.1:9999", "--trusted-proxies", "10.0.0.0/8,127.0.0.1")
	if code != exitDone {
		t.Fatalf("exit %d\n%s", code, errOut)
	}
	for _, line := range []string{"CASINO_HTTP_ADDR=127.0.0.1:9999", "CASINO_TRUSTED_PROXIES=10.0.0.0/8,127.0.0.1", "CASINO_BASE_PATH=/casino"} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
}

func TestConfigOfServeHidesSecrets(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("a5", 31) + "01"
	out, errOut, code := runCasino(t, "config", "serve", "--jwt-keys", "2026:"+key, "--database-url", "postgres://casino:hunter2@db/casino",
		"--redis-url", "redis://:hunter2@redis", "--solana-rpc-urls", "https://node.example/hunter2,https://hunter2:x@other")
	if code != exitUsage || !strings.Contains(errOut, "CASINO_SEED_KEYS") {
		t.Errorf("exit %d, %s", code, errOut)
	}
	if strings.Contains(out+errOut, "hunter2") || strings.Contains(out+errOut, key) {
		t.Errorf("a secret is shown:\n%s%s", out, errOut)
	}
	for _, line := range []string{"CASINO_JWT_KEYS=[secret]", "CASINO_DATABASE_URL=[secret]", "CASINO_SOLANA_RPC_URLS=[secret],[secret]", "CASINO_SEED_KEYS="} {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
}

func TestVersionAndVerify(t *testing.T) {
	t.Parallel()
	if out, _, code := runCasino(t, "version"); code != exitDone || !strings.HasPrefix(out, "casino ") {
		t.Errorf("version: exit %d, %q", code, out)
	}
	out, errOut, code := runCasino(t, "verify", "--game-type", "dice", "--server-seed", strings.Repeat("01", 32), "--client-seed", "mine", "--nonce", "7")
	if code != exitDone || !strings.Contains(out, `{"roll":26.43}`) {
		t.Errorf("verify: exit %d, %q, %q", code, out, errOut)
	}
}

// TestARoundIsVerifiedFromItsFile compares a whole round, as the service returns it, and
// prints the values that don't match its seeds.
func TestARoundIsVerifiedFromItsFile(t *testing.T) {
	t.Parallel()
	const round = `{"round":{"id":"r1","provider":"casino","gameType":"dice","rules":"dice/1","wager":100,"payout":%d,"multiplier":%d,` +
		`"config":{"target":50.00,"direction":"over"},"outcome":%s,"serverSeedHash":%q,"serverSeed":%q,"clientSeed":"mine","nonce":7}}`
	seed := strings.Repeat("01", 32)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(seed)))
	for name, row := range map[string]struct {
		payout, multiplier int
		outcome            string
		code               int
		says               string
	}{
		"as it was": {0, 0, `{"roll":26.43}`, exitDone, "round r1 is verified"},
		"a roll":    {0, 0, `{"roll":76.43}`, exitFailed, `outcome: the round says {"roll":76.43}, its seeds decide {"roll":26.43}`},
		"a payout":  {198, 0, `{"roll":26.43}`, exitFailed, "payout: the round says 198, its seeds decide 0"},
		"void":      {100, 1, "null", exitFailed, "Its seeds decide a multiplier of 0, which would have paid 0"},
	} {
		path := filepath.Join(t.TempDir(), "round.json")
		if err := os.WriteFile(path, fmt.Appendf(nil, round, row.payout, row.multiplier, row.outcome, hash, seed), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errOut, code := runCasino(t, "verify", "--round", path)
		if code != row.code || !strings.Contains(out, row.says) || (errOut == "") != (code == exitDone) {
			t.Errorf("%s: exit %d, %q, %q", name, code, out, errOut)
		}
		for _, beside := range []string{"--nonce=7", `--config={"target":1}`, "--rules=dice/1"} { // already in the round
			if out, _, code := runCasino(t, "verify", "--round", path, beside); code != exitUsage || out != "" {
				t.Errorf("%s with %s: exit %d, %q", name, beside, code, out)
			}
		}
	}
}

// TestConfigWarnsOfASmallWager: rounding then returns half of a coin flip's stake.
func TestConfigWarnsOfASmallWager(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens.json")
	for wager, warns := range map[int]bool{1: true, 5: false} {
		file := fmt.Sprintf(`{"tokens":[{"mint":"So11111111111111111111111111111111111111112","symbol":"SOL","decimals":9,"program":"system",
			"minDeposit":1,"minWager":%d,"maxWager":1000,"maxPayout":1000,"minWithdrawal":1000000,"maxWithdrawal":1000000,"payoutCap":1000000,"payoutCapPerHour":1000000,"bankrollShare":"0.01"}]}`, wager)
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errOut, code := runCasino(t, "config", "dev", "--tokens-file", path)
		if code != exitDone || strings.Contains(out, "# warning: minWager 1 of SOL is too small: payouts are rounded down to base units, so that a coin flip of it returns 50 %") != warns {
			t.Errorf("minWager %d: exit %d, %s%s", wager, code, out, errOut)
		}
	}
}

// Receipts are verified from their files; what is wrong is printed, and the command fails.
func TestReceiptsAreVerifiedFromTheirFile(t *testing.T) {
	t.Parallel()
	receipts, keys := filepath.Join(t.TempDir(), "receipts.jsonl"), filepath.Join(t.TempDir(), "keys.json")
	const key = `{"keys":[{"use":"receipts","kid":"k","publicKey":"MCowBQYDK2VwAyEAeWou0naAHF6L1n/rvhQqDjUBF2eAkqwFqz4PMwI84FQ="}]}`
	if err := errors.Join(os.WriteFile(receipts, []byte("{}\nno receipt\n"), 0o600), os.WriteFile(keys, []byte(key), 0o600)); err != nil {
		t.Fatal(err)
	}
	const want = "receipt 1: malformed: no receipt\nreceipt 2: malformed: no JSON\n0 of 2 receipts are verified\n"
	if out, errOut, code := runCasino(t, "verify", "--receipt", receipts, "--keys", keys, "--wallet", "w"); code != exitFailed || out != want || errOut == "" {
		t.Errorf("exit %d, %q, %q", code, out, errOut)
	}
	if out, _, code := runCasino(t, "verify", "--receipt", receipts, "--keys", receipts, "--wallet", "w"); code != exitUsage || out != "" {
		t.Errorf("without keys: exit %d, %q", code, out)
	}
}

func TestWithdrawalsGoToAnyWalletUnlessTheSettingSaysOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"config"}, "any"}, {[]string{"config", "serve"}, "any"},
		{[]string{"config", "serve", "--withdraw-destination=own"}, "own"},
	} {
		out, errOut, _ := runCasino(t, c.args...)
		if !strings.Contains(out, "CASINO_WITHDRAW_DESTINATION="+c.want+"\n") {
			t.Errorf("casino %s: not %s: %s%s", strings.Join(c.args, " "), c.want, out, errOut)
		}
	}
}
