package verifiers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/money"
)

// proofOf runs verify.py on an answer of GET /account/solvency.
func proofOf(t *testing.T, answer, keys []byte) (printed string, code int) {
	t.Helper()
	folder := t.TempDir()
	file, of := filepath.Join(folder, "solvency.json"), filepath.Join(folder, "keys.json")
	noError(t, os.WriteFile(file, answer, 0o600))
	noError(t, os.WriteFile(of, keys, 0o600))
	out, faults, code := python(t, nil, "verify.py", "--solvency", file, "--keys", of)
	return string(out) + string(faults), code
}

// TestProofsOfSolvencyAreVerified takes the one on the page, and one of a service, and changes
// each of its values.
func TestProofsOfSolvencyAreVerified(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fairness/solvency.md")
	noError(t, err)
	example := documentedRound.FindSubmatch(page)[1]
	key := regexp.MustCompile("The key is `([^:`]*):([^`]*)`").FindSubmatch(page)
	keys, err := json.Marshal(map[string]any{"keys": []any{map[string]any{"use": "receipts", "kid": string(key[1]), "publicKey": string(key[2])}}})
	noError(t, err)
	if printed, code := proofOf(t, example, keys); code != 0 || !strings.Contains(printed, "available 52989797, held 13000, staked 0, unclaimed 0, together 53002797") {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	s := sit(t)
	_, err = s.casino.Solvency.Step(t.Context())
	noError(t, err)
	_, shown := s.ask("GET", "/account/solvency", "")
	if printed, code := proofOf(t, shown, s.keys); code != 0 || !strings.Contains(printed, string(money.SOL)+": available ") {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	for pointer, at := range scalars(t, example) {
		forged := slices.Concat(example[:at[0]], []byte(changed(string(example[at[0]:at[1]]))), example[at[1]:])
		if printed, code := proofOf(t, forged, keys); code != 1 || !strings.HasPrefix(printed, "solvency: ") {
			t.Errorf("%s changed: exit code %d\n%s", pointer, code, printed)
		}
	}
}

// TestBothWaysToVerifySignaturesAgree compares OpenSSL's library with its program.
func TestBothWaysToVerifySignaturesAgree(t *testing.T) {
	t.Parallel()
	s := sit(t)
	answer := s.kept("/play", `{"gameType": "dice", "wager": 1000, "token": "`+string(money.SOL)+`"}`)
	out, faults, code := python(t, slices.Concat(answer, []byte("\n"), s.keys), "-c", `
import base64, json, sys
import signatures
receipt, keys = (json.loads(line) for line in sys.stdin)
receipt, key = receipt["receipt"], signatures.key_bytes(keys["keys"][0]["publicKey"])
text, signature = receipt["text"].encode(), base64.b64decode(receipt["signature"])
for verify in (signatures.load_verify(), signatures.verify_by_process):
    print(verify(key, text, signature), verify(key, text + b"!", signature), verify(key, text, signature[:63] + b"!"), verify(key[:-1] + b"!", text, signature))
`)
	if want := strings.Repeat("True False False False\n", 2); string(out) != want || code != 0 {
		t.Errorf("%s%s", out, faults)
	}
}

// TestSelectionAccusesNoHonestHouse plays at 300 honest houses, which refuse at random, in
// bursts or by what was won before, and at crooked ones.
func TestSelectionAccusesNoHonestHouse(t *testing.T) {
	t.Parallel()
	out, faults, code := python(t, nil, "-c", `
import random
import selection

def captured(seed, refuses, rounds):
    r, tested, before = random.Random(seed), selection.Selection(["coinflip", "keno"]), 0
    for _ in range(rounds):
        draw = r.getrandbits(32)
        game, returned, deviation = ("coinflip", 1.98 * (draw < 2**31), 0.99) if r.random() < 0.5 else ("keno", 30.0 * (draw < 2**32 * 0.99 / 30), 5.0)
        bets = [(game, returned, deviation)] * (1 + r.getrandbits(1))
        if refuses(r, returned, before):
            tested.take(draw, bets)
        before = returned
    return bool(tested.findings())

honest = [lambda r, returned, before: r.random() < 0.1, lambda r, returned, before: before > 1, lambda r, returned, before: True]
print(sum(captured(seed, honest[seed % 3], 1000) for seed in range(300)))
crooked = [lambda r, returned, before: returned > 3, lambda r, returned, before: r.random() < (0.3 if returned > 1 else 0.1)]
print(sum(captured(seed, crooked[seed % 2], 4000) for seed in range(20)))
`)
	if string(out) != "0\n20\n" || code != 0 {
		t.Errorf("%s%s", out, faults)
	}
}
