package localnet

import (
	"github.com/gagliardetto/solana-go"
)

// associatedCreateIdempotent is the instruction that accepts an existing account; Create is
// 0 or no data.
const associatedCreateIdempotent = 1

// runAssociated runs the Associated Token Account program: Create and CreateIdempotent of
// (payer, account, wallet, mint, system program, token program).
func runAssociated(f *frame) *programError {
	if len(f.data) > 1 || len(f.data) == 1 && f.data[0] > associatedCreateIdempotent {
		return programFailure("InvalidInstructionData")
	}
	idempotent := len(f.data) == 1 && f.data[0] == associatedCreateIdempotent
	f.addLogLine("%s", map[bool]string{false: "Create", true: "CreateIdempotent"}[idempotent])
	given, err := f.takeAccounts(6)
	if err != nil {
		return err
	}
	payer, account, wallet, minted, program := given[0], given[1], given[2], given[3], given[5]
	address, _, derived := solana.FindProgramAddress(
		[][]byte{wallet.key().Bytes(), program.key().Bytes(), minted.key().Bytes()}, solana.SPLAssociatedTokenAccountProgramID)
	if derived != nil || address != account.key() {
		f.addLogLine("Error: Associated address does not match seed derivation")
		return programFailure("InvalidSeeds")
	}
	if program.key() != solana.TokenProgramID {
		return programFailure("IncorrectProgramId")
	}
	if idempotent && account.owner == solana.TokenProgramID { // only this instruction can create an account at this address
		return nil
	}
	if account.owner != solana.SystemProgramID {
		return programFailure("IllegalOwner")
	}
	if err := f.callProgram(solana.TokenProgramID, []byte{tokenAccountSize}, solana.PublicKey{}, *solana.Meta(minted.key())); err != nil {
		return err
	}
	if err := fundAccount(f, payer, account); err != nil {
		return err
	}
	f.addLogLine("Initialize the associated token account")
	if err := f.callProgram(solana.TokenProgramID, []byte{tokenImmutableOwner}, solana.PublicKey{}, *solana.Meta(account.key()).WRITE()); err != nil {
		return err
	}
	return f.callProgram(solana.TokenProgramID, append([]byte{tokenInitializeAccount3}, wallet.key().Bytes()...), solana.PublicKey{},
		*solana.Meta(account.key()).WRITE(), *solana.Meta(minted.key()))
}

// fundAccount gives the derived address its rent and its data; lamports already there count
// towards the rent.
func fundAccount(f *frame, payer, account handle) *programError {
	minimum := f.bank.chain.rentExemptMinimum(holdingSize)
	from, to := *solana.Meta(payer.key()).WRITE().SIGNER(), *solana.Meta(account.key()).WRITE().SIGNER()
	system, token := solana.SystemProgramID, solana.TokenProgramID.Bytes()
	if account.lamports == 0 {
		return f.callProgram(system, append(encodeInstruction(systemCreateAccount, minimum, holdingSize), token...), account.key(), from, to)
	}
	if account.lamports < minimum {
		data := encodeInstruction(systemTransfer, minimum-account.lamports)
		if err := f.callProgram(system, data, solana.PublicKey{}, from, *solana.Meta(account.key()).WRITE()); err != nil {
			return err
		}
	}
	if err := f.callProgram(system, encodeInstruction(systemAllocate, holdingSize), account.key(), to); err != nil {
		return err
	}
	return f.callProgram(system, append(encodeInstruction(systemAssign), token...), account.key(), to)
}
