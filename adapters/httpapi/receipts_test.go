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

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/docs"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/receipt"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// The commands of docs/fairness/receipts.md verify a receipt, and find each change of the answer.
func TestReceiptsVerifyAsTheManualSays(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "jq", "base64", "openssl", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v", err) // allowed: the commands are for people who have these tools
		}
	}
	h := openHouse(t, setup{})
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.funded("alice", string(money.SOL), 1_000_000)
	bet := question{
		method: http.MethodPost, path: "/play", as: "alice", header: map[string]string{"Prefer": "respond-async, receipt"},
		body: `{"gameType": "dice", "wager": 10000, "token": "` + string(money.SOL) + `", "config": {"target": 50, "direction": "over"}}`,
	}
	answer := h.ask(bet).ok(http.StatusOK).text
	keys := h.ask(question{method: http.MethodGet, path: "/public/keys"}).ok(http.StatusOK).text
	if out, good := verifyByManual(t, answer, keys); !good {
		t.Fatalf("the receipt does not verify: %s\n%s", out, answer)
	}
	var read api.Played
	h.must(json.Unmarshal(answer, &read))
	later := h.ask(question{method: http.MethodGet, path: "/history/" + read.Round.ID + "/proof", as: "alice"}).ok(http.StatusOK)
	var proof api.ProofResponse
	h.must(json.Unmarshal(later.text, &proof))
	if proof.Receipt.Text != read.Receipt.Text || proof.Receipt.Signature != read.Receipt.Signature {
		t.Errorf("the receipt is another one later: %s", later.text)
	}
	for name, change := range map[string][2]string{
		"wager":     {`"wager":10000`, `"wager":10001`},
		"config":    {`"direction":"over"`, `"direction":"under"`},
		"outcome":   {`"roll":`, `"Roll":`},
		"seed":      {`"nonce":0`, `"nonce":1`},
		"text":      {`lane: `, `lane:  `},
		"placement": {`"index":0`, `"index":1`},
		"signature": {`"signature":"`, `"signature":"A`},
		"time":      {`"createdAt":1`, `"createdAt":2`},
		"multiple":  {`"multiplier":`, `"multiplier":1`},
	} {
		changed := strings.Replace(string(answer), change[0], change[1], 1)
		if changed == string(answer) {
			t.Errorf("%s: the answer has no %s: %s", name, change[0], answer)
		}
		if out, good := verifyByManual(t, []byte(changed), keys); good {
			t.Errorf("%s verifies although it was changed: %s", name, out)
		}
	}
}

// Without the preference nothing is added, and a repeated request has its receipt too.
func TestReceiptsAreGivenToWhoAsks(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{})
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	h.funded("alice", string(money.SOL), 1_000_000)
	bet := question{
		method: http.MethodPost, path: "/play", as: "alice", header: map[string]string{"Idempotency-Key": "key"},
		body: `{"gameType": "coinflip", "wager": 10000, "token": "` + string(money.SOL) + `"}`,
	}
	if plain := h.ask(bet).ok(http.StatusOK).text; strings.Contains(string(plain), "receipt") {
		t.Errorf("a receipt nobody asked for: %s", plain)
	}
	bet.header["Prefer"] = "receipt"
	if repeated := h.ask(bet).ok(http.StatusOK); !strings.Contains(string(repeated.text), `"receipt"`) {
		t.Errorf("a repeated bet has no receipt: %s", repeated.text)
	}
	player := h.client().WithReceipts().WithToken(h.token("alice"))
	if played, err := player.Play(t.Context(), api.PlayRequest{GameType: "coinflip", Wager: 10_000, Token: string(money.SOL)}); err != nil || played.Receipt == nil {
		t.Errorf("the client asked for a receipt: %+v, %v", played, err)
	}
	for _, other := range []string{"bob", "carol"} {
		h.funded(other, string(money.SOL), 1)
		h.ask(question{method: http.MethodGet, path: "/history/" + fakes.NewEntropy(9).ID() + "/proof", as: other}).is(http.StatusNotFound, "NOT_FOUND")
	}
}

// A receipt takes at most 1 KB, in a block of the most bets that a batch has.
func TestReceiptsAreSmall(t *testing.T) {
	t.Parallel()
	content := hashchain.Content{At: fakes.Start, Epoch: 1}
	ids := fakes.NewEntropy(1)
	for range sqlstore.BatchMax {
		content.Rounds = append(content.Rounds, bet.Round{
			ID: ids.ID(), Wallet: fakes.Wallet("alice"), Agent: "house", PairID: ids.ID(), Multiplier: money.Ratio{Num: 19800, Den: 10000},
			Wager: 1_000_000_000_000, Balance: 1_000_000_000_000, At: fakes.Start,
		})
	}
	block := hashchain.Seal(hashchain.Head{Lane: 9, Seq: 1_000_000_000}, content)
	signed, err := fakes.StatementSigner{Names: []string{"2026-01"}}.SignText(receipt.Text(ids.ID(), block.Header))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(httpapi.ReceiptOf(receipt.Receipt{Inclusion: block.Include(hashchain.Leaf{Round: &content.Rounds[77]}, 77), Signed: signed}))
	if err != nil || len(text) > 1024 {
		t.Errorf("%d bytes, %v: %s", len(text), err, text)
	}
}

// verifyByManual runs the commands of the manual on an answer.
func verifyByManual(t *testing.T, answer, keys []byte) (out string, good bool) {
	t.Helper()
	folder := t.TempDir()
	manual, err := docs.Files.ReadFile("fairness/receipts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, byHand, _ := strings.Cut(string(manual), "## Verify one by hand\n")
	blocks := regexp.MustCompile("(?s)```(sh|python)[^\n]*\n(.*?)```").FindAllStringSubmatch(byHand, -1)
	if len(blocks) != 3 {
		t.Fatalf("the manual has %d programs", len(blocks))
	}
	for name, text := range map[string]string{"answer.json": string(answer), "keys.json": string(keys), "signature.sh": blocks[0][2], "leaf.py": blocks[1][2], "leaf.sh": blocks[2][2]} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"signature.sh", "leaf.sh"} {
		run := exec.CommandContext(t.Context(), "bash", "-e", name)
		run.Dir, run.Env = folder, append(os.Environ(), "WALLET="+string(fakes.Wallet("alice")))
		said, err := run.CombinedOutput()
		out += string(said)
		if err != nil {
			return out, false
		}
	}
	return out, strings.Contains(out, "Signature Verified Successfully") && strings.Contains(out, "the block has the round")
}
