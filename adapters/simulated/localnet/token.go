package localnet

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"
)

// Errors of the SPL Token program (TokenError).
const (
	tokenNotRentExempt      = 0
	tokenInsufficientFunds  = 1
	tokenInvalidMint        = 2
	tokenMintMismatch       = 3
	tokenOwnerMismatch      = 4
	tokenFixedSupply        = 5
	tokenAlreadyInUse       = 6
	tokenNativeNotSupported = 10
	tokenNonNativeHasTokens = 11
	tokenInvalidInstruction = 12
	tokenInvalidState       = 13
	tokenOverflow           = 14
	tokenAuthorityType      = 15
	tokenMintCannotFreeze   = 16
	tokenAccountFrozen      = 17
	tokenDecimalsMismatch   = 18
	tokenNonNative          = 19
)

// Tags of the instructions that this package sends itself.
const (
	tokenMintTo             = 7
	tokenInitializeAccount3 = 18
	tokenInitializeMint2    = 20
	tokenAccountSize        = 21
	tokenImmutableOwner     = 22
)

// tokenInstruction is one instruction of the SPL Token program: the name it logs,
// the least number of bytes after its tag, and what it does with them.
type tokenInstruction struct {
	name string
	size int
	run  func(f *frame, data []byte) *programError
}

// tokenInstructions are the simulated ones by tag. The gaps are multisignatures
// and the conversions between amounts and text.
var tokenInstructions = map[byte]tokenInstruction{
	0:                       {"InitializeMint", 1 + 32 + 1, withFreezer(withRent(1, initializeMint))},
	1:                       {"InitializeAccount", 0, withRent(3, initializeHolding)},
	3:                       {"Transfer", 8, func(f *frame, data []byte) *programError { return transferTokens(f, amountOf(data), nil) }},
	4:                       {"Approve", 8, func(f *frame, data []byte) *programError { return approve(f, amountOf(data), nil) }},
	5:                       {"Revoke", 0, revoke},
	6:                       {"SetAuthority", 2, setAuthority},
	tokenMintTo:             {"MintTo", 8, func(f *frame, data []byte) *programError { return mintTo(f, amountOf(data), nil) }},
	8:                       {"Burn", 8, func(f *frame, data []byte) *programError { return burn(f, amountOf(data), nil) }},
	9:                       {"CloseAccount", 0, closeHolding},
	10:                      {"FreezeAccount", 0, func(f *frame, _ []byte) *programError { return toggleFreeze(f, true) }},
	11:                      {"ThawAccount", 0, func(f *frame, _ []byte) *programError { return toggleFreeze(f, false) }},
	12:                      {"TransferChecked", 9, func(f *frame, data []byte) *programError { return transferTokens(f, amountOf(data), &data[8]) }},
	13:                      {"ApproveChecked", 9, func(f *frame, data []byte) *programError { return approve(f, amountOf(data), &data[8]) }},
	14:                      {"MintToChecked", 9, func(f *frame, data []byte) *programError { return mintTo(f, amountOf(data), &data[8]) }},
	15:                      {"BurnChecked", 9, func(f *frame, data []byte) *programError { return burn(f, amountOf(data), &data[8]) }},
	16:                      {"InitializeAccount2", 32, withRent(2, initializeHolding)},
	17:                      {"SyncNative", 0, syncNative},
	tokenInitializeAccount3: {"InitializeAccount3", 32, initializeHolding},
	tokenInitializeMint2:    {"InitializeMint2", 1 + 32 + 1, withFreezer(initializeMint)},
	tokenAccountSize:        {"GetAccountDataSize", 0, accountSize},
	tokenImmutableOwner:     {"InitializeImmutableOwner", 0, initializeImmutableOwner},
}

func amountOf(data []byte) uint64 { return binary.LittleEndian.Uint64(data) }

// runToken is the SPL Token program.
func runToken(f *frame) *programError {
	if len(f.data) == 0 {
		return failsWith(tokenInvalidInstruction)
	}
	instruction, known := tokenInstructions[f.data[0]]
	if !known || len(f.data)-1 < instruction.size {
		f.say("Error: Invalid instruction")
		return failsWith(tokenInvalidInstruction)
	}
	f.say("Instruction: %s", instruction.name)
	return instruction.run(f, f.data[1:])
}

// withRent is an instruction of the older kind, which names the rent sysvar.
func withRent(position int, run func(*frame, []byte) *programError) func(*frame, []byte) *programError {
	return func(f *frame, data []byte) *programError {
		sysvar, err := f.account(position)
		if err != nil {
			return err
		}
		if sysvar.key() != solana.SysVarRentPubkey {
			return fails("InvalidArgument")
		}
		return run(f, data)
	}
}

// withFreezer looks at an argument before any account, as the program does: what isn't an
// instruction is refused as such, whatever it names.
func withFreezer(run func(*frame, []byte) *programError) func(*frame, []byte) *programError {
	return func(f *frame, data []byte) *programError {
		if _, ok := optionalArgument(data[33:]); !ok {
			return failsWith(tokenInvalidInstruction)
		}
		return run(f, data)
	}
}

// accountSize takes (mint); its answer, always holdingSize, is what it fails for.
func accountSize(f *frame, _ []byte) *programError {
	minted, err := f.account(0)
	if err != nil {
		return err
	}
	if err := owned(minted); err != nil {
		return err
	}
	if _, err := openMint(minted); err != nil {
		return failsWith(tokenInvalidMint)
	}
	return nil
}

// initializeMint takes (mint).
func initializeMint(f *frame, data []byte) *programError {
	account, err := f.account(0)
	if err != nil {
		return err
	}
	freezer, _ := optionalArgument(data[33:])
	m, err := readMint(account.account.data)
	switch {
	case err != nil:
		return err
	case m.initialized:
		return failsWith(tokenAlreadyInUse)
	case account.lamports < f.bank.chain.rent(mintSize):
		return failsWith(tokenNotRentExempt)
	}
	m = mint{
		authority: optionalKey{present: true, key: solana.PublicKey(data[1:33])}, decimals: data[0], initialized: true, freezer: freezer,
	}
	return account.setData(m.encode())
}

// optionalArgument reads a key after a one-byte tag.
func optionalArgument(data []byte) (optionalKey, bool) {
	switch {
	case data[0] == 0:
		return optionalKey{}, true
	case data[0] == 1 && len(data) >= 33:
		return optionalKey{present: true, key: solana.PublicKey(data[1:33])}, true
	}
	return optionalKey{}, false
}

// initializeHolding takes (account, mint) and the owner as third account or as data.
func initializeHolding(f *frame, data []byte) *programError {
	given, err := f.take(2)
	if err != nil {
		return err
	}
	account, minted := given[0], given[1]
	var owner solana.PublicKey
	if len(data) >= 32 {
		owner = solana.PublicKey(data[:32])
	} else {
		named, err := f.account(2)
		if err != nil {
			return err
		}
		owner = named.key()
	}
	h, err := readHolding(account.account.data)
	reserve := f.bank.chain.rent(holdingSize)
	switch {
	case err != nil:
		return err
	case h.state != uninitialized:
		return failsWith(tokenAlreadyInUse)
	case account.lamports < reserve:
		return failsWith(tokenNotRentExempt)
	}
	h = holding{mint: minted.key(), owner: owner, state: initialized}
	if minted.key() == solana.WrappedSol {
		h.native, h.reserve, h.amount = true, reserve, account.lamports-reserve
	} else {
		if minted.owner != solana.TokenProgramID {
			return fails("IncorrectProgramId")
		}
		if _, err := openMint(minted); err != nil {
			return failsWith(tokenInvalidMint)
		}
	}
	return account.setData(h.encode())
}

// initializeImmutableOwner changes nothing: only Token-2022 can pin an owner.
func initializeImmutableOwner(f *frame, _ []byte) *programError {
	account, err := f.account(0)
	if err != nil {
		return err
	}
	h, err := readHolding(account.account.data)
	if err == nil && h.state != uninitialized {
		err = failsWith(tokenAlreadyInUse)
	}
	f.say("Please upgrade to SPL Token 2022 for immutable owner support")
	return err
}

// signedBy requires that an authority is the expected key and signed.
func signedBy(expected solana.PublicKey, authority handle) *programError {
	if authority.key() != expected {
		return failsWith(tokenOwnerMismatch)
	}
	if !authority.meta.signer {
		return fails("MissingRequiredSignature")
	}
	return nil
}

// owned requires that an account belongs to the token program.
func owned(account handle) *programError {
	if account.owner != solana.TokenProgramID {
		return fails("IncorrectProgramId")
	}
	return nil
}

// checkMint requires that a Checked instruction names the account's mint and its
// decimals.
func checkMint(minted handle, expected solana.PublicKey, decimals byte) *programError {
	if minted.key() != expected {
		return failsWith(tokenMintMismatch)
	}
	m, err := openMint(minted)
	if err == nil && m.decimals != decimals {
		err = failsWith(tokenDecimalsMismatch)
	}
	return err
}

// sum adds two amounts of tokens or lamports.
func sum(a, b uint64) (uint64, *programError) {
	if a > math.MaxUint64-b {
		return 0, failsWith(tokenOverflow)
	}
	return a + b, nil
}
