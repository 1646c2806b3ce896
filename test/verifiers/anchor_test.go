package verifiers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/money"
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
	keys, err := verifier.ReadReceiptKeys(s.keys)
	noError(t, err)
	for name, c := range map[string]struct {
		receipt  []byte
		text, by string
		want     string
	}{
		"in order":       {beside, memo.Text, memo.By, ""},
		"another payer":  {beside, memo.Text, string(fakes.Wallet("mallory")), "anchor: no key for anchors paid for the memo"},
		"another memo":   {beside, "hello", memo.By, "anchor: the memo does not state a log"},
		"another ledger": {beside, strings.Replace(memo.Text, "the-ledger", "another", 1), memo.By, "receipt 1: anchor: the memo is of another ledger"},
		"another size":   {beside, strings.Replace(memo.Text, "/1 ", "/1 1", 1), memo.By, "receipt 1: anchor: the anchored log does not have the block"},
		"another root":   {beside, memo.Text[:len(memo.Text)-44] + strings.Repeat("A", 43) + "=", memo.By, "receipt 1: anchor: the anchored log does not have the block"},
		"another path":   {bytes.Replace(beside, []byte(`"anchor":{`), []byte(`"anchor":{"path":[],"Was":{`), 1), memo.Text, memo.By, "malformed"},
		"no anchor":      {answer, memo.Text, memo.By, "receipt 1: anchor: the answer has no proof for an anchor"},
	} {
		report, err := verifier.CheckReceipts(c.receipt, nil, keys, string(fakes.Wallet("alice")), &verifier.AnchorMemo{Text: c.text, By: c.by})
		noError(t, err)
		if got := strings.Join(report.Findings, "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q (the memo is %q)", name, got, c.want, memo.Text)
		}
	}
}
