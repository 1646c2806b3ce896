package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheSolvencyExampleIsVerified runs the command on the documents' example, and on the
// example with one thing changed.
func TestTheSolvencyExampleIsVerified(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/solvency.md")
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile("The key is `([^`]+)`").FindSubmatch(page)
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if key == nil || block == nil {
		t.Fatal("the page has no example")
	}
	example := string(block[1])
	verify := func(text, key string) (out, errOut string, code int) {
		file := filepath.Join(t.TempDir(), "solvency.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return runCasino(t, "verify", "--solvency", file, "--key", key)
	}
	out, errOut, code := verify(example, string(key[1]))
	if code != exitDone {
		t.Fatalf("exit %d\n%s%s", code, out, errOut)
	}
	for _, want := range []string{
		"1053030297 is owed to 3 wallets", "held 2500000000\n", "52989797 available, 13000 held, 0 staked, 0 unclaimed",
		"the file has no proof of yours", "does not prove that", "was not known",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	if _, errOut, code := verify(regexp.MustCompile(`": (\d+)`).ReplaceAllString(example, `": "$1"`), string(key[1])); code != exitDone {
		t.Errorf("amounts as strings: exit %d\n%s", code, errOut)
	}
	for name, change := range map[string][2]string{
		"an amount": {`"available": 52989797`, `"available": 52989796`}, "what is held": {`"held": 13000`, `"held": 0`},
		"a sum": {"AAAAADubG", "AAAAADubH"}, "a hash": {"Au+Ol5K", "Au+Ol5L"}, "a byte too few": {"Au+O", ""}, "the index": {`"index": 1`, `"index": 0`},
		"the salt": {`"salt": "8`, `"salt": "7`}, "the wallet": {`"wallet": "7`, `"wallet": "8`}, "the statement": {"sum: 1053030297", "sum: 1053030296"},
		"the purpose": {"purpose: solvency", "purpose: audit"}, "the signature": {`"Lwp6`, `"Lwp7`}, "the key's name": {`"kid": "2026-01"`, `"kid": "2026-02"`},
	} {
		changed := strings.Replace(example, change[0], change[1], 1)
		if changed == example {
			t.Errorf("the example has no %q", change[0])
		}
		if out, _, code := verify(changed, string(key[1])); code != exitFailed {
			t.Errorf("%s changed: exit %d\n%s", name, code, out)
		}
	}
	other := strings.Replace(string(key[1]), "OkhxT", "OkhxU", 1)
	if _, _, code := verify(example, other); code == exitDone {
		t.Error("another key verifies it")
	}
	if _, errOut, code := runCasino(t, "verify", "--solvency", "x"); code != exitUsage || !strings.Contains(errOut, "--key") {
		t.Errorf("without a key: exit %d\n%s", code, errOut)
	}
}
