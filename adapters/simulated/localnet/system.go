package localnet

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Errors of the System program (SystemError).
const (
	systemAccountInUse  = 0
	systemLacksLamports = 1
	systemBadDataLength = 3
)

// The simulated instructions of the System program.
const (
	systemCreateAccount = 0
	systemAssign        = 1
	systemTransfer      = 2
	systemAllocate      = 8
)

// runSystem runs the System program.
func runSystem(f *frame) *programError {
	if len(f.data) < 4 {
		return programFailure("InvalidInstructionData")
	}
	kind, rest := binary.LittleEndian.Uint32(f.data), f.data[4:]
	words := map[uint32]int{systemCreateAccount: 8 + 8 + 32, systemAssign: 32, systemTransfer: 8, systemAllocate: 8}
	size, known := words[kind]
	if !known || len(rest) < size {
		return programFailure("InvalidInstructionData")
	}
	first, err := f.accountAt(0)
	if err != nil {
		return err
	}
	switch kind {
	case systemAssign:
		return assignOwner(first, solana.PublicKey(rest[:32]))
	case systemAllocate:
		return allocateData(first, binary.LittleEndian.Uint64(rest))
	}
	to, err := f.accountAt(1)
	if err != nil {
		return err
	}
	lamports := binary.LittleEndian.Uint64(rest)
	if kind == systemTransfer {
		return transferLamports(first, to, lamports)
	}
	if to.lamports > 0 {
		f.logf("Create Account: account Address { address: %s, base: None } already in use", to.key())
		return failsWith(systemAccountInUse)
	}
	if err := allocateData(to, binary.LittleEndian.Uint64(rest[8:])); err != nil {
		return err
	}
	if err := assignOwner(to, solana.PublicKey(rest[16:48])); err != nil {
		return err
	}
	return transferLamports(first, to, lamports)
}

// allocateData gives an account data of zero bytes.
func allocateData(of handle, space uint64) *programError {
	switch {
	case !of.meta.signer:
		of.frame.logf("Allocate: 'to' account Address { address: %s, base: None } must sign", of.key())
		return programFailure("MissingRequiredSignature")
	case len(of.account.data) > 0 || of.owner != solana.SystemProgramID:
		of.frame.logf("Allocate: account Address { address: %s, base: None } already in use", of.key())
		return failsWith(systemAccountInUse)
	case space > dataMax:
		of.frame.logf("Allocate: requested %d, max allowed %d", space, dataMax)
		return failsWith(systemBadDataLength)
	}
	return of.setData(make([]byte, space))
}

// assignOwner makes a program the owner of an account.
func assignOwner(of handle, owner solana.PublicKey) *programError {
	if of.owner == owner {
		return nil
	}
	if !of.meta.signer {
		of.frame.logf("Assign: account Address { address: %s, base: None } must sign", of.key())
		return programFailure("MissingRequiredSignature")
	}
	return of.setOwner(owner)
}

// transferLamports runs the System program's Transfer.
func transferLamports(from, to handle, lamports uint64) *programError {
	switch {
	case !from.meta.signer:
		from.frame.logf("Transfer: `from` account %s must sign", from.key())
		return programFailure("MissingRequiredSignature")
	case len(from.account.data) > 0:
		from.frame.logf("Transfer: `from` must not carry data")
		return programFailure("InvalidArgument")
	case lamports > from.lamports:
		from.frame.logf("Transfer: insufficient lamports %d, need %d", from.lamports, lamports)
		return failsWith(systemLacksLamports)
	}
	return moveLamports(from, to, lamports)
}

// encodeInstruction encodes an instruction of the System program: its kind and numbers.
func encodeInstruction(kind uint32, numbers ...uint64) []byte {
	data := binary.LittleEndian.AppendUint32(nil, kind)
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}
