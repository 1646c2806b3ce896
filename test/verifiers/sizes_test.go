package verifiers_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
)

// sizeMax is the most bytes of a receipt as it is sent, in a block of up to 2^pathMax leaves, and
// sharedMax that of a bet on the shared crash.
const sizeMax, sharedMax, pathMax = 1024, 1280, 8

// A receipt of each kind has at most 1 KB in a block of 256 leaves, however long its round is.
// That of a retired pair has it in a block of 128, that of a bet on the shared crash has 256 bytes
// more.
func TestReceiptsOfEveryKindAreSmall(t *testing.T) {
	t.Parallel()
	s := sit(t)
	shared := s.sharedCrash()
	answers := append(s.everything(2), s.longRounds()...)
	least, most, steps := map[string]int{}, map[string]int{}, 0
	const ofShared = "bet on the shared crash"
	measure := func(kind string, receipt jsontext.Value, path int) {
		large := enlarged(t, receipt, path)
		if least[kind] == 0 {
			least[kind] = len(receipt)
		}
		least[kind], most[kind] = min(least[kind], len(receipt)), max(most[kind], len(large))
		if len(large) > sizeMax && (kind != ofShared || len(large) > sharedMax) {
			t.Errorf("%d bytes: %s", len(large), large)
		}
	}
	for _, answer := range answers {
		var read struct {
			Round   struct{ Step int }
			Receipt jsontext.Value
		}
		noError(t, json.Unmarshal(answer, &read))
		steps = max(steps, read.Round.Step)
		measure(leafOf(t, read.Receipt).Kind, read.Receipt, pathMax)
	}
	for _, answer := range shared {
		var read struct{ Receipt jsontext.Value }
		noError(t, json.Unmarshal(answer, &read))
		measure(ofShared, read.Receipt, pathMax)
	}
	_, proof := s.retiredPair(answers)
	measure("retired pair", proof, pathMax-1)
	for _, kind := range []string{"round", "round.open", "withdrawal", "deposit", "pair", "retired pair", ofShared} {
		t.Logf("%s: %d bytes at least, at most %d in a large block", kind, least[kind], most[kind])
		if most[kind] == 0 {
			t.Errorf("no receipt is of the kind %s", kind)
		}
	}
	if steps < 50 {
		t.Errorf("the longest open round has %d steps", steps)
	}
}

func leafOf(t *testing.T, sent jsontext.Value) api.ReceiptLeaf {
	t.Helper()
	var r api.Receipt
	noError(t, json.Unmarshal(sent, &r))
	return r.Leaf
}

// retiredPair returns the pair of the first round, which was rotated since, and its receipt.
func (s *seat) retiredPair(answers [][]byte) (seed, receipt jsontext.Value) {
	s.Helper()
	for _, answer := range answers {
		var read struct {
			Round   struct{ ServerSeedHash, ClientSeed, ClientSeedSource string }
			Receipt jsontext.Value
		}
		noError(s.T, json.Unmarshal(answer, &read))
		if leaf := leafOf(s.T, read.Receipt); leaf.PairID != nil {
			code, proof := s.ask(http.MethodGet, "/history/"+*leaf.PairID+"/proof", "")
			var proved struct{ Receipt jsontext.Value }
			noError(s.T, json.Unmarshal(proof, &proved))
			if code != http.StatusOK || !slices.Contains(leafOf(s.T, proved.Receipt).Fields, "retired") {
				s.Fatalf("%d %s", code, proof)
			}
			seed = fmt.Appendf(nil, `{"serverSeedHash":%q,"clientSeed":%q,"clientSeedSource":%q}`, read.Round.ServerSeedHash, read.Round.ClientSeed, read.Round.ClientSeedSource)
			return seed, proved.Receipt
		}
	}
	s.Fatal("no round has ended")
	return nil, nil
}

// enlarged returns a receipt as it is sent with a path of so many hashes, in a block late in the
// ledger, signed by a key with a name as in docs/settings.md.
func enlarged(t *testing.T, sent jsontext.Value, path int) []byte {
	t.Helper()
	var r api.Receipt
	noError(t, json.Unmarshal(sent, &r))
	if same, err := json.Marshal(r); err != nil || len(same) != len(sent) {
		t.Fatalf("%v: %s is not %s", err, same, sent)
	}
	r.Kid, r.Index = "2026-01", 1<<path-1
	r.Path = base64.StdEncoding.EncodeToString(make([]byte, path*sha256.Size))
	for name, value := range map[string]int{"lane": 10, "seq": 1_000_000_000, "size": 1 << path} {
		r.Text = regexp.MustCompile("(?m)^"+name+": .*$").ReplaceAllString(r.Text, fmt.Sprintf("%s: %d", name, value))
	}
	large, err := json.Marshal(r)
	noError(t, err)
	return large
}

// longRounds plays rounds of every game and bound of their payouts with the actions that let
// them go on, so that some are as long as they can be.
func (s *seat) longRounds() (answers [][]byte) {
	bets := []string{`"hilo"`, `"blackjack"`, `"videopoker"`}
	for mines := range 24 {
		bets = append(bets, fmt.Sprintf(`"mines", "config": {"mines": %d}`, mines+1))
	}
	for _, difficulty := range []string{"easy", "medium", "hard"} {
		bets = append(bets, fmt.Sprintf(`"dragontower", "config": {"difficulty": %q}`, difficulty))
	}
	for _, bet := range bets {
		for range 5 {
			answers = append(answers, s.rounds(fmt.Sprintf(`{"gameType": %s, "wager": %d, "token": %q}`, bet, solWagers-1, money.SOL), longest)...)
		}
	}
	return answers
}

// longest returns the index of the choice that lets a round go on for the longest.
func longest(now openRound) (index int) {
	for i, choice := range now.Round.Choices {
		if kind := choice.Action["type"]; kind == "skip" || kind == "split" || kind == "hit" && now.Round.Choices[index].Action["type"] != "split" {
			index = i
		}
	}
	return index
}
