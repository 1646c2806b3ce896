package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheExampleEnvironmentIsAcceptedWithKeysOfKeygen(t *testing.T) {
	t.Parallel()
	treasury := filepath.Join(t.TempDir(), "treasury.json")
	keys, errOut, code := runCasino(t, "keygen", "--treasury", treasury)
	if code != exitDone {
		t.Fatalf("keygen: exit %d\n%s", code, errOut)
	}
	if info, err := os.Stat(treasury); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the treasury's file: %v, %v", info, err)
	}
	given := environment(deployment(t)["casino.example.env"] + "\n" + keys)
	for name, value := range map[string]string{
		"CASINO_DATABASE_URL":       "postgres://casino_app:pass@db/casino",
		"CASINO_REDIS_URL":          "redis://redis:6379/0",
		"CASINO_SOLANA_RPC_URLS":    "https://one.example,https://two.example",
		"CASINO_TOKENS_FILE":        "../../deploy/tokens.example.json",
		"CASINO_SUPERADMIN_WALLETS": "So11111111111111111111111111111111111111112",
		"CASINO_STATE_DIR":          t.TempDir(),
	} {
		if _, named := given[name]; !named {
			t.Errorf("the example has no %s", name)
		}
		given[name] = value
	}
	out, errOut, code := configServe(t, given)
	if code != exitDone {
		t.Errorf("config serve: exit %d\n%s", code, errOut)
	}
	for _, secret := range strings.Fields(keys)[:4] {
		if _, value, _ := strings.Cut(secret, ":"); len(value) != 64 || strings.Contains(out, value) {
			t.Errorf("%d characters of a secret, or config shows it", len(value))
		}
	}
}

// environment reads the lines of an environment file.
func environment(text string) map[string]string {
	given := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, setting := strings.Cut(strings.TrimSpace(line), "="); setting && !strings.HasPrefix(name, "#") {
			given[name] = value
		}
	}
	return given
}

// configServe runs casino config serve with settings given by their variables' names.
func configServe(t *testing.T, given map[string]string) (out, errOut string, code int) {
	t.Helper()
	args := []string{"config", "serve"}
	for name, value := range given {
		args = append(args, "--"+strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "CASINO_")), "_", "-")+"="+value)
	}
	return runCasino(t, args...)
}

func TestKeygenIsFreshAndOverwritesNothing(t *testing.T) {
	t.Parallel()
	one, _, _ := runCasino(t, "keygen")
	two, _, _ := runCasino(t, "keygen")
	seen := map[string]bool{}
	for _, line := range strings.Fields(one + two) {
		seen[line[strings.Index(line, ":")+1:]] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d different secrets, want 8:\n%s%s", len(seen), one, two)
	}
	kept := filepath.Join(t.TempDir(), "treasury.json")
	if err := os.WriteFile(kept, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errOut, code := runCasino(t, "keygen", "--treasury", kept)
	if raw, err := os.ReadFile(kept); code != exitFailed || out != "" || string(raw) != "kept" || err != nil || !strings.Contains(errOut, kept) {
		t.Errorf("exit %d, %q, %q, file %q, %v", code, out, errOut, raw, err)
	}
}
