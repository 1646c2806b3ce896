package localnet

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/gagliardetto/solana-go"
)

// Solana's fees and compute units.
const (
	lamportsPerSignature = 5_000
	unitsPerTransaction  = 1_400_000 // the maximum limit of a transaction
	unitsPerInstruction  = 200_000   // granted for an instruction of a deployed program
	unitsPerBuiltin      = 3_000     // granted for an instruction of a built-in program
	microLamports        = 1_000_000 // per lamport
)

// budget is the compute budget requested by a transaction.
type budget struct {
	limit uint64 // compute units
	price uint64 // micro-lamports a unit
}

// readBudget returns a transaction's compute budget. A duplicate or malformed instruction
// rejects the transaction before it pays its fee.
func readBudget(t *transaction) (budget, *transactionError) {
	var b budget
	var asked [5]bool
	var granted uint64
	for i, instruction := range t.message.Instructions {
		switch t.keys[instruction.ProgramIDIndex] {
		case solana.SystemProgramID:
			granted += unitsPerBuiltin
			continue
		case solana.ComputeBudget:
			granted += unitsPerBuiltin
		default:
			granted += unitsPerInstruction
			continue
		}
		kind, value, ok := budgetInstruction(instruction.Data)
		if !ok {
			return b, &transactionError{name: instructionFailed, index: uint8(i), program: programFailure("InvalidInstructionData")}
		}
		if asked[kind] {
			return b, &transactionError{name: duplicateInstruction, index: uint8(i)}
		}
		asked[kind] = true
		switch kind {
		case setUnitLimit:
			b.limit = value
		case setUnitPrice:
			b.price = value
		case setDataLimit:
			if value == 0 {
				return b, &transactionError{name: invalidLoadedDataSize}
			}
		}
	}
	if !asked[setUnitLimit] {
		b.limit = granted
	}
	b.limit = min(b.limit, unitsPerTransaction)
	return b, nil
}

// Kinds of compute budget instructions; 0 is obsolete.
const (
	requestHeap  = 1
	setUnitLimit = 2
	setUnitPrice = 3
	setDataLimit = 4
)

// budgetInstruction decodes one instruction of the compute budget program.
func budgetInstruction(data []byte) (kind int, value uint64, ok bool) {
	if len(data) == 0 {
		return 0, 0, false
	}
	switch data[0] {
	case requestHeap, setUnitLimit, setDataLimit:
		if len(data) < 5 {
			return 0, 0, false
		}
		value = uint64(binary.LittleEndian.Uint32(data[1:]))
	case setUnitPrice:
		if len(data) < 9 {
			return 0, 0, false
		}
		value = binary.LittleEndian.Uint64(data[1:])
	default:
		return 0, 0, false
	}
	const smallestHeap, largestHeap = 32 << 10, 256 << 10
	if data[0] == requestHeap && (value%1024 != 0 || value < smallestHeap || value > largestHeap) {
		return 0, 0, false
	}
	return int(data[0]), value, true
}

// fee returns a transaction's fee: the base fee of its signatures plus limit times price,
// rounded up to whole lamports.
func (b budget) fee(signatures int) uint64 {
	hi, lo := bits.Mul64(b.limit, b.price)
	lo, carry := bits.Add64(lo, microLamports-1, 0)
	hi += carry
	if hi >= microLamports {
		return math.MaxUint64
	}
	priority, _ := bits.Div64(hi, lo, microLamports)
	total, carry := bits.Add64(priority, uint64(signatures)*lamportsPerSignature, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return total
}
