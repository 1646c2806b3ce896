package validator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
)

// lamportsPerSignature is the base fee.
const lamportsPerSignature = 5000

// land has Surfpool execute a transaction and keeps what it did. A transaction
// that can't even pay its fee is an error and leaves nothing. The caller holds
// the lock.
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

// executed asks Surfpool what a transaction did. The result is there a moment after it
// was accepted, unless it was refused.
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

// named lists all accounts of a transaction, those from lookup tables last.
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

// remember keeps what accounts held before they were first named.
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

// correct makes the meta what a validator returns, and keeps what the accounts hold
// now.
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

// fee is what a transaction costs: its signatures, and the price of the compute
// units that it asked for.
func fee(tx *solana.Transaction) uint64 {
	const limitTag, priceTag, microLamports, unitsEach = 2, 3, 1_000_000, 200_000
	base := uint64(tx.Message.Header.NumRequiredSignatures) * lamportsPerSignature
	if tx.Message.GetVersion() == solana.MessageVersionV1 {
		return base // no test asks for a priority fee there
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

// read decodes an account, nil when there is none.
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
