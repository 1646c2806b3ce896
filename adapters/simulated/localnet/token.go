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
	tokenAlreadyInUse       = 6
	tokenInvalidInstruction = 12
	tokenOverflow           = 14
	tokenDecimalsMismatch   = 18
)

// Tags of the instructions sent by this package.
const (
	tokenMintTo             = 7
	tokenInitializeAccount3 = 18
	tokenInitializeMint2    = 20
	tokenAccountSize        = 21
	tokenImmutableOwner     = 22
)

// tokenInstruction is an instruction of the SPL Token program: the name it logs, the
// minimum number of bytes after its tag, and its function.
type tokenInstruction struct {
	name string
	size int
	run  func(f *frame, data []byte) *programError
}

// tokenInstructions maps tags to the simulated instructions, which create mints and
// accounts, mint and transfer.
var tokenInstructions = map[byte]tokenInstruction{
	3:                       {"Transfer", 8, func(f *frame, data []byte) *programError { return transferTokens(f, amountOf(data), nil) }},
	tokenMintTo:             {"MintTo", 8, mintTo},
	12:                      {"TransferChecked", 9, func(f *frame, data []byte) *programError { return transferTokens(f, amountOf(data), &data[8]) }},
	tokenInitializeAccount3: {"InitializeAccount3", 32, initializeHolding},
	tokenInitializeMint2:    {"InitializeMint2", 1 + 32 + 1, initializeMint},
	tokenAccountSize:        {"GetAccountDataSize", 0, accountSize},
	tokenImmutableOwner:     {"InitializeImmutableOwner", 0, initializeImmutableOwner},
}

func amountOf(data []byte) uint64 { return binary.LittleEndian.Uint64(data) }

// runToken runs the SPL Token program.
func runToken(f *frame) *programError {
	if len(f.data) == 0 {
		return failsWith(tokenInvalidInstruction)
	}
	instruction, known := tokenInstructions[f.data[0]]
	if !known || len(f.data)-1 < instruction.size {
		f.addLogLine("Error: Invalid instruction")
		return failsWith(tokenInvalidInstruction)
	}
	f.addLogLine("Instruction: %s", instruction.name)
	return instruction.run(f, f.data[1:])
}

// accountSize takes (mint). Its result, always holdingSize, is not returned; it only checks
// the mint.
func accountSize(f *frame, _ []byte) *programError {
	minted, err := f.accountAt(0)
	if err != nil {
		return err
	}
	if err := checkTokenOwner(minted); err != nil {
		return err
	}
	if _, err := openMint(minted); err != nil {
		return failsWith(tokenInvalidMint)
	}
	return nil
}

// initializeMint takes (mint).
func initializeMint(f *frame, data []byte) *programError {
	m := mint{authority: solana.PublicKey(data[1:33]), decimals: data[0], initialized: true}
	switch {
	case data[33] == 1 && len(data) >= 66:
		m.freezable, m.freezer = true, solana.PublicKey(data[34:66])
	case data[33] != 0:
		return failsWith(tokenInvalidInstruction)
	}
	account, err := f.accountAt(0)
	if err != nil {
		return err
	}
	before, err := readMint(account.account.data)
	switch {
	case err != nil:
		return err
	case before.initialized:
		return failsWith(tokenAlreadyInUse)
	case account.lamports < f.bank.chain.rentExemptMinimum(mintSize):
		return failsWith(tokenNotRentExempt)
	}
	return account.setData(m.encode())
}

// initializeHolding takes (account, mint) and the owner as data.
func initializeHolding(f *frame, data []byte) *programError {
	given, err := f.takeAccounts(2)
	if err != nil {
		return err
	}
	account, minted := given[0], given[1]
	before, err := readHolding(account.account.data)
	switch {
	case err != nil:
		return err
	case before.initialized:
		return failsWith(tokenAlreadyInUse)
	case account.lamports < f.bank.chain.rentExemptMinimum(holdingSize):
		return failsWith(tokenNotRentExempt)
	}
	if err := checkTokenOwner(minted); err != nil {
		return err
	}
	if _, err := openMint(minted); err != nil {
		return failsWith(tokenInvalidMint)
	}
	return account.setData(holding{mint: minted.key(), owner: solana.PublicKey(data[:32]), initialized: true}.encode())
}

// initializeImmutableOwner changes nothing: only Token-2022 supports immutable owners.
func initializeImmutableOwner(f *frame, _ []byte) *programError {
	account, err := f.accountAt(0)
	if err != nil {
		return err
	}
	h, err := readHolding(account.account.data)
	if err == nil && h.initialized {
		err = failsWith(tokenAlreadyInUse)
	}
	f.addLogLine("Please upgrade to SPL Token 2022 for immutable owner support")
	return err
}

// transferTokens takes (source, [mint], destination, authority); with decimals it is
// TransferChecked.
func transferTokens(f *frame, amount uint64, decimals *byte) *programError {
	count := 3
	if decimals != nil {
		count = 4
	}
	given, err := f.takeAccounts(count)
	if err != nil {
		return err
	}
	source, destination, authority := given[0], given[count-2], given[count-1]
	from, err := openHolding(source)
	if err != nil {
		return err
	}
	to, err := openHolding(destination)
	switch {
	case err != nil:
		return err
	case from.amount < amount:
		f.addLogLine("Error: insufficient funds")
		return failsWith(tokenInsufficientFunds)
	case from.mint != to.mint:
		return failsWith(tokenMintMismatch)
	}
	if decimals != nil {
		if err := checkMint(given[1], from.mint, *decimals); err != nil {
			return err
		}
	}
	if err := signedBy(from.owner, authority); err != nil {
		return err
	}
	toSelf := source.key() == destination.key()
	if toSelf || amount == 0 {
		if err := checkTokenOwner(source); err != nil {
			return err
		}
		if err := checkTokenOwner(destination); err != nil {
			return err
		}
	}
	if toSelf {
		return nil
	}
	from.amount -= amount
	if to.amount, err = addAmounts(to.amount, amount); err != nil {
		return err
	}
	if err := source.setData(from.encode()); err != nil {
		return err
	}
	return destination.setData(to.encode())
}

// mintTo takes (mint, destination, authority).
func mintTo(f *frame, data []byte) *programError {
	given, err := f.takeAccounts(3)
	if err != nil {
		return err
	}
	minted, destination, authority, amount := given[0], given[1], given[2], amountOf(data)
	to, err := openHolding(destination)
	switch {
	case err != nil:
		return err
	case minted.key() != to.mint:
		return failsWith(tokenMintMismatch)
	}
	m, err := openMint(minted)
	if err != nil {
		return err
	}
	if err := signedBy(m.authority, authority); err != nil {
		return err
	}
	if to.amount, err = addAmounts(to.amount, amount); err != nil {
		return err
	}
	if m.supply, err = addAmounts(m.supply, amount); err != nil {
		return err
	}
	for _, account := range []handle{destination, minted} { // even if their bytes don't change
		if err := checkTokenOwner(account); err != nil {
			return err
		}
	}
	if err := destination.setData(to.encode()); err != nil {
		return err
	}
	return minted.setData(m.encode())
}

// signedBy checks that an authority is the expected key and signed.
func signedBy(expected solana.PublicKey, authority handle) *programError {
	if authority.key() != expected {
		return failsWith(tokenOwnerMismatch)
	}
	if !authority.meta.signer {
		return programFailure("MissingRequiredSignature")
	}
	return nil
}

// checkTokenOwner checks that the token program owns an account.
func checkTokenOwner(account handle) *programError {
	if account.owner != solana.TokenProgramID {
		return programFailure("IncorrectProgramId")
	}
	return nil
}

// checkMint checks that a Checked instruction has the account's mint and the mint's
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

// addAmounts adds two amounts of tokens.
func addAmounts(a, b uint64) (uint64, *programError) {
	if a > math.MaxUint64-b {
		return 0, failsWith(tokenOverflow)
	}
	return a + b, nil
}

// Sizes of the SPL Token program's accounts.
const (
	mintSize    = 82
	holdingSize = 165
)

// mint is a token in the SPL Token program's layout. Optional keys have a 4-byte tag first.
type mint struct {
	authority   solana.PublicKey
	supply      uint64
	decimals    uint8
	initialized bool
	freezable   bool
	freezer     solana.PublicKey
}

func (m mint) encode() []byte {
	data := make([]byte, mintSize)
	data[0] = 1
	copy(data[4:], m.authority[:])
	binary.LittleEndian.PutUint64(data[36:], m.supply)
	data[44], data[45] = m.decimals, 1
	if m.freezable {
		data[46] = 1
		copy(data[50:], m.freezer[:])
	}
	return data
}

// readMint decodes a mint that may be uninitialized.
func readMint(data []byte) (mint, *programError) {
	if len(data) != mintSize {
		return mint{}, programFailure("InvalidAccountData")
	}
	return mint{
		authority: solana.PublicKey(data[4:36]), supply: amountOf(data[36:]), decimals: data[44],
		initialized: data[45] != 0, freezable: data[46] != 0, freezer: solana.PublicKey(data[50:82]),
	}, nil
}

// holding is a token account: a wallet's balance of one mint.
type holding struct {
	mint        solana.PublicKey
	owner       solana.PublicKey
	amount      uint64
	initialized bool
}

func (h holding) encode() []byte {
	data := make([]byte, holdingSize)
	copy(data, h.mint[:])
	copy(data[32:], h.owner[:])
	binary.LittleEndian.PutUint64(data[64:], h.amount)
	data[108] = 1
	return data
}

// readHolding decodes a token account that may be uninitialized.
func readHolding(data []byte) (holding, *programError) {
	if len(data) != holdingSize {
		return holding{}, programFailure("InvalidAccountData")
	}
	return holding{
		mint: solana.PublicKey(data[:32]), owner: solana.PublicKey(data[32:64]), amount: amountOf(data[64:]), initialized: data[108] != 0,
	}, nil
}

// openHolding decodes an account that must be an initialized token account.
func openHolding(of handle) (holding, *programError) {
	h, err := readHolding(of.account.data)
	if err == nil && !h.initialized {
		err = programFailure("UninitializedAccount")
	}
	return h, err
}

// openMint decodes an account that must be an initialized mint.
func openMint(of handle) (mint, *programError) {
	m, err := readMint(of.account.data)
	if err == nil && !m.initialized {
		err = programFailure("UninitializedAccount")
	}
	return m, err
}

// holdingOf decodes a stored account; false if it is not an initialized token account.
func holdingOf(stored *account) (holding, bool) {
	if stored == nil || stored.owner != solana.TokenProgramID {
		return holding{}, false
	}
	h, err := readHolding(stored.data)
	return h, err == nil && h.initialized
}

// mintOf decodes a stored account; false if it is not an initialized mint.
func mintOf(stored *account) (mint, bool) {
	if stored == nil || stored.owner != solana.TokenProgramID {
		return mint{}, false
	}
	m, err := readMint(stored.data)
	return m, err == nil && m.initialized
}
