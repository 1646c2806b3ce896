package validator

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Chain is one chain on the real runtime, of one test alone. Its methods may be
// called concurrently.
type Chain struct {
	url   string
	now   func() time.Time
	began time.Time
	keys  string // makes this chain's keys different from any other's

	mu     sync.Mutex
	newest uint64
	// passed is the slot that Surfpool was brought to.
	passed   uint64
	hashes   map[solana.Hash]uint64 // the slot of each blockhash that was given out
	ofSlot   map[uint64]solana.Hash
	landed   []*landed
	known    map[solana.Signature]*landed
	versions map[string][]version
	made     int
}

// version is an account from a slot on; null when it does not exist.
type version struct {
	slot    uint64
	account json.RawMessage
}

// landed is a transaction in a block.
type landed struct {
	slot        uint64
	signature   solana.Signature
	transaction json.RawMessage // [base64, "base64"]
	version     int             // -1 for legacy
	keys        []string        // of the message, then loaded ones
	meta        map[string]json.RawMessage
}

func (l *landed) err() json.RawMessage { return l.meta["err"] }

// faucetLamports is what airdrops are paid from.
const faucetLamports = 400_000_000_000_000_000

// Start starts a chain on Surfpool whose slots follow the clock.
func Start(t testing.TB, now func() time.Time) *Chain {
	t.Helper()
	return startOn(t, surfnet, now)
}

// StartLight starts a chain on LiteSVM: the same runtime and programs, without
// what Surfpool records of each instruction, whose cost grows with the chain. It
// is for suites of hundreds of transactions, which all name their accounts
// themselves: it knows no lookup tables and no version 1.
func StartLight(t testing.TB, now func() time.Time) *Chain {
	t.Helper()
	return startOn(t, litesvm, now)
}

func startOn(t testing.TB, kind string, now func() time.Time) *Chain {
	t.Helper()
	c := &Chain{
		url: start(t, kind), now: now, began: now(), keys: t.Name(), hashes: map[solana.Hash]uint64{}, ofSlot: map[uint64]solana.Hash{},
		known: map[solana.Signature]*landed{}, versions: map[string][]version{},
	}
	if err := c.surfpool(nil, "surfnet_setAccount", c.faucet().PublicKey(), map[string]any{
		"lamports": uint64(faucetLamports), "owner": solana.SystemProgramID,
	}); err != nil {
		t.Fatalf("filling the faucet: %v", err)
	}
	return c
}

// key is a key of a name on this chain.
func (c *Chain) key(name string) solana.PrivateKey {
	seed := sha256.Sum256([]byte(c.keys + " " + name))
	return solana.PrivateKey(ed25519.NewKeyFromSeed(seed[:]))
}

func (c *Chain) faucet() solana.PrivateKey { return c.key("faucet") }

// rpcError is an error as JSON-RPC answers it.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// surfpool asks Surfpool itself. Errors that it answers are *rpcError.
func (c *Chain) surfpool(result any, method string, params ...any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	answered, err := http.Post(c.url, "application/json", bytes.NewReader(body)) //nolint:gosec // the URL is of our own process
	if err != nil {
		return err
	}
	defer func() { _ = answered.Body.Close() }() // it was only read
	text, err := io.ReadAll(answered.Body)
	if err != nil {
		return err
	}
	var answer struct {
		Result json.RawMessage
		Error  *rpcError
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s: %w: %.200s", method, err, text)
	}
	if answer.Error != nil {
		return answer.Error
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}

// blockhash returns the blockhash of a slot, which Surfpool makes when it is
// first asked for. The caller holds the lock.
func (c *Chain) blockhash(slot uint64) (hash solana.Hash, err error) {
	if known, ok := c.ofSlot[slot]; ok {
		return known, nil
	}
	// Now and then Surfpool keeps the hash that it had: another slot helps.
	const tries = 20
	for range tries {
		if err := c.travel(max(c.passed+1, c.raw())); err != nil {
			return hash, err
		}
		var answer struct {
			Value struct{ Blockhash solana.Hash }
		}
		if err := c.surfpool(&answer, "getLatestBlockhash"); err != nil {
			return hash, err
		}
		hash = answer.Value.Blockhash
		if _, twice := c.hashes[hash]; !twice {
			c.hashes[hash], c.ofSlot[slot] = slot, hash
			return hash, nil
		}
	}
	return hash, fmt.Errorf("blockhash %s was given out before", hash)
}

// travel brings Surfpool to a slot.
func (c *Chain) travel(slot uint64) error {
	c.passed = slot
	return c.surfpool(nil, "surfnet_timeTravel", map[string]uint64{"absoluteSlot": slot})
}

// usable reports whether a blockhash may be used in a block after the slot's.
func (c *Chain) usable(hash solana.Hash, slot uint64) bool {
	of, known := c.hashes[hash]
	return known && of <= slot && height(slot)-height(of) <= BlockhashAge
}

// null is no account, no error, no result.
var null = json.RawMessage("null")

// present reads accounts as Surfpool has them now.
func (c *Chain) present(keys []string) ([]json.RawMessage, error) {
	const most = 100 // of one call
	var all []json.RawMessage
	for len(keys) > 0 {
		part := keys[:min(len(keys), most)]
		keys = keys[len(part):]
		var answer struct{ Value []json.RawMessage }
		if err := c.surfpool(&answer, "getMultipleAccounts", part, map[string]string{"encoding": "base64"}); err != nil {
			return nil, err
		}
		if len(answer.Value) != len(part) {
			return nil, fmt.Errorf("%d of %d accounts", len(answer.Value), len(part))
		}
		all = append(all, answer.Value...)
	}
	return all, nil
}

// account reads an account as it was at a slot. The caller holds the lock.
func (c *Chain) account(key string, slot uint64) (json.RawMessage, error) {
	list, met := c.versions[key]
	if !met {
		all, err := c.present([]string{key})
		if err != nil {
			return nil, err
		}
		return all[0], nil
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].slot <= slot {
			return list[i].account, nil
		}
	}
	return null, nil
}
