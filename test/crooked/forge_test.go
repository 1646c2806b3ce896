package crooked_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// chain is a ledger that the house writes beside its own: a block for each answer. All of it
// is signed with the house's key, and its blocks follow one another.
type chain struct {
	mu       sync.Mutex
	seq      int64
	previous string
}

// sign replaces the receipt of an answer by one of the answer as it is now.
func (h *house) sign(e *exchange, on *chain) {
	if e.is("GET /account/solvency") && e.got["signed"] != nil {
		h.signWithoutHeads(e)
	}
	if e.got["receipt"] == nil || e.is("GET /public/limits") { // which is no answer of a block
		return
	}
	on.mu.Lock()
	defer on.mu.Unlock()
	e.got.within("receipt", func(receipt object) {
		var leaf encoding
		receipt.within("leaf", func(of object) {
			if of.text("kind") == "round" {
				leaf = roundLeaf(e.wallet, objectOf(e.got["round"]), of, e.got.number("balance"))
			} else {
				leaf = eventLeaf(e, of)
			}
		})
		if on.previous == "" {
			on.previous = strings.Repeat("0", 64)
		}
		on.seq++
		header := fmt.Sprintf("casino block 3\nlane: 0\nseq: %d\nepoch: 1\nprevious: %s\ntime: %d\nroot: %x\nsize: 1\n",
			on.seq, on.previous, h.now().UnixMicro(), sha256.Sum256(append([]byte{0}, leaf...)))
		hash := sha256.Sum256([]byte(header))
		on.previous = hex.EncodeToString(hash[:])
		signed, err := h.keys.SignText("casino receipt 1\nledger: " + h.ledger + "\n" + header)
		must(err)
		receipt.set("text", signed.Text)
		receipt.set("kid", signed.Key)
		receipt.set("signature", base64.StdEncoding.EncodeToString(signed.Signature))
		receipt.set("index", 0)
		receipt.set("path", "")
	})
}

// signWithoutHeads takes from a statement which blocks it is of: they are of the other ledger.
func (h *house) signWithoutHeads(e *exchange) {
	e.got.within("signed", func(signed object) {
		text := regexp.MustCompile("head: .*\n").ReplaceAllString(signed.text("statement"), "")
		made, err := h.keys.SignText(text)
		must(err)
		signed["signature"] = textOf(base64.StdEncoding.EncodeToString(made.Signature))
		signed.set("statement", text)
	})
}

// roundLeaf returns the leaf of an ended round, and corrects what the receipt has of it.
func roundLeaf(wallet string, round, of object, balance int64) (e encoding) {
	shown, ok := new(big.Rat).SetString(string(round["multiplier"]))
	said, ok2 := new(big.Rat).SetString(of.text("multiplier"))
	if !ok || !ok2 {
		panic("a multiplier is no number")
	}
	if apart := new(big.Rat).Sub(shown, said); apart.Abs(apart).Cmp(big.NewRat(1, 1_000_000_000)) > 0 {
		of.set("multiplier", shown.String())
	}
	numerator, denominator := fraction(of.text("multiplier"))
	of.set("balance", balance)
	if micros := of.number("time"); micros/1000 != round.number("createdAt") {
		of.set("time", round.number("createdAt")*1000)
	}
	void := int64(0)
	if round["outcome"].Kind() == 'n' {
		void = 1
	}
	e.texts("round", round.text("id"), wallet, of.text("agentCode"), round.text("gameType"), round.text("rules"), round.text("token"))
	e.integers(round.number("wager"), round.number("payout"), numerator, denominator)
	e.value(round["config"])
	e.value(round["outcome"])
	e.integers(void)
	e.texts(of.text("pairId"), round.text("serverSeedHash"), round.text("clientSeed"))
	e.integers(int64(slices.Index([]string{"server", "player", "repeated"}, round.text("clientSeedSource"))), round.number("nonce"), balance, of.number("time"))
	e.value(round["actions"])
	return e
}

func fraction(text string) (numerator, denominator int64) {
	_, err := fmt.Sscanf(text, "%d/%d", &numerator, &denominator)
	must(err)
	return numerator, denominator
}

// eventFields are the fields of events in their order, each with the member of the answer that
// has it; one without a member is in the leaf.
var eventFields = map[string][][2]string{
	"round.open": {
		{"agent"}, {"game", "gameType"}, {"rules", "rules"}, {"token", "token"}, {"wager", "wager"}, {"stake", "stake"}, {"config", "config"},
		{"asked", "asked"}, {"maxPayout", "maxPayout"}, {"pair"}, {"commitment", "serverSeedHash"}, {"clientSeed", "clientSeed"},
		{"clientSource", "clientSeedSource"}, {"nonce", "nonce"}, {"actions", "actions"}, {"shown", "shown"}, {"choices", "choices"},
		{"maxMultiplierNum"}, {"maxMultiplierDen"}, {"exposure"}, {"openedAt"}, {"touchedAt"},
	},
	"pair": {
		{"state"}, {"commitment", "serverSeedHash"}, {"clientSeed", "clientSeed"}, {"clientSource", "clientSeedSource"}, {"next"}, {"epoch"},
		{"revealed"}, {"rounds"}, {"since"},
	},
}

// eventLeaf encodes the leaf of the answer's event from the answer's present members.
func eventLeaf(e *exchange, of object) (data encoding) {
	kind := of.text("kind")
	thing := objectOf(e.got[map[string]string{"round.open": "round", "pair": "seed"}[kind]])
	id := of
	if kind == "round.open" {
		id = thing
	}
	var own []string
	must(json.Unmarshal(of["fields"], &own))
	var fields [][2]string
	for _, field := range eventFields[kind] {
		value := ""
		if member := field[1]; member == "" {
			value, own = own[0], own[1:]
		} else if value = fieldOf(thing[member], member); value == "0" && member != "nonce" {
			value = ""
		}
		if value != "" {
			fields = append(fields, [2]string{field[0], value})
		}
	}
	data.texts("event", kind, id.text("id"), e.wallet, of.text("was"))
	data.integers(int64(len(fields)))
	for _, field := range fields {
		data.texts(field[:]...)
	}
	return data
}

// fieldOf returns a member as the field of an event.
func fieldOf(v jsontext.Value, member string) string {
	if v.Kind() == '"' && !slices.Contains([]string{"config", "asked", "shown"}, member) {
		return object{"": v}.text("")
	}
	return written(v)
}
