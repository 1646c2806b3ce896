package localnet

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// memoInvalid is how the deployed Memo program ends on what is no UTF-8.
const memoInvalid = "ProgramFailedToComplete"

// runMemo is the Memo program: it logs UTF-8, and in version 2 asks every account
// to have signed.
func runMemo(f *frame) *programError {
	if f.program == solana.MemoProgramID {
		for i := range f.metas {
			signer, err := f.accountAt(i)
			if err != nil {
				return err
			}
			if !signer.meta.signer {
				return programFailure("MissingRequiredSignature")
			}
			f.addLogLine("Signed by %s", signer.key())
		}
	}
	if !utf8.Valid(f.data) {
		f.addLogLine("Invalid UTF-8, from byte %d", validPrefix(f.data))
		return programFailure(memoInvalid)
	}
	f.addLogLine("Memo (len %d): %q", len(f.data), f.data)
	return nil
}

// validPrefix is how many bytes come before the first that is no UTF-8.
func validPrefix(data []byte) (length int) {
	for length < len(data) {
		r, size := utf8.DecodeRune(data[length:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		length += size
	}
	return length
}

// memoOf joins a transaction's memos as getSignaturesForAddress shows them, nil
// without any.
func memoOf(t *transaction) *string {
	var memos []string
	for _, instruction := range t.message.Instructions {
		program := t.keys[instruction.ProgramIDIndex]
		if (program == solana.MemoProgramID || program == solana.MemoProgramIDV1) && utf8.Valid(instruction.Data) {
			memos = append(memos, fmt.Sprintf("[%d] %s", len(instruction.Data), string(instruction.Data)))
		}
	}
	if memos == nil {
		return nil
	}
	joined := strings.Join(memos, "; ")
	return &joined
}
