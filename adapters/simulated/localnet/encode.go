package localnet

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

// isVersioned reports whether the message is of version 0 rather than legacy.
func (t *transaction) isVersioned() bool { return t.message.GetVersion() == solana.MessageVersionV0 }

// encodeAs encodes a transaction as getTransaction does; the default encoding is json.
func (t *transaction) encodeAs(encoding string) (any, error) {
	switch encoding {
	case "base64":
		return [2]string{base64.StdEncoding.EncodeToString(t.bytes), encoding}, nil
	case "", "json":
		return map[string]any{"signatures": t.signatures, "message": t.showMessage()}, nil
	}
	return nil, invalidParams("unknown encoding %q", encoding)
}

// showMessage returns the message with its indexes.
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
	if t.isVersioned() {
		shown["addressTableLookups"] = []any{}
	}
	return shown
}
