package validator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
)

// lamportsPerSignature is the base fee.
const lamportsPerSignature = 5000

// land makes Surfpool execute a transaction and stores its effects. A transaction that can't even
// pay its fee is an error and leaves nothing. The caller holds the lock.
func (c *Chain) land(tx *solana.Transaction, raw []byte) (*landed, error) {
	slot, signature := c.slotAt(processed), tx.Signatures[0]
	if c.raw() > c.passed {
		if err := c.travel(c.raw()); err != nil {
			return nil, err
		}
	}
	keys, err := c.named(tx)
	if err != nil {
		return nil, err
	}
	if err := c.remember(keys); err != nil {
		return nil, err
	}
	sent := c.surfpool(nil, "sendTransaction", base64.StdEncoding.EncodeToString(raw),
		map[string]any{"encoding": "base64", "skipPreflight": true})
	shown, err := c.executed(signature, sent)
	if err != nil {
		return nil, err
	}
	l := &landed{slot: slot, signature: signature, version: int(tx.Message.GetVersion()) - 1, keys: keys, meta: shown}
	if l.transaction, err = json.Marshal([]string{base64.StdEncoding.EncodeToString(raw), "base64"}); err != nil {
		return nil, err
	}
	if err := c.correct(l, tx); err != nil {
		return nil, err
	}
	c.landed, c.known[signature] = append(c.landed, l), l
	return l, nil
}

// executed returns the effects of a transaction from Surfpool. They are available shortly after
// it was accepted, unless it was refused.
func (c *Chain) executed(signature solana.Signature, sent error) (map[string]json.RawMessage, error) {
	const tries, pause = 500, 2 * time.Millisecond
	for range tries {
		var shown *struct{ Meta map[string]json.RawMessage }
		err := c.surfpool(&shown, "getTransaction", signature, map[string]any{
			"encoding": "base64", "commitment": processed, "maxSupportedTransactionVersion": 1,
		})
		switch {
		case err == nil && shown != nil:
			return shown.Meta, nil
		case sent != nil:
			return nil, sent
		case err != nil:
			return nil, err
		}
		time.Sleep(pause) // allowed: another process, in real time
	}
	return nil, errors.New("nothing was executed by Surfpool")
}

// named returns all accounts of a transaction, those from lookup tables last.
func (c *Chain) named(tx *solana.Transaction) (keys []string, err error) {
	for _, key := range tx.Message.AccountKeys {
		keys = append(keys, key.String())
	}
	var loaded [2][]string // writable, readonly
	for _, lookup := range tx.Message.AddressTableLookups {
		const header = 56 // bytes before the addresses of a table
		all, err := c.present([]string{lookup.AccountKey.String()})
		if err != nil {
			return nil, err
		}
		data, err := dataOf(all[0])
		if err != nil {
			return nil, err
		}
		for side, indexes := range [][]uint8{lookup.WritableIndexes, lookup.ReadonlyIndexes} {
			for _, index := range indexes {
				at := header + int(index)*solana.PublicKeyLength
				if at+solana.PublicKeyLength > len(data) {
					return nil, fmt.Errorf("table %s has no address %d", lookup.AccountKey, index)
				}
				loaded[side] = append(loaded[side], solana.PublicKeyFromBytes(data[at:at+solana.PublicKeyLength]).String())
			}
		}
	}
	return append(append(keys, loaded[0]...), loaded[1]...), nil
}

// remember stores the contents of accounts before they were first named.
func (c *Chain) remember(keys []string) error {
	var fresh []string
	for _, key := range keys {
		if _, met := c.versions[key]; !met {
			fresh = append(fresh, key)
		}
	}
	held, err := c.present(fresh)
	if err != nil {
		return err
	}
	for i, key := range fresh {
		c.versions[key] = []version{{account: held[i]}}
	}
	return nil
}

// correct changes the meta to what a validator returns, and stores the accounts' current
// contents.
func (c *Chain) correct(l *landed, tx *solana.Transaction) error {
	after, err := c.present(l.keys)
	if err != nil {
		return err
	}
	var pre, post []uint64
	for i, key := range l.keys {
		list := c.versions[key]
		before, err := lamportsOf(list[len(list)-1].account)
		if err != nil {
			return err
		}
		left, err := lamportsOf(after[i])
		if err != nil {
			return err
		}
		pre, post = append(pre, before), append(post, left)
		c.versions[key] = append(list, version{slot: l.slot, account: after[i]})
	}
	var held []map[string]json.RawMessage
	if err := json.Unmarshal(l.meta["postTokenBalances"], &held); err != nil {
		return err
	}
	open := []map[string]json.RawMessage{}
	for _, balance := range held {
		var index int
		if err := json.Unmarshal(balance["accountIndex"], &index); err != nil {
			return err
		}
		if post[index] > 0 { // a closed account has nothing left
			open = append(open, balance)
		}
	}
	for name, value := range map[string]any{
		"preBalances": pre, "postBalances": post, "postTokenBalances": open, "fee": fee(tx),
	} {
		if l.meta[name], err = json.Marshal(value); err != nil {
			return err
		}
	}
	return nil
}

// fee returns the cost of a transaction: its signatures, and the price of the compute units that
// it requested.
func fee(tx *solana.Transaction) uint64 {
	const limitTag, priceTag, microLamports, unitsEach = 2, 3, 1_000_000, 200_000
	base := uint64(tx.Message.Header.NumRequiredSignatures) * lamportsPerSignature
	if tx.Message.GetVersion() == solana.MessageVersionV1 {
		return base // no test sets a priority fee there
	}
	var limit, price uint64
	for _, instruction := range tx.Message.Instructions {
		program := tx.Message.AccountKeys[instruction.ProgramIDIndex]
		switch {
		case program != computebudget.ProgramID:
			limit += unitsEach
		case instruction.Data[0] == priceTag:
			price = littleEndian(instruction.Data[1:])
		}
	}
	for _, instruction := range tx.Message.Instructions {
		if tx.Message.AccountKeys[instruction.ProgramIDIndex] == computebudget.ProgramID && instruction.Data[0] == limitTag {
			limit = littleEndian(instruction.Data[1:])
		}
	}
	hi, lo := bits.Mul64(limit, price)
	lo, carry := bits.Add64(lo, microLamports-1, 0)
	quotient, _ := bits.Div64(hi+carry, lo, microLamports)
	return base + quotient
}

func littleEndian(data []byte) (value uint64) {
	for i, b := range data {
		value |= uint64(b) << (8 * i)
	}
	return value
}

// shownAccount is an account in JSON.
type shownAccount struct {
	Lamports   uint64           `json:"lamports"`
	Data       []string         `json:"data"`
	Owner      solana.PublicKey `json:"owner"`
	Executable bool             `json:"executable"`
	RentEpoch  uint64           `json:"rentEpoch"`
	Space      int              `json:"space"`
}

// read decodes an account, nil if there is none.
func read(text json.RawMessage) (*shownAccount, error) {
	var shown *shownAccount
	err := json.Unmarshal(text, &shown)
	return shown, err
}

func lamportsOf(text json.RawMessage) (uint64, error) {
	shown, err := read(text)
	if err != nil || shown == nil {
		return 0, err
	}
	return shown.Lamports, nil
}

func dataOf(text json.RawMessage) ([]byte, error) {
	shown, err := read(text)
	if err != nil || shown == nil || len(shown.Data) != 2 {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shown.Data[0])
}

// transactionMax is the largest accepted transaction; version 1 has more room.
const (
	transactionMax   = 1232
	transactionMaxV1 = 4096
)

// decode decodes a transaction that has all signatures.
func decode(p params) (*solana.Transaction, []byte, error) {
	var text string
	if err := p.read(0, &text); err != nil {
		return nil, nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, nil, invalid("invalid base64 encoding: " + err.Error())
	}
	tx, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, nil, invalid("failed to deserialize: " + err.Error())
	}
	if most := transactionMax; len(raw) > most && (tx.Message.GetVersion() != solana.MessageVersionV1 || len(raw) > transactionMaxV1) {
		return nil, nil, invalid(fmt.Sprintf("too large: %d bytes", len(raw)))
	}
	return tx, raw, nil
}

// preflight is a refusal before sending.
func preflight(message string, reason, logs any) error {
	return &rpcError{
		Code: codePreflight, Message: "Transaction simulation failed: " + message, Data: map[string]any{"err": reason, "logs": logs},
	}
}

// sendTransaction accepts a transaction. One that passes its checks is answered with its
// signature, which does not mean that it lands.
func (c *Chain) sendTransaction(p params) (any, error) {
	tx, raw, err := decode(p)
	if err != nil {
		return nil, err
	}
	if err := tx.VerifySignatures(); err != nil {
		return nil, &rpcError{Code: codeSignature, Message: "Transaction signature verification failure"}
	}
	how := struct {
		Skip       bool  `json:"skipPreflight"`
		Commitment level `json:"preflightCommitment"`
	}{Commitment: finalized}
	if err := p.read(1, &how); err != nil {
		return nil, err
	}
	if !how.Skip {
		if err := c.checked(tx, raw, how.Commitment); err != nil {
			return nil, err
		}
	}
	_, duplicate := c.known[tx.Signatures[0]]
	if duplicate || !c.usable(tx.Message.RecentBlockhash, c.slotAt(processed)) {
		return tx.Signatures[0], nil
	}
	if _, err := c.land(tx, raw); err != nil && errors.As(err, new(*rpcError)) {
		return tx.Signatures[0], nil // it could not pay, and was dropped
	} else if err != nil {
		return nil, err
	}
	return tx.Signatures[0], nil
}

// checked runs the preflight of a transaction.
func (c *Chain) checked(tx *solana.Transaction, raw []byte, l level) error {
	if _, duplicate := c.known[tx.Signatures[0]]; duplicate {
		return preflight("This transaction has already been processed", "AlreadyProcessed", nil)
	}
	if !c.usable(tx.Message.RecentBlockhash, c.slotAt(l)) {
		return preflight("Blockhash not found", "BlockhashNotFound", nil)
	}
	would, err := c.simulated(raw)
	if err != nil {
		return err
	}
	if reason := would["err"]; len(reason) > 0 && string(reason) != "null" {
		return preflight("Error processing Instruction", reason, would["logs"])
	}
	return nil
}

// simulated returns the effects of a transaction on the newest accounts, with any blockhash.
func (c *Chain) simulated(raw []byte) (map[string]json.RawMessage, error) {
	var answer struct{ Value map[string]json.RawMessage }
	err := c.surfpool(&answer, "simulateTransaction", base64.StdEncoding.EncodeToString(raw),
		map[string]any{"encoding": "base64", "sigVerify": false, "replaceRecentBlockhash": true, "commitment": processed})
	return answer.Value, err
}

func (c *Chain) simulateTransaction(p params) (any, error) {
	_, raw, err := decode(p)
	if err != nil {
		return nil, err
	}
	slot, err := c.viewed(p, 1)
	if err != nil {
		return nil, err
	}
	would, err := c.simulated(raw)
	return at(slot, would), err
}

func (c *Chain) requestAirdrop(p params) (any, error) {
	var key solana.PublicKey
	var lamports uint64
	if err := p.read(0, &key); err != nil {
		return nil, err
	}
	if err := p.read(1, &lamports); err != nil {
		return nil, err
	}
	return c.airdrop(key, lamports)
}

// Fault is a failure between a client and its provider. Do returns nil for calls that it doesn't
// affect.
type Fault struct {
	Name string
	Do   func(Call) *Reply
}

// farAhead is beyond every slot of a test.
const farAhead = 50_000_000

// answering replaces the results of some methods.
func answering(results map[string]any) func(Call) *Reply {
	return func(c Call) *Reply {
		if result, spoilt := results[c.Method]; spoilt {
			return c.Result(result)
		}
		return nil
	}
}

// Faults are all of them: missing answers first, then wrong answers that RPC providers have
// given.
var Faults = []Fault{
	{"too many requests", func(Call) *Reply {
		return &Reply{Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": "7"}, Body: []byte("slow down")}
	}},
	{"internal error", func(Call) *Reply { return &Reply{Status: http.StatusInternalServerError} }},
	{"a gateway's page, after the call went through", func(c Call) *Reply {
		c.Pass()
		return &Reply{Status: http.StatusBadGateway, Body: []byte("<html>bad gateway</html>")}
	}},
	{"a page", func(Call) *Reply { return &Reply{Status: http.StatusOK, Body: []byte("<html>maintenance</html>")} }},
	{"cut off", func(c Call) *Reply {
		whole := c.Pass()
		return &Reply{Status: http.StatusOK, Body: whole[:len(whole)/2]}
	}},
	{"dropped", func(Call) *Reply { return &Reply{Drop: true} }},
	{"answer lost", func(c Call) *Reply {
		c.Pass()
		return &Reply{Drop: true}
	}},
	{"accepted and forgotten", func(c Call) *Reply {
		if c.Method != "sendTransaction" {
			return nil
		}
		return c.Result("1111111111111111111111111111111111111111111111111111111111111111")
	}},
	{"behind", func(c Call) *Reply { return c.Refuse(-32005, "Node is behind by 150 slots") }},
	{"stale", answering(map[string]any{
		"getSlot": 900, "getBlockHeight": 900, "getTransaction": nil,
		"getSignatureStatuses": at(900, []any{nil}), "isBlockhashValid": at(900, false),
	})},
	{"a slot for a height", answering(map[string]any{"getBlockHeight": farAhead})},
	{"pruned", answering(map[string]any{
		"getSignatureStatuses": at(farAhead, []any{nil}), "getTransaction": nil, "getFirstAvailableBlock": farAhead,
	})},
	{"the statuses are gone", answering(map[string]any{"getSignatureStatuses": at(farAhead, []any{nil})})},
}
