package validator

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Chain is a chain on the real runtime, for one test. Its methods may be called concurrently.
type Chain struct {
	url   string
	now   func() time.Time
	began time.Time
	keys  string // makes this chain's keys different from any other's

	mu     sync.Mutex
	newest uint64
	// passed is the slot that Surfpool has reached.
	passed   uint64
	hashes   map[solana.Hash]uint64 // the slot of each blockhash that was returned
	ofSlot   map[uint64]solana.Hash
	landed   []*landed
	known    map[solana.Signature]*landed
	versions map[string][]version
	made     int
}

// version is an account from a slot on; null if it doesn't exist.
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
	keys        []string        // of the message, then those from lookup tables
	meta        map[string]json.RawMessage
}

func (l *landed) err() json.RawMessage { return l.meta["err"] }

// faucetLamports is the amount from which airdrops are paid.
const faucetLamports = 400_000_000_000_000_000

// Start starts a chain on Surfpool with slots that follow the clock.
func Start(t testing.TB, now func() time.Time) *Chain {
	t.Helper()
	return startOn(t, surfnet, now)
}

// StartLight starts a chain on LiteSVM: the same runtime and programs, without Surfpool's record
// of each instruction, which costs more as the chain grows. Use it for suites of hundreds of
// transactions that name all their accounts: it has no lookup tables and no version 1.
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

// key returns the key of a name on this chain.
func (c *Chain) key(name string) solana.PrivateKey {
	seed := sha256.Sum256([]byte(c.keys + " " + name))
	return solana.PrivateKey(ed25519.NewKeyFromSeed(seed[:]))
}

func (c *Chain) faucet() solana.PrivateKey { return c.key("faucet") }

// rpcError is an error in a JSON-RPC answer.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// surfpool calls Surfpool itself. Its errors are *rpcError.
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

// blockhash returns the blockhash of a slot, which Surfpool makes on first use. The caller holds
// the lock.
func (c *Chain) blockhash(slot uint64) (hash solana.Hash, err error) {
	if known, ok := c.ofSlot[slot]; ok {
		return known, nil
	}
	// Sometimes Surfpool keeps its previous hash: another slot helps.
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

// travel moves Surfpool to a slot.
func (c *Chain) travel(slot uint64) error {
	c.passed = slot
	return c.surfpool(nil, "surfnet_timeTravel", map[string]uint64{"absoluteSlot": slot})
}

// usable reports whether a blockhash may be used in a block after the slot's.
func (c *Chain) usable(hash solana.Hash, slot uint64) bool {
	of, known := c.hashes[hash]
	return known && of <= slot && height(slot)-height(of) <= BlockhashAge
}

// null means no account, no error, or no result.
var null = json.RawMessage("null")

// present reads the current accounts from Surfpool.
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

// Codes of Solana's nodes.
const (
	codeParams             = -32602
	codeInternal           = -32603
	codePreflight          = -32002
	codeSignature          = -32003
	codeUnsupportedVersion = -32015
	codeMinContext         = -32016
)

func invalid(text string) error { return &rpcError{Code: codeParams, Message: text} }

// Handler serves Solana's JSON-RPC, one call per POST.
func (c *Chain) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var asked struct {
			ID     json.RawMessage
			Method string
			Params []json.RawMessage
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": null}
		if err = json.Unmarshal(body, &asked); err == nil {
			if asked.ID != nil {
				answer["id"] = asked.ID
			}
			answer["result"], err = c.answer(asked.Method, asked.Params)
		}
		if err != nil {
			refusal := (*rpcError)(nil)
			if !errors.As(err, &refusal) {
				refusal = &rpcError{Code: codeInternal, Message: err.Error()}
			}
			delete(answer, "result")
			answer["error"] = refusal
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // errors of the client's connection don't matter
	})
}

// params are a call's.
type params []json.RawMessage

// read decodes one; a missing or null one leaves the value as it is.
func (p params) read(at int, into any) error {
	if at >= len(p) || string(p[at]) == "null" {
		return nil
	}
	if err := json.Unmarshal(p[at], into); err != nil {
		return invalid("Invalid params: " + err.Error())
	}
	return nil
}

// view is what most calls may ask for.
type view struct {
	Commitment level   `json:"commitment"`
	MinContext *uint64 `json:"minContextSlot"`
}

// viewed is the slot that a call looks at.
func (c *Chain) viewed(p params, at int) (uint64, error) {
	asked := view{Commitment: finalized}
	if err := p.read(at, &asked); err != nil {
		return 0, err
	}
	if _, known := depths[asked.Commitment]; !known {
		return 0, invalid("Invalid params: unknown commitment")
	}
	slot := c.slotAt(asked.Commitment)
	if asked.MinContext != nil && slot < *asked.MinContext {
		return 0, &rpcError{
			Code: codeMinContext, Message: "Minimum context slot has not been reached", Data: map[string]uint64{"contextSlot": slot},
		}
	}
	return slot, nil
}

// at puts a value into its context.
func at(slot uint64, value any) map[string]any {
	return map[string]any{"context": map[string]any{"slot": slot, "apiVersion": "4.1.2"}, "value": value}
}

// methods are what is answered here; all else is Surfpool's own answer.
var methods = map[string]func(*Chain, params) (any, error){
	"getSlot":                (*Chain).getSlot,
	"getBlockHeight":         (*Chain).getBlockHeight,
	"getBlockTime":           (*Chain).getBlockTime,
	"getLatestBlockhash":     (*Chain).getLatestBlockhash,
	"isBlockhashValid":       (*Chain).isBlockhashValid,
	"getHealth":              func(*Chain, params) (any, error) { return "ok", nil },
	"getFirstAvailableBlock": func(*Chain, params) (any, error) { return 0, nil },
	"minimumLedgerSlot":      func(*Chain, params) (any, error) { return 0, nil },

	"getAccountInfo":         (*Chain).getAccountInfo,
	"getMultipleAccounts":    (*Chain).getMultipleAccounts,
	"getBalance":             (*Chain).getBalance,
	"getTokenAccountBalance": (*Chain).getTokenAccountBalance,

	"getSignatureStatuses":    (*Chain).getSignatureStatuses,
	"getSignaturesForAddress": (*Chain).getSignaturesForAddress,
	"getTransaction":          (*Chain).getTransaction,

	"sendTransaction":     (*Chain).sendTransaction,
	"simulateTransaction": (*Chain).simulateTransaction,
	"requestAirdrop":      (*Chain).requestAirdrop,
}

func (c *Chain) answer(method string, p params) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ours := methods[method]; ours {
		return run(c, p)
	}
	list := make([]any, len(p))
	for i := range p {
		list[i] = p[i]
	}
	var result json.RawMessage
	err := c.surfpool(&result, method, list...)
	return result, err
}

// How the chain settles, as mainnet does but for the length of a slot.
const (
	// SlotDuration is how long a slot lasts.
	SlotDuration = 20 * time.Millisecond
	// FinalityDepth is how many slots after landing a transaction is finalized.
	FinalityDepth = 31
	// BlockhashAge is for how many blocks after its own a blockhash may be used.
	BlockhashAge = 150

	confirmedDepth = 2
	firstSlot      = 1000
	skipEvery      = 20  // the last of so many slots has no block
	recentSlots    = 150 // for which statuses are kept at hand
)

// level is the commitment that a reader asks for.
type level string

const (
	processed level = "processed"
	confirmed level = "confirmed"
	finalized level = "finalized"
)

// depths are how many slots a level lies behind the newest.
var depths = map[level]uint64{processed: 0, confirmed: confirmedDepth, finalized: FinalityDepth}

// skipped reports whether a slot has no block.
func skipped(slot uint64) bool { return slot%skipEvery == skipEvery-1 }

// block is the newest slot up to the given one that has a block.
func block(slot uint64) uint64 {
	if skipped(slot) {
		return slot - 1
	}
	return slot
}

// height counts the blocks before the one in the slot.
func height(slot uint64) uint64 { return slot - slot/skipEvery }

// raw is the slot of the moment, blocks or not. It never goes back.
func (c *Chain) raw() uint64 {
	c.newest = max(c.newest, firstSlot+uint64(max(c.now().Sub(c.began), 0)/SlotDuration))
	return c.newest
}

// slotAt is the slot that a level has reached.
func (c *Chain) slotAt(l level) uint64 { return block(c.raw() - depths[l]) }

// settled is the level that a block in the slot has reached.
func (c *Chain) settled(slot uint64) level {
	for _, l := range []level{finalized, confirmed} {
		if slot <= c.slotAt(l) {
			return l
		}
	}
	return processed
}

// unix is when a slot began, in whole seconds.
func (c *Chain) unix(slot uint64) int64 {
	return c.began.Add(time.Duration(slot-firstSlot) * SlotDuration).Unix()
}
