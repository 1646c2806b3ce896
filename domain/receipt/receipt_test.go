package receipt_test

import (
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/receipt"
)

var private = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

func keyNamed(id string) checkpoint.Key {
	public, _ := private.Public().(ed25519.PublicKey)
	return checkpoint.Key{ID: id, Public: public}
}

// issued is a receipt of the second of three rounds of a block.
func issued() receipt.Receipt {
	content := hashchain.Content{
		At: time.UnixMicro(1_795_262_400_123_456).UTC(), Epoch: 1,
		Postings: []ledger.Posting{{Key: ledger.Key{Kind: ledger.Round, ID: "b"}}},
		Rounds:   []bet.Round{{ID: "a", Wager: 10}, {ID: "b", Wager: 20}, {ID: "c", Wager: 30}},
		Events:   []event.Event{{Kind: event.Pair, ID: "p"}},
	}
	block := hashchain.Seal(hashchain.Head{Lane: 2, Seq: 41}, content)
	text := receipt.Text("the ledger", block.Header)
	return receipt.Receipt{
		Inclusion: block.Include(hashchain.Leaf{Round: &content.Rounds[1]}, content.RoundIndex(1)),
		Signed:    checkpoint.Signed{Text: text, Key: "k1", Signature: ed25519.Sign(private, []byte(text))},
	}
}

func TestAReceiptOpensWithItsKey(t *testing.T) {
	t.Parallel()
	ledger, err := issued().Open(keyNamed("k0"), keyNamed("k1"))
	if err != nil || ledger != "the ledger" {
		t.Errorf("%q, %v", ledger, err)
	}
	for name, change := range map[string]func(*receipt.Receipt){
		"no such key":           func(r *receipt.Receipt) { r.Key = "k2" },
		"another signature":     func(r *receipt.Receipt) { r.Signature[0] ^= 1 },
		"another text":          func(r *receipt.Receipt) { r.Text = strings.Replace(r.Text, "lane: 2", "lane: 3", 1) },
		"another block":         func(r *receipt.Receipt) { r.Seq++ },
		"another wager":         func(r *receipt.Receipt) { r.Leaf = hashchain.Leaf{Round: &bet.Round{ID: "b", Wager: 21}} },
		"another place":         func(r *receipt.Receipt) { r.Index++ },
		"a path that is longer": func(r *receipt.Receipt) { r.Path = append(r.Path, r.Path[0]) },
	} {
		changed := issued()
		change(&changed)
		if _, err := changed.Open(keyNamed("k0"), keyNamed("k1")); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSignedTextsReadBack(t *testing.T) {
	t.Parallel()
	made := issued()
	ledger, block, err := receipt.Parse(made.Text)
	if err != nil || ledger != "the ledger" || block != made.Header {
		t.Errorf("%q %+v %v", ledger, block, err)
	}
	for _, change := range [][2]string{
		{"casino receipt 1", "casino receipt 2"}, {"ledger: the ledger", "ledger: "}, {"ledger: ", ""}, {"size: ", ""}, {"casino block 3\n", ""},
	} {
		if _, _, err := receipt.Parse(strings.Replace(made.Text, change[0], change[1], 1)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q for %q: %v", change[1], change[0], err)
		}
	}
}
