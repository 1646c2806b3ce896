package localnet

import (
	"encoding/json"
	"errors"
	"fmt"
)

// programError is the error of a program: a name of Solana's InstructionError, or the
// program's own number under the name Custom.
type programError struct {
	name   string
	custom uint32
}

const custom = "Custom"

// programFailure returns a named program error.
func programFailure(name string) *programError { return &programError{name: name} }

// failsWith returns a program's own error.
func failsWith(code uint32) *programError { return &programError{name: custom, custom: code} }

// Error returns the text that validators log.
func (e *programError) Error() string {
	if e.name == custom {
		return fmt.Sprintf("custom program error: 0x%x", e.custom)
	}
	if text, known := programErrorTexts[e.name]; known {
		return text
	}
	return e.name
}

// programErrorTexts are the texts of the errors that programs here return.
var programErrorTexts = map[string]string{
	"AccountNotExecutable":               "instruction expected an executable account",
	"ComputationalBudgetExceeded":        "Computational budget exceeded",
	"ExternalAccountDataModified":        "instruction modified data of an account it does not own",
	"ExternalAccountLamportSpend":        "instruction spent from the balance of an account it does not own",
	"IllegalOwner":                       "Provided owner is not allowed",
	"IncorrectProgramId":                 "incorrect program id for instruction",
	"InsufficientFunds":                  "insufficient funds for instruction",
	"InvalidAccountData":                 "invalid account data for instruction",
	"InvalidAccountOwner":                "Invalid account owner",
	"InvalidArgument":                    "invalid program argument",
	"InvalidInstructionData":             "invalid instruction data",
	"InvalidSeeds":                       "Provided seeds do not result in a valid address",
	"MaxAccountsDataAllocationsExceeded": "Accounts data allocations exceeded the maximum allowed per transaction",
	"MaxInstructionTraceLengthExceeded":  "Max instruction trace length exceeded",
	"MissingAccount":                     "An account required by the instruction is missing",
	"MissingRequiredSignature":           "missing required signature for instruction",
	"PrivilegeEscalation":                "Cross-program invocation with unauthorized signer or writable account",
	"ProgramFailedToComplete":            "Program failed to complete",
	"ArithmeticOverflow":                 "Program arithmetic overflowed",
	"ModifiedProgramId":                  "instruction illegally modified the program id of an account",
	"NotEnoughAccountKeys":               "insufficient account keys for instruction",
	"ReadonlyDataModified":               "instruction modified data of a read-only account",
	"ReadonlyLamportChange":              "instruction changed the balance of a read-only account",
	"UninitializedAccount":               "instruction requires an initialized account",
	"UnsupportedProgramId":               "Unsupported program id",
}

func (e *programError) MarshalJSON() ([]byte, error) {
	if e.name == custom {
		return json.Marshal(map[string]uint32{custom: e.custom})
	}
	return json.Marshal(e.name)
}

func (e *programError) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &e.name) == nil {
		return nil
	}
	var numbered map[string]uint32
	if err := json.Unmarshal(text, &numbered); err != nil {
		return err
	}
	e.name, e.custom = custom, numbered[custom]
	return nil
}

// transactionError is the reason of a failed transaction, in Solana's formats: a name, or
// InstructionError with the instruction's index and its error, or InsufficientFundsForRent
// and DuplicateInstruction with an index.
type transactionError struct {
	name    string
	index   uint8
	program *programError
}

// Names of transaction errors that carry more than their name.
const (
	instructionFailed      = "InstructionError"
	insufficientForRent    = "InsufficientFundsForRent"
	duplicateInstruction   = "DuplicateInstruction"
	blockhashNotFound      = "BlockhashNotFound"
	alreadyProcessed       = "AlreadyProcessed"
	insufficientForFee     = "InsufficientFundsForFee"
	invalidAccountForFee   = "InvalidAccountForFee"
	accountNotFound        = "AccountNotFound"
	accountLoadedTwice     = "AccountLoadedTwice"
	programAccountNotFound = "ProgramAccountNotFound"
	notExecutable          = "InvalidProgramForExecution"
	invalidLoadedDataSize  = "InvalidLoadedAccountsDataSizeLimit"
)

// transactionErrorTexts are validators' texts.
var transactionErrorTexts = map[string]string{
	blockhashNotFound:      "Blockhash not found",
	alreadyProcessed:       "This transaction has already been processed",
	insufficientForFee:     "Insufficient funds for fee",
	invalidAccountForFee:   "This account may not be used to pay transaction fees",
	accountNotFound:        "Attempt to debit an account but found no record of a prior credit.",
	accountLoadedTwice:     "Account loaded twice",
	programAccountNotFound: "Attempt to load a program that does not exist",
	notExecutable:          "This program may not be used for executing instructions",
	invalidLoadedDataSize:  "LoadedAccountsDataSizeLimit set for transaction must be greater than 0.",
}

// Error returns the text that validators return.
func (e *transactionError) Error() string {
	switch e.name {
	case instructionFailed:
		return fmt.Sprintf("Error processing Instruction %d: %s", e.index, e.program)
	case insufficientForRent:
		return fmt.Sprintf("Transaction results in an account (%d) with insufficient funds for rent", e.index)
	case duplicateInstruction:
		return fmt.Sprintf("Transaction contains a duplicate instruction (%d) that is not allowed", e.index)
	}
	if text, known := transactionErrorTexts[e.name]; known {
		return text
	}
	return e.name
}

func (e *transactionError) MarshalJSON() ([]byte, error) {
	switch e.name {
	case instructionFailed:
		return json.Marshal(map[string][2]any{e.name: {e.index, e.program}})
	case insufficientForRent:
		return json.Marshal(map[string]map[string]uint8{e.name: {"account_index": e.index}})
	case duplicateInstruction:
		return json.Marshal(map[string]uint8{e.name: e.index})
	}
	return json.Marshal(e.name)
}

func (e *transactionError) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &e.name) == nil {
		return nil
	}
	var shaped struct {
		InstructionError         []json.RawMessage
		InsufficientFundsForRent *struct {
			Index uint8 `json:"account_index"`
		}
		DuplicateInstruction *uint8
	}
	if err := json.Unmarshal(text, &shaped); err != nil {
		return err
	}
	switch {
	case len(shaped.InstructionError) == 2:
		e.name, e.program = instructionFailed, new(programError)
		return errors.Join(json.Unmarshal(shaped.InstructionError[0], &e.index), json.Unmarshal(shaped.InstructionError[1], e.program))
	case shaped.InsufficientFundsForRent != nil:
		e.name, e.index = insufficientForRent, shaped.InsufficientFundsForRent.Index
	case shaped.DuplicateInstruction != nil:
		e.name, e.index = duplicateInstruction, *shaped.DuplicateInstruction
	default:
		return fmt.Errorf("localnet: %q is not a transaction error", text)
	}
	return nil
}
