package httpapi_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/docs"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// refusedBet is a bet above the greatest wager.
const refusedBet = `{"token": "` + sol + `", "wager": 9000000000000000, "gameType": "dice", "config": {"target": 50.00, "direction": "over"}}`

// openLedger opens a house whose ledger has an id.
func openLedger(t *testing.T) *house {
	t.Helper()
	h := openHouse(t, setup{})
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.funded("alice", sol, 1_000_000)
	return h
}

// The manual's own commands verify the receipt of a refusal, and find each change of it.
func TestRefusalsVerifyAsTheManualSays(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "jq", "base64", "openssl", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v", err) // allowed: the commands are for people who have these tools
		}
	}
	h := openLedger(t)
	failure := h.ask(question{
		method: http.MethodPost, path: "/play", as: "alice", body: refusedBet,
		header: map[string]string{"Prefer": "receipt", "Idempotency-Key": "my key 1"},
	})
	failure.is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
	keys := h.ask(question{method: http.MethodGet, path: "/public/keys"}).ok(http.StatusOK).text
	if out, good := verifyRefusal(t, string(failure.text), refusedBet, keys); !good {
		t.Fatalf("the refusal does not verify: %s\n%s", out, failure.text)
	}
	var seed api.Seed
	h.must(json.Unmarshal(h.get("alice", "/seed").ok(http.StatusOK).text, &seed))
	var said api.Failure
	h.must(json.Unmarshal(failure.text, &said))
	for _, line := range []string{
		"purpose: refusal", "ledger: the ledger", "wallet: " + string(fakes.Wallet("alice")), "nonce: 0", "server-seed-hash: " + seed.ServerSeedHash,
		"code: WAGER_OUT_OF_RANGE", "game: dice", "wager: 9000000000000000",
	} {
		if !strings.Contains("\n"+said.Receipt.Statement, "\n"+line+"\n") {
			t.Errorf("the refusal doesn't state %q: %s", line, said.Receipt.Statement)
		}
	}
	for name, changed := range map[string][2]string{
		"nonce": {string(failure.text), strings.Replace(string(failure.text), `\nnonce: 0`, `\nnonce: 1`, 1)},
		"order": {refusedBet, strings.Replace(refusedBet, "over", "under", 1)},
	} {
		if changed[0] == changed[1] {
			t.Fatalf("%s is not there", name)
		}
		text, body := string(failure.text), changed[1]
		if name == "nonce" {
			text, body = changed[1], refusedBet
		}
		if out, good := verifyRefusal(t, text, body, keys); good {
			t.Errorf("%s verifies although it was changed: %s", name, out)
		}
	}
}

// verifyRefusal runs the commands of the manual on an error.
func verifyRefusal(t *testing.T, failure, body string, keys []byte) (out string, good bool) {
	t.Helper()
	folder := t.TempDir()
	manual, err := docs.Files.ReadFile("fairness/refusals.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:sh needs|python test)[^\n]*\n(.*?)```").FindAllStringSubmatch(string(manual), -1)
	if len(blocks) != 2 {
		t.Fatalf("the manual has %d programs", len(blocks))
	}
	for name, text := range map[string]string{"error.json": failure, "keys.json": string(keys), "body.json": body, "verify.sh": blocks[0][1], "verify.py": blocks[1][1]} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{"bash", "-e", "verify.sh"}, {"python3", "verify.py", "/play", "my key 1"}} {
		run := exec.CommandContext(t.Context(), command[0], command[1:]...)
		run.Dir = folder
		said, err := run.CombinedOutput()
		if out += string(said); err != nil {
			return out, false
		}
	}
	return out, strings.Contains(out, "the refusal is of this order")
}

// Only who asks gets a receipt, and only of what was decided when the pair was known.
func TestRefusalsAreSignedForWhoAsks(t *testing.T) {
	t.Parallel()
	h := openLedger(t)
	bet := func(path, body string, header map[string]string) api.Failure {
		t.Helper()
		var said api.Failure
		h.must(json.Unmarshal(h.ask(question{method: http.MethodPost, path: path, as: "alice", header: header, body: body}).text, &said))
		return said
	}
	asks := map[string]string{"Prefer": "receipt"}
	tower := `{"gameType": "dragontower", "wager": 9000000000000000, "token": "` + sol + `"}`
	for _, path := range []string{"/play", "/rounds"} {
		if said := bet(path, tower, nil); said.Receipt != nil || said.Code != "WAGER_OUT_OF_RANGE" {
			t.Errorf("%s, unasked: %+v", path, said)
		}
		if said := bet(path, tower, asks); said.Receipt == nil || !strings.Contains(said.Receipt.Statement, "purpose: refusal\n") {
			t.Errorf("%s: %+v", path, said)
		}
		for name, body := range map[string]string{
			"no wager": `{"gameType": "dragontower", "token": "` + sol + `"}`, "no such game": `{"gameType": "nothing", "wager": 10000, "token": "` + sol + `"}`,
		} {
			if said := bet(path, body, asks); said.Receipt != nil || said.Code == "" {
				t.Errorf("%s, %s: %+v", path, name, said)
			}
		}
	}
	h.newcomer("olga", "ops", "")
	h.ask(question{method: http.MethodPost, path: "/admin/play/pause", as: "olga", body: object{"reason": "maintenance"}}).ok(http.StatusOK)
	small := strings.Replace(tower, "9000000000000000", "10000", 1)
	if said := bet("/play", small, asks); said.Receipt == nil || !strings.Contains(said.Receipt.Statement, "\ncode: API_CHECKING\nreason: paused\n") {
		t.Errorf("paused: %+v", said)
	}
}
