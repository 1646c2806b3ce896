package main

import (
	"crypto/rand"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/adapters/simulated/localnet"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/test/fakes"
)

// The memo of --anchor is read from the chain.
func TestAnAnchorIsReadFromTheChain(t *testing.T) {
	t.Parallel()
	chain, err := localnet.Open(localnet.Config{Dir: t.TempDir(), SlotDuration: time.Millisecond, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = chain.Close() })
	server := httptest.NewServer(chain.Handler())
	t.Cleanup(server.Close)
	pair, err := solana.NewKeypair(fakes.Key("anchor"))
	if err != nil {
		t.Fatal(err)
	}
	node, err := solana.New(solana.Config{RPC: server.URL, Treasury: pair})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chain.Airdrop(sol.MustPublicKeyFromBase58(string(pair.Address())), sol.LAMPORTS_PER_SOL); err != nil {
		t.Fatal(err)
	}
	memo, err := node.SignMemo(t.Context(), "no log")
	if err == nil {
		err = node.SendMemo(t.Context(), memo)
	}
	for err == nil {
		if _, notYet := node.ReadMemo(t.Context(), memo.Signature); notYet == nil {
			break
		}
		err = t.Context().Err()
	}
	if err != nil {
		t.Fatal(err)
	}
	receipts, keys := filepath.Join(t.TempDir(), "receipts.jsonl"), filepath.Join(t.TempDir(), "keys.json")
	const key = `{"keys":[{"use":"receipts","kid":"k","publicKey":"MCowBQYDK2VwAyEAeWou0naAHF6L1n/rvhQqDjUBF2eAkqwFqz4PMwI84FQ="}]}`
	if err := errors.Join(os.WriteFile(receipts, []byte("{}"), 0o600), os.WriteFile(keys, []byte(key), 0o600)); err != nil {
		t.Fatal(err)
	}
	const want = "receipt 1: malformed: no receipt\nanchor: no key for anchors paid for the memo\n0 of 1 receipts are verified\n"
	out, errOut, code := runCasino(t, "verify", "--receipt", receipts, "--keys", keys, "--wallet", "w", "--anchor", memo.Signature, "--rpc", server.URL)
	if code != exitFailed || out != want {
		t.Errorf("exit %d, %q, %q", code, out, errOut)
	}
	unknown := strings.Repeat("1", 64)
	finding := "anchor: no finalized transaction " + unknown + " with one memo\n"
	for rpc, exit := range map[string]int{server.URL: exitFailed, server.URL + "0": exitUsage} {
		out, errOut, code := runCasino(t, "verify", "--receipt", receipts, "--keys", keys, "--wallet", "w", "--anchor", unknown, "--rpc", rpc)
		if code != exit || strings.Contains(out, finding) != (exit == exitFailed) {
			t.Errorf("%s: exit %d, %q, %q", rpc, code, out, errOut)
		}
	}
	for _, args := range [][]string{{"--receipt", receipts, "--anchor", memo.Signature}, {"--receipt", receipts, "--rpc", server.URL}, {"--round", receipts, "--anchor", memo.Signature, "--rpc", server.URL}} {
		if _, errOut, code := runCasino(t, append([]string{"verify", "--keys", keys, "--wallet", "w"}, args...)...); code != exitUsage || !strings.Contains(errOut, "--anchor needs --receipt and --rpc") {
			t.Errorf("%v: exit %d, %q", args, code, errOut)
		}
	}
}
