package localnet

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Solana's limits of one transaction's execution.
const (
	framesMax    = 64       // instructions, including inner ones
	dataMax      = 10 << 20 // bytes of one account
	allocatedMax = 20 << 20 // bytes allocated by one transaction
)

// meta is one account passed to an instruction.
type meta struct {
	index            int // among the transaction's keys
	signer, writable bool
}

// frame is one instruction in progress, top-level or inner.
type frame struct {
	*execution
	program solana.PublicKey
	metas   []meta
	data    []byte
	depth   int
	builtin bool // the program is part of the runtime
}

// innerInstruction is an instruction called by a program, as transactions report it.
type innerInstruction struct {
	Program  int    `json:"programIdIndex"`
	Accounts []int  `json:"accounts"`
	Data     string `json:"data"`
	Depth    int    `json:"stackHeight"`
}

// innerSet holds the instructions called by one top-level instruction.
type innerSet struct {
	Index        int                `json:"index"`
	Instructions []innerInstruction `json:"instructions"`
}

// program is a Go implementation of an on-chain program.
type program struct {
	units   uint64 // a rough constant for one instruction
	builtin bool   // built into the runtime: logs no consumption
	run     func(*frame) *programError
}

// programOf finds a program. Only genesis creates executable accounts, so each is one of
// these.
func programOf(key solana.PublicKey) (program, bool) {
	switch key {
	case solana.SystemProgramID:
		return program{units: 150, builtin: true, run: runSystem}, true
	case solana.ComputeBudget:
		// Its instructions were applied before execution.
		return program{units: 150, builtin: true, run: func(*frame) *programError { return nil }}, true
	case solana.TokenProgramID:
		return program{units: 4_500, run: runToken}, true
	case solana.SPLAssociatedTokenAccountProgramID:
		return program{units: 9_000, run: runAssociated}, true
	case solana.MemoProgramID, solana.MemoProgramIDV1:
		return program{units: 5_000, run: runMemo}, true
	}
	return program{}, false
}

// runInstruction executes the frame's instruction with its logs.
func (f *frame) runInstruction() *programError {
	if f.frames++; f.frames > framesMax {
		return programFailure("MaxInstructionTraceLengthExceeded")
	}
	called, known := programOf(f.program)
	if !known {
		return programFailure("UnsupportedProgramId")
	}
	f.builtin = called.builtin
	f.logf("Program %s invoke [%d]", f.program, f.depth)
	available := f.limit - f.units
	err := f.consumeUnits(called.units)
	if err == nil {
		err = called.run(f)
	}
	if !f.builtin {
		f.logf("Program %s consumed %d of %d compute units", f.program, available-(f.limit-f.units), available)
	}
	if err != nil {
		f.logf("Program %s failed: %s", f.program, err)
		return err
	}
	f.logf("Program %s success", f.program)
	return nil
}

// consumeUnits consumes compute units.
func (f *frame) consumeUnits(units uint64) *programError {
	if units > f.limit-f.units {
		f.units = f.limit
		return programFailure("ComputationalBudgetExceeded")
	}
	f.units += units
	return nil
}

// logf adds a line to the transaction's log.
func (f *frame) logf(format string, args ...any) {
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

// addLogLine adds a line that a program logged.
func (f *frame) addLogLine(format string, args ...any) { f.logf("Program log: "+format, args...) }

// callProgram runs an instruction of another program. Accounts keep the privileges they
// have in this frame; derived, if given, counts as a signer.
func (f *frame) callProgram(target solana.PublicKey, data []byte, derived solana.PublicKey, accounts ...solana.AccountMeta) *programError {
	at := slices.Index(f.transaction.keys, target)
	if at < 0 {
		return programFailure("MissingAccount")
	}
	inner := &frame{execution: f.execution, program: target, data: data, depth: f.depth + 1}
	record := innerInstruction{Program: at, Accounts: []int{}, Data: solana.Base58(data).String(), Depth: inner.depth}
	for _, wanted := range accounts {
		held := meta{index: -1}
		for _, own := range f.metas {
			if f.transaction.keys[own.index] == wanted.PublicKey {
				held.index, held.signer, held.writable = own.index, held.signer || own.signer, held.writable || own.writable
			}
		}
		held.signer = held.signer || wanted.PublicKey == derived
		if held.index < 0 || wanted.IsSigner && !held.signer || wanted.IsWritable && !held.writable {
			f.logf("%s's privilege escalated", wanted.PublicKey)
			return programFailure("PrivilegeEscalation")
		}
		inner.metas = append(inner.metas, meta{index: held.index, signer: wanted.IsSigner, writable: wanted.IsWritable})
		record.Accounts = append(record.Accounts, held.index)
	}
	if last := len(f.inner) - 1; last < 0 || f.inner[last].Index != f.outer {
		f.inner = append(f.inner, innerSet{Index: f.outer})
	}
	set := &f.inner[len(f.inner)-1]
	set.Instructions = append(set.Instructions, record)
	return inner.runInstruction()
}

// handle is an account used by an instruction. Its setters enforce the runtime's rules: a
// program changes only writable accounts, and takes only from accounts it owns.
type handle struct {
	*account
	frame *frame
	meta  meta
}

// accountAt returns the instruction's account at a position. For a missing one the System
// program returns another error than deployed programs.
func (f *frame) accountAt(position int) (handle, *programError) {
	if position >= len(f.metas) {
		if f.program == solana.SystemProgramID {
			return handle{}, programFailure("MissingAccount")
		}
		return handle{}, programFailure("NotEnoughAccountKeys")
	}
	m := f.metas[position]
	return handle{account: f.working[m.index], frame: f, meta: m}, nil
}

// takeAccounts returns the instruction's first accounts.
func (f *frame) takeAccounts(count int) ([]handle, *programError) {
	handles := make([]handle, count)
	for i := range handles {
		var err *programError
		if handles[i], err = f.accountAt(i); err != nil {
			return nil, err
		}
	}
	return handles, nil
}

func (h handle) key() solana.PublicKey { return h.frame.transaction.keys[h.meta.index] }

// countsAsChange reports whether setting an equal value counts as a change. It does for a
// built-in program; the accounts of a deployed one are compared afterwards.
func (h handle) countsAsChange(same bool) bool { return !same || h.frame.builtin }

func (h handle) setLamports(lamports uint64) *programError {
	switch {
	case lamports < h.lamports && h.owner != h.frame.program:
		return programFailure("ExternalAccountLamportSpend")
	case !h.meta.writable && h.countsAsChange(lamports == h.lamports):
		return programFailure("ReadonlyLamportChange")
	}
	h.lamports = lamports
	return nil
}

func (h handle) setData(data []byte) *programError {
	switch {
	case !h.countsAsChange(bytes.Equal(data, h.account.data)):
		return nil
	case !h.meta.writable:
		return programFailure("ReadonlyDataModified")
	case h.owner != h.frame.program:
		return programFailure("ExternalAccountDataModified")
	}
	if grown := len(data) - len(h.account.data); grown > 0 {
		if h.frame.allocated += grown; h.frame.allocated > allocatedMax {
			return programFailure("MaxAccountsDataAllocationsExceeded")
		}
	}
	h.account.data = data
	return nil
}

func (h handle) setOwner(owner solana.PublicKey) *programError {
	if owner == h.owner {
		return nil
	}
	if !h.meta.writable || h.owner != h.frame.program || slices.ContainsFunc(h.account.data, func(b byte) bool { return b != 0 }) {
		return programFailure("ModifiedProgramId")
	}
	h.owner = owner
	return nil
}

// moveLamports moves lamports from one account to another, which may be the same.
func moveLamports(from, to handle, lamports uint64) *programError {
	if from.lamports < lamports {
		return programFailure("InsufficientFunds")
	}
	if err := from.setLamports(from.lamports - lamports); err != nil {
		return err
	}
	if to.lamports > math.MaxUint64-lamports {
		return programFailure("ArithmeticOverflow")
	}
	return to.setLamports(to.lamports + lamports)
}
