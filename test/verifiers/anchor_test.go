package verifiers_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// A receipt is followed to the memo on chain, and forgeries of either are findings.
func TestReceiptsAreFollowedToAnAnchor(t *testing.T) {
	t.Parallel()
	s := sit(t)
	answer := s.kept("/play", fmt.Sprintf(`{"gameType": "coinflip", "wager": 1000, "token": %q}`, money.SOL))
	for range 3 {
		_, err := s.casino.HeadLog.Step(t.Context())
		noError(t, err)
	}
	worker := s.casino.Anchors.AnchorWorker()
	for range 2 {
		_, err := worker.Step(t.Context())
		noError(t, err)
		s.chain.Finalize()
	}
	var round struct{ Round struct{ ID string } }
	noError(t, json.Unmarshal(answer, &round))
	code, proof := s.ask(http.MethodGet, "/history/"+round.Round.ID+"/proof?log=true", "")
	var logged struct {
		Log struct{ Anchor struct{ Signature string } }
	}
	noError(t, json.Unmarshal(proof, &logged))
	if code != http.StatusOK || logged.Log.Anchor.Signature == "" {
		t.Fatalf("%d %s", code, proof)
	}
	memo, err := s.chain.ReadMemo(t.Context(), logged.Log.Anchor.Signature)
	noError(t, err)
	before, _, _ := bytes.Cut(answer, []byte(`"receipt":`))
	beside := slices.Concat(before, bytes.TrimPrefix(proof, []byte("{")))
	payer := openNode(t)
	keys := bytes.ReplaceAll(s.keys, []byte(memo.By), []byte(payer.TreasuryAddress()))
	_, public := payer.Key()
	keys = bytes.ReplaceAll(keys, encodedKey(t, wallet.Address(memo.By).PublicKey()), encodedKey(t, public))
	for name, c := range map[string]struct {
		receipt []byte
		text    string
		keys    []byte
		want    string
	}{
		"in order":       {beside, memo.Text, keys, ""},
		"another payer":  {beside, memo.Text, s.keys, "anchor: no key for anchors paid for the memo"},
		"another memo":   {beside, "hello", keys, "anchor: the memo does not state a log"},
		"a longer memo":  {beside, memo.Text + "\n", keys, "anchor: the memo does not state a log"},
		"a great size":   {beside, strings.Replace(memo.Text, "/1 ", "/1 999999999999999999", 1), keys, "anchor: the memo does not state a log"},
		"another ledger": {beside, strings.Replace(memo.Text, "the-ledger", "another", 1), keys, "receipt 1: anchor: the memo is of another ledger"},
		"another size":   {beside, strings.Replace(memo.Text, "/1 ", "/1 1", 1), keys, "receipt 1: anchor: the anchored log does not have the block"},
		"another root":   {beside, memo.Text[:len(memo.Text)-44] + strings.Repeat("A", 43) + "=", keys, "receipt 1: anchor: the anchored log does not have the block"},
		"another path":   {bytes.Replace(beside, []byte(`"anchor":{`), []byte(`"anchor":{"path":[],"Was":{`), 1), memo.Text, keys, "malformed"},
		"no path":        {changedLog(t, beside, func(log map[string]any) { delete(log["anchor"].(map[string]any), "path") }), memo.Text, keys, "receipt 1: anchor: the answer has no proof for an anchor"},
		"no anchor":      {answer, memo.Text, keys, "receipt 1: anchor: the answer has no proof for an anchor"},
	} {
		e := evidence{receipts: [][]byte{c.receipt}, keys: c.keys, rpc: payer.url, anchor: payer.write(c.text)}
		e.memo = &verifier.AnchorMemo{Signature: e.anchor, Text: c.text, By: payer.TreasuryAddress()}
		got := e.verdict(t)
		if (c.want == "") != (got.code == 0) || !strings.Contains(got.printed, c.want) {
			t.Errorf("%s: %q, want %q (the memo is %q)", name, got.printed, c.want, memo.Text)
		}
	}
}

// A memoNode is a node of a simulated chain, with a key that pays for memos.
type memoNode struct {
	*testing.T
	*solana.Node
	url string
}

func openNode(t *testing.T) memoNode {
	t.Helper()
	chain, err := localnet.Open(localnet.Config{Dir: t.TempDir(), SlotDuration: time.Millisecond, Now: time.Now, Random: rand.Reader})
	noError(t, err)
	t.Cleanup(func() { _ = chain.Close() })
	server := httptest.NewServer(chain.Handler())
	t.Cleanup(server.Close)
	pair, err := solana.NewKeypair(fakes.Key("anchor"))
	noError(t, err)
	node, err := solana.New(solana.Config{RPC: server.URL, Treasury: pair})
	noError(t, err)
	t.Cleanup(node.Close)
	_, err = chain.Airdrop(sol.MustPublicKeyFromBase58(string(pair.Address())), sol.LAMPORTS_PER_SOL)
	noError(t, err)
	return memoNode{t, node, server.URL}
}

// write writes a memo, and returns its signature once it is finalized.
func (n memoNode) write(text string) string {
	n.Helper()
	memo, err := n.SignMemo(n.Context(), text)
	noError(n.T, err)
	noError(n.T, n.SendMemo(n.Context(), memo))
	for noError(n.T, n.Context().Err()); ; noError(n.T, n.Context().Err()) {
		if _, err := n.ReadMemo(n.Context(), memo.Signature); err == nil {
			return memo.Signature
		}
	}
}

// twoMemos returns a signed transaction with two memos.
func twoMemos(t *testing.T) []byte {
	t.Helper()
	key := sol.PrivateKey(fakes.Key("anchor"))
	memo := sol.NewInstruction(sol.MemoProgramID, nil, []byte("memo"))
	made, err := sol.NewTransaction([]sol.Instruction{memo, memo}, sol.Hash{}, sol.TransactionPayer(key.PublicKey()))
	noError(t, err)
	_, err = made.Sign(func(sol.PublicKey) *sol.PrivateKey { return &key })
	noError(t, err)
	raw, err := made.MarshalBinary()
	noError(t, err)
	return raw
}

// encodedKey returns a public key as GET /public/keys has it.
func encodedKey(t *testing.T, public ed25519.PublicKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(public)
	noError(t, err)
	return []byte(base64.StdEncoding.EncodeToString(der))
}

// A transaction that failed or has no memo is a finding. One that isn't signed can't be verified.
func TestTransactionsWithoutAMemoAreRefused(t *testing.T) {
	t.Parallel()
	s := sit(t)
	payer := openNode(t)
	memo, err := payer.SignMemo(t.Context(), "casino-log-1")
	noError(t, err)
	receipts := filepath.Join(t.TempDir(), "receipts.jsonl")
	keys := filepath.Join(t.TempDir(), "keys.json")
	noError(t, errors.Join(os.WriteFile(receipts, s.bet(), 0o600), os.WriteFile(keys, s.keys, 0o600)))
	other := func(change func([]byte) []byte) []byte { return change(slices.Clone(memo.Transaction)) }
	noMemo := "anchor: no finalized transaction " + memo.Signature + " with one memo\n1 of 1 receipts are verified\n"
	const unsigned, cut = "the node's transaction is not signed by its payer", "the transaction is cut off"
	swapped := bytes.Replace(memo.Transaction, sol.MemoProgramID.Bytes(), sol.SystemProgramID.Bytes(), 1)
	copy(swapped[1:], ed25519.Sign(fakes.Key("anchor"), swapped[65:]))
	for name, c := range map[string]struct {
		transaction         []byte
		fault, printed, why string
	}{
		"in order":              {memo.Transaction, "null", "anchor: no key for anchors paid for the memo\n1 of 1 receipts are verified\n", ""},
		"failed":                {memo.Transaction, `{"InstructionError":[0,"Custom"]}`, noMemo, ""},
		"unknown":               {nil, "", noMemo, ""},
		"another program":       {swapped, "null", noMemo, ""},
		"two memos":             {twoMemos(t), "null", noMemo, ""},
		"another signature":     {other(func(b []byte) []byte { b[1] ^= 1; return b }), "null", "", unsigned},
		"another text":          {other(func(b []byte) []byte { b[len(b)-1] ^= 1; return b }), "null", "", unsigned},
		"cut off":               {other(func(b []byte) []byte { return b[:len(b)-1] }), "null", "", cut},
		"cut off in its header": {other(func(b []byte) []byte { return b[:40] }), "null", "", cut},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
			result := "null"
			if c.transaction != nil {
				result = fmt.Sprintf(`{"meta":{"err":%s},"transaction":[%q,"base64"]}`, c.fault, base64.StdEncoding.EncodeToString(c.transaction))
			}
			fmt.Fprintf(to, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
		}))
		t.Cleanup(server.Close)
		arguments := []string{"--receipt", receipts, "--keys", keys, "--wallet", string(fakes.Wallet("alice")), "--anchor", memo.Signature, "--rpc", server.URL}
		for program, run := range map[string]func() ([]byte, []byte, int){
			"verify.py":              func() ([]byte, []byte, int) { return python(t, nil, append([]string{"verify.py"}, arguments...)...) },
			"@casino-service/verify": func() ([]byte, []byte, int) { return node(t, nil, append([]string{"dist/cli.js"}, arguments...)...) },
		} {
			printed, faults, code := run()
			if want := map[bool]int{true: 1, false: 2}[c.why == ""]; code != want || string(printed) != c.printed || !strings.Contains(string(faults), c.why) {
				t.Errorf("%s, %s: exit code %d, want %d with %q\n%s%s", program, name, code, want, c.why, printed, faults)
			}
		}
	}
}
