package localnet

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// memoInvalid is the deployed Memo program's error for invalid UTF-8.
const memoInvalid = "ProgramFailedToComplete"

// runMemo runs the Memo program: it logs UTF-8, and in version 2 requires every account to
// sign.
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

// validPrefix returns the number of bytes before the first invalid UTF-8.
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

// memoOf joins a transaction's memos in the format of getSignaturesForAddress; nil if there
// are none.
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
