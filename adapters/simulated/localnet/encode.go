package localnet

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

// versioned reports whether the message is of version 0 rather than legacy.
func (t *transaction) versioned() bool { return t.message.GetVersion() == solana.MessageVersionV0 }

// show encodes a transaction as getTransaction does; json unless named otherwise.
func (t *transaction) show(encoding string) (any, error) {
	switch encoding {
	case "base64":
		return [2]string{base64.StdEncoding.EncodeToString(t.bytes), encoding}, nil
	case "base58":
		return [2]string{base58.Encode(t.bytes), encoding}, nil
	case "binary":
		return base58.Encode(t.bytes), nil
	case "", "json":
		return map[string]any{"signatures": t.signatures, "message": t.showMessage()}, nil
	case "jsonParsed":
		return map[string]any{"signatures": t.signatures, "message": t.parseMessage()}, nil
	}
	return nil, invalid("unknown encoding %q", encoding)
}

// showMessage is the message with its indexes.
func (t *transaction) showMessage() map[string]any {
	instructions := make([]any, len(t.message.Instructions))
	for i, instruction := range t.message.Instructions {
		accounts := make([]int, len(instruction.Accounts))
		for j, index := range instruction.Accounts {
			accounts[j] = int(index)
		}
		instructions[i] = map[string]any{
			"programIdIndex": instruction.ProgramIDIndex, "accounts": accounts, "data": base58.Encode(instruction.Data), "stackHeight": 1,
		}
	}
	h := t.message.Header
	shown := map[string]any{
		"header": map[string]uint8{
			"numRequiredSignatures":       h.NumRequiredSignatures,
			"numReadonlySignedAccounts":   h.NumReadonlySignedAccounts,
			"numReadonlyUnsignedAccounts": h.NumReadonlyUnsignedAccounts,
		},
		"accountKeys": t.keys, "recentBlockhash": t.message.RecentBlockhash, "instructions": instructions,
	}
	if t.versioned() {
		shown["addressTableLookups"] = []any{}
	}
	return shown
}

// parseMessage is the message with its addresses; memos are parsed, the rest is
// what a node shows of a program it has no parser for.
func (t *transaction) parseMessage() map[string]any {
	keys := make([]any, len(t.keys))
	for i, key := range t.keys {
		keys[i] = map[string]any{"pubkey": key, "signer": t.signs(i), "writable": t.writable[i], "source": "transaction"}
	}
	instructions := make([]any, len(t.message.Instructions))
	for i, instruction := range t.message.Instructions {
		program := t.keys[instruction.ProgramIDIndex]
		if (program == solana.MemoProgramID || program == solana.MemoProgramIDV1) && utf8.Valid(instruction.Data) {
			instructions[i] = map[string]any{
				"program": "spl-memo", "programId": program, "parsed": string(instruction.Data), "stackHeight": 1,
			}
			continue
		}
		accounts := make([]solana.PublicKey, len(instruction.Accounts))
		for j, index := range instruction.Accounts {
			accounts[j] = t.keys[index]
		}
		instructions[i] = map[string]any{
			"programId": program, "accounts": accounts, "data": base58.Encode(instruction.Data), "stackHeight": 1,
		}
	}
	shown := map[string]any{"accountKeys": keys, "recentBlockhash": t.message.RecentBlockhash, "instructions": instructions}
	if t.versioned() {
		shown["addressTableLookups"] = []any{}
	}
	return shown
}
