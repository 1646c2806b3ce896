package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/docs"
	"github.com/casino-service/casino/domain/checkpoint"
	domainrefusal "github.com/casino-service/casino/domain/refusal"
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

// The commands of docs/fairness/refusals.md verify the receipt of a refusal, and find each
// change of it.
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
			"text of its own": `{"gameType": "dragontower", "wager": 10000, "token": "x\ncode: y"}`,
		} {
			if said := bet(path, body, asks); said.Receipt != nil || said.Code == "" {
				t.Errorf("%s, %s: %+v", path, name, said)
			}
		}
	}
	if text := h.ask(question{method: http.MethodPost, path: "/play", header: asks, body: tower}).is(http.StatusUnauthorized, "MISSING_AUTH").text; strings.Contains(string(text), "receipt") {
		t.Errorf("of nobody: %s", text)
	}
	h.newcomer("olga", "ops", "")
	h.ask(question{method: http.MethodPost, path: "/admin/play/pause", as: "olga", body: object{"reason": "maintenance"}}).ok(http.StatusOK)
	small := strings.Replace(tower, "9000000000000000", "10000", 1)
	if said := bet("/play", small, asks); said.Receipt == nil || !strings.Contains(said.Receipt.Statement, "\ncode: API_CHECKING\nreason: paused\n") {
		t.Errorf("paused: %+v", said)
	}
}

// A refusal is of one request, under one key, at one nonce: no other one has its text.
func TestARefusalIsOfOneRequestOnly(t *testing.T) {
	t.Parallel()
	h := openLedger(t)
	signed := map[string]string{} // by what the texts have in common
	refused := func(name, path, key, body string) (order, nonce string) {
		t.Helper()
		header := map[string]string{"Prefer": "receipt"}
		if key != "" {
			header["Idempotency-Key"] = key
		}
		var said api.Failure
		h.must(json.Unmarshal(h.ask(question{method: http.MethodPost, path: path, as: "alice", header: header, body: body}).text, &said))
		if said.Receipt == nil {
			t.Fatalf("%s: %+v", name, said)
		}
		facts := map[string]string{}
		for line := range strings.Lines(said.Receipt.Statement) {
			fact, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			facts[fact] = value
		}
		if other := signed[facts["order"]+" "+facts["nonce"]]; other != "" {
			t.Errorf("%s has the order and the nonce of %s", name, other)
		}
		signed[facts["order"]+" "+facts["nonce"]] = name
		return facts["order"], facts["nonce"]
	}
	first, before := refused("the first", "/play", "k1", refusedBet)
	refused("another key", "/play", "k2", refusedBet)
	refused("no key", "/play", "", refusedBet)
	refused("another wager", "/play", "k1", strings.Replace(refusedBet, "9000000000000000", "9000000000000001", 1))
	refused("another config", "/play", "k1", strings.Replace(refusedBet, "over", "under", 1))
	refused("another game", "/play", "k1", strings.Replace(strings.Replace(refusedBet, "dice", "coinflip", 1), `"target": 50.00, "direction": "over"`, "", 1))
	refused("another route", "/rounds", "k1", strings.Replace(strings.Replace(refusedBet, "dice", "dragontower", 1), `"target": 50.00, "direction": "over"`, "", 1))
	refused("another expected nonce", "/play", "k1", strings.Replace(refusedBet, "{", `{"expectedNonce": 0, `, 1))
	refused("another pair than the one that is expected", "/play", "k1", strings.Replace(refusedBet, "{", `{"expectedServerSeedHash": "00", `, 1))
	h.ask(question{method: http.MethodPost, path: "/play", as: "alice", body: strings.Replace(refusedBet, "9000000000000000", "10000", 1)}).ok(http.StatusOK)
	if order, nonce := refused("the first, after a round", "/play", "k1", refusedBet); order != first || nonce == before {
		t.Errorf("the order was %s and is %s, the nonce was %s and is %s", first, order, before, nonce)
	}
}

// counted counts what is signed.
type counted struct {
	fakes.StatementSigner
	signed *atomic.Int64
}

// Sign serves ports.ReceiptSigner.
func (c counted) Sign(s checkpoint.Statement) (checkpoint.Signed, error) {
	c.signed.Add(1)
	return c.StatementSigner.Sign(s)
}

// The limits in force are signed with all that is shown, once a second however many ask.
func TestLimitsInForceAreSignedOnceASecond(t *testing.T) {
	t.Parallel()
	signer := counted{signed: new(atomic.Int64)}
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Receipts = signer }})
	shown := func() (limits api.PublicLimitsResponse) {
		h.must(json.Unmarshal(h.get("", "/public/limits").ok(http.StatusOK).text, &limits))
		return limits
	}
	if limits := shown(); limits.Receipt != nil || len(limits.Tokens) == 0 {
		t.Errorf("of a ledger without an id: %+v", limits)
	}
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.clock.Advance(time.Second)
	before := signer.signed.Load()
	for range 20 {
		limits := shown()
		signature, err := base64.StdEncoding.DecodeString(limits.Receipt.Signature)
		h.must(err)
		made, err := checkpoint.Signed{Text: limits.Receipt.Statement, Key: limits.Receipt.Kid, Signature: signature}.Open(domainrefusal.Limits, signer.PublicKeys()...)
		h.must(err)
		text, _ := made.Fact(domainrefusal.LimitsFact)
		var stated api.PublicLimitsResponse
		h.must(json.Unmarshal([]byte(text), &stated))
		if limits.Receipt = nil; !reflect.DeepEqual(stated, limits) || len(stated.Tokens) == 0 {
			t.Fatalf("%+v, shown is %+v", stated, limits)
		}
	}
	if n := signer.signed.Load() - before; n != 1 {
		t.Errorf("signed %d times", n)
	}
}
