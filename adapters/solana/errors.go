package solana

import (
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// transactionError is the reason of a failed transaction, as far as this package
// distinguishes.
type transactionError struct {
	// Name is set for a failure of the whole transaction, such as
	// "InsufficientFundsForFee".
	Name string
	// Instruction is set for a failure of one instruction.
	Instruction *instructionError
	// Rent is set if an account would keep less than the rent-exempt minimum.
	Rent *struct {
		Index uint8 `json:"account_index"`
	}
}

type instructionError struct {
	Index uint8
	Name  string  // an error of the runtime
	Code  *uint32 // an error of the program
}

// readError reads an error in Solana's formats; false if it has another one.
func readError(raw jsontext.Value) (transactionError, bool) {
	var read transactionError
	if json.Unmarshal(raw, &read.Name) == nil {
		return read, read.Name != ""
	}
	var shaped struct {
		Instruction []jsontext.Value `json:"InstructionError"`
		Rent        *struct {
			Index uint8 `json:"account_index"`
		} `json:"InsufficientFundsForRent"`
	}
	if json.Unmarshal(raw, &shaped) != nil {
		return read, false
	}
	read.Rent = shaped.Rent
	if len(shaped.Instruction) == 2 {
		failure := new(instructionError)
		var custom struct {
			Code *uint32 `json:"Custom"`
		}
		if json.Unmarshal(shaped.Instruction[0], &failure.Index) != nil ||
			json.Unmarshal(shaped.Instruction[1], &failure.Name) != nil && json.Unmarshal(shaped.Instruction[1], &custom) != nil {
			return read, false
		}
		failure.Code = custom.Code
		read.Instruction = failure
	}
	return read, read.Rent != nil || read.Instruction != nil
}

// Errors that a destination's token account can cause.
const codeAccountFrozen, codeNoMemo, codeNonConfidential = 17, 36, 49

// tokenCodes are the errors of the token programs; those from 36 on are Token-2022's.
var tokenCodes = map[uint32]string{
	0: "not rent exempt", 1: "insufficient tokens", 2: "invalid mint", 3: "another mint", 4: "another owner",
	codeAccountFrozen: "account frozen", 18: "other decimals",
	codeNoMemo: "no memo before the transfer", 37: "token not transferable", codeNonConfidential: "non-confidential transfers disabled", 67: "token paused",
}

// codes lists the error texts of the programs that payouts call, by code.
var codes = map[solana.PublicKey]map[uint32]string{
	solana.SystemProgramID:                    {1: "insufficient lamports"},
	solana.TokenProgramID:                     tokenCodes,
	solana.Token2022ProgramID:                 tokenCodes,
	solana.SPLAssociatedTokenAccountProgramID: {0: "the token account has another owner"},
}

// names are the readable names of programs.
var names = map[solana.PublicKey]string{
	solana.SystemProgramID: "system program", solana.TokenProgramID: "token program", solana.Token2022ProgramID: "token program",
	solana.SPLAssociatedTokenAccountProgramID: "associated token account program",
	solana.MemoProgramID:                      "memo program", solana.ComputeBudget: "compute budget program",
}

// describeFailure returns a readable reason why one of our transactions failed.
func describeFailure(raw jsontext.Value, of *solana.Transaction) string {
	read, known := readError(raw)
	switch {
	case !known:
		return clipText(string(raw))
	case read.Rent != nil:
		return fmt.Sprintf("account %d would be left below its rent-exempt minimum", read.Rent.Index)
	case read.Instruction == nil:
		return splitWords(read.Name)
	}
	failure := read.Instruction
	place, meanings := fmt.Sprintf("instruction %d", failure.Index), map[uint32]string(nil)
	if int(failure.Index) < len(of.Message.Instructions) {
		index := of.Message.Instructions[failure.Index].ProgramIDIndex
		if program, err := of.ResolveProgramIDIndex(index); err == nil && names[program] != "" {
			place, meanings = place+" ("+names[program]+")", codes[program]
		}
	}
	if failure.Code == nil {
		return place + ": " + splitWords(failure.Name)
	}
	if meaning, known := meanings[*failure.Code]; known {
		return fmt.Sprintf("%s: %s (error %d)", place, meaning, *failure.Code)
	}
	return fmt.Sprintf("%s: error %d", place, *failure.Code)
}

// splitWords splits a name such as InsufficientFundsForFee into words.
func splitWords(name string) string {
	var text strings.Builder
	for i, letter := range clipText(name) {
		if i > 0 && letter >= 'A' && letter <= 'Z' {
			text.WriteByte(' ')
		}
		text.WriteString(strings.ToLower(string(letter)))
	}
	return text.String()
}
