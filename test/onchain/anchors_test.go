package onchain_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// anchorPeriod is the default of CASINO_ANCHOR_PERIOD.
const anchorPeriod = time.Hour

// anchored is a service that signs receipts and writes anchors on the chain, and a player who is
// signed in over HTTP.
type anchored struct {
	*stage
	*person
	api, bearer string
	payer       *solana.Node // of the anchors
	worker      *headlog.AnchorWorker
	keys        string // a file with the answer of GET /public/keys, from before the first bet
	program     string // casino
}

// newAnchored makes the service and pays in.
func newAnchored(t *testing.T) *anchored {
	t.Helper()
	a := &anchored{stage: newStage(t, planted{})}
	noError(t, a.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "surfpool", Ledger: "onchain"}))
	a.payer = a.newPayer("anchor")
	deps := a.deps(a.node, a.store)
	deps.Receipts, deps.AnchorChain, deps.AnchorPeriod = fakes.StatementSigner{}, a.payer, anchorPeriod
	var err error
	a.Casino, err = app.New(deps)
	noError(t, err)
	a.worker = a.Anchors.AnchorWorker()
	_, err = a.Treasury.BookCapital(t.Context(), money.SOL, 100_000_000_000, "founding")
	noError(t, err)
	handler, err := httpapi.New(a.Casino, httpapi.Config{Limiter: fakes.NewLimiter(a.clock)})
	noError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	a.api = server.URL + httpapi.BasePathDefault
	alice := a.stranger()
	a.person = &alice
	a.signsIn()
	a.keys = a.file("keys.json", a.ask(http.MethodGet, "/public/keys", ""))
	paid := a.do([]sol.Instruction{a.paying(a.sol, alice.PublicKey(), stake)}, alice.PrivateKey)
	a.finalize()
	a.ask(http.MethodPost, "/deposit", fmt.Sprintf(`{"signature": %q, "token": %q}`, paid, money.SOL))
	a.program, err = services.Binary()
	noError(t, err)
	return a
}

// signsIn signs the player in.
func (a *anchored) signsIn() {
	a.Helper()
	_, session, err := client.New(a.api, nil).SignIn(a.Context(), ed25519.PrivateKey(a.PrivateKey), a.clock.Now())
	noError(a, err)
	a.bearer = session.Token
}

// newPayer returns an adapter that signs memos with the key of a name, which has some SOL.
func (s *stage) newPayer(name string) *solana.Node {
	s.Helper()
	pair, err := solana.NewKeypair(fakes.Key(name))
	noError(s, err)
	node, err := solana.New(solana.Config{RPC: s.url, Treasury: pair})
	noError(s, err)
	s.Cleanup(node.Close)
	s.airdrop(sol.MPK(string(pair.Address())), sol.LAMPORTS_PER_SOL)
	return node
}

// ask sends a request and returns the body of its response, unchanged.
func (a *anchored) ask(method, path, body string) []byte {
	a.Helper()
	request, err := http.NewRequestWithContext(a.Context(), method, a.api+path, strings.NewReader(body))
	noError(a, err)
	request.Header.Set("Authorization", "Bearer "+a.bearer)
	request.Header.Set("Prefer", "receipt")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	noError(a, err)
	defer func() { _ = response.Body.Close() }() // it was only read
	answer, err := io.ReadAll(response.Body)
	noError(a, err)
	if response.StatusCode >= http.StatusMultipleChoices {
		a.Fatalf("%s %s: %d %s", method, path, response.StatusCode, answer)
	}
	return bytes.TrimSpace(answer)
}

func (a *anchored) file(name string, content []byte) string {
	a.Helper()
	path := filepath.Join(a.TempDir(), name)
	noError(a, os.WriteFile(path, content, 0o600))
	return path
}

// played is a round with the proof that an anchor has its block.
type played struct {
	round     json.RawMessage
	proof     map[string]json.RawMessage // receipt and log
	signature string                     // of the anchor
}

// plays plays a round and runs the workers until an anchor with its block is finalized.
func (a *anchored) plays() (p played) {
	a.Helper()
	var answer struct{ Round json.RawMessage }
	noError(a, json.Unmarshal(a.ask(http.MethodPost, "/play", fmt.Sprintf(`{"gameType": "dice", "wager": 10000, "token": %q}`, money.SOL)), &answer))
	var round struct{ ID string }
	noError(a, json.Unmarshal(answer.Round, &round))
	p.round = answer.Round
	const steps = 10
	for range steps {
		a.must(a.HeadLog.Step(a.Context()))
		a.must(a.worker.Step(a.Context()))
		noError(a, json.Unmarshal(a.ask(http.MethodGet, "/history/"+round.ID+"/proof?log=true", ""), &p.proof))
		var log struct{ Anchor struct{ Signature string } }
		if len(p.proof["log"]) > 0 {
			noError(a, json.Unmarshal(p.proof["log"], &log))
		}
		if p.signature = log.Anchor.Signature; p.signature != "" {
			return p
		}
		a.clock.Advance(headlog.AnchorInterval)
	}
	a.Fatalf("no anchor after %d steps: %s", steps, p.proof)
	return p
}

// verifies runs casino verify on a round, its receipt and a log's proof, against a transaction.
func (a *anchored) verifies(p played, log json.RawMessage, signature string) string {
	a.Helper()
	text, err := json.Marshal(map[string]json.RawMessage{"round": p.round, "receipt": p.proof["receipt"], "log": log})
	noError(a, err)
	command := exec.CommandContext(a.Context(), a.program, "verify", "--receipt", a.file("receipt.json", text), "--keys", a.keys,
		"--wallet", string(a.Wallet), "--anchor", signature, "--rpc", a.url) // #nosec G204 -- the program under test
	out, err := command.CombinedOutput()
	return fmt.Sprintf("%sexit %d (%v)", out, command.ProcessState.ExitCode(), err)
}

// writes lands a memo of a node's own key, finalized, and returns its signature.
func (a *anchored) writes(by *solana.Node, text string) string {
	a.Helper()
	memo, err := by.SignMemo(a.Context(), text)
	noError(a, err)
	noError(a, by.SendMemo(a.Context(), memo))
	a.finalize()
	return memo.Signature
}

// Casino verify follows a round to the memo of the anchor on Solana's runtime. It refuses other
// memos, memos of other payers, and rounds that the anchored log lacks.
func TestARoundIsFollowedToItsAnchor(t *testing.T) {
	t.Parallel()
	a := newAnchored(t)
	first := a.plays()
	a.clock.Advance(anchorPeriod)
	a.signsIn() // the session has expired
	second := a.plays()
	if first.signature == second.signature {
		t.Fatalf("both rounds have the anchor %s", first.signature)
	}
	memo, err := a.node.ReadMemo(t.Context(), first.signature)
	noError(t, err)
	log, next := first.proof["log"], second.proof["log"]
	key := sol.PrivateKey(fakes.Key("anchor"))
	note := sol.NewInstruction(sol.MemoProgramID, nil, []byte(memo.Text))
	overdraft := system.NewTransferInstruction(2*sol.LAMPORTS_PER_SOL, key.PublicKey(), a.PublicKey()).Build()
	failed, twice := a.failing([]sol.Instruction{note, overdraft}, key), a.do([]sol.Instruction{note, note}, key)
	written := func(by *solana.Node, old, with string) string {
		return a.writes(by, strings.Replace(memo.Text, old, with, 1))
	}
	root := memo.Text[strings.LastIndex(memo.Text, " ")+1:]
	const verified, unlogged = "1 of 1 receipts are verified\nexit 0", "receipt 1: anchor: the anchored log does not have the block"
	for name, c := range map[string]struct {
		round     played
		log       json.RawMessage
		signature string
		want      string
	}{
		"in order":                        {first, log, first.signature, verified},
		"in the next anchor":              {second, next, second.signature, verified},
		"the same memo again":             {first, log, written(a.payer, "", ""), verified},
		"another root":                    {first, log, written(a.payer, root, strings.Repeat("A", 43)+"="), unlogged},
		"another size":                    {first, log, written(a.payer, "/1 ", "/1 1"), unlogged},
		"another ledger":                  {first, log, written(a.payer, "/onchain/", "/another/"), "receipt 1: anchor: the memo is of another ledger"},
		"no memo of a log":                {first, log, written(a.payer, "casino-log-1", "casino-log-2"), "anchor: the memo does not state a log"},
		"another payer":                   {first, log, written(a.newPayer("mallory"), "", ""), "anchor: no key for anchors paid for the memo"},
		"a transaction that failed":       {first, log, failed, "no finalized transaction " + failed + " with one memo"},
		"two memos":                       {first, log, twice, "no finalized transaction " + twice + " with one memo"},
		"another round's proof":           {second, log, first.signature, unlogged},
		"the next round's proof":          {first, next, second.signature, unlogged},
		"a later anchor for the path":     {first, log, second.signature, unlogged},
		"an anchor from before the round": {second, next, first.signature, unlogged},
	} {
		got := a.verifies(c.round, c.log, c.signature)
		if !strings.Contains(got, c.want) || c.want != verified && !strings.Contains(got, "exit 1 ") {
			t.Errorf("%s: %s, want %q", name, got, c.want)
		}
	}
}
