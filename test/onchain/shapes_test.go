package onchain_test

import (
	"encoding/binary"

	sol "github.com/gagliardetto/solana-go"
	lookuptable "github.com/gagliardetto/solana-go/programs/address-lookup-table"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/token"
)

// paid is the amount of a payment of the shapes, unless it says otherwise.
const paid = 5_000_000

// pays returns the instructions of an honest payment.
func (s *stage) pays(p person, terms token.Terms, units uint64) []sol.Instruction {
	return []sol.Instruction{s.paying(terms, p.PublicKey(), units)}
}

func keysOf(people ...person) (keys []sol.PrivateKey) {
	for _, p := range people {
		keys = append(keys, p.PrivateKey)
	}
	return keys
}

// plain is a simple payment of a token.
func plain(terms func(*stage) token.Terms, arrives uint64) func(*stage) (string, []claim) {
	return func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		of := terms(s)
		signature := s.do(s.pays(alice, of, paid), alice.PrivateKey)
		return signature, []claim{
			{bob, of, rejected(deposit.NotSender)}, {alice, of, credited(amountOf(arrives))}, {bob, of, rejected(deposit.NotSender)},
		}
	}
}

func solTerms(s *stage) token.Terms { return s.sol }
func usdTerms(s *stage) token.Terms { return s.usd }
func feeTerms(s *stage) token.Terms { return s.fee }

var honestShapes = []shape{
	{"native SOL", plain(solTerms, paid)},
	{"an SPL token", plain(usdTerms, paid)},
	{"a Token-2022 token with a fee counts what arrives", plain(feeTerms, paid-paid/100)},
	{"the unchecked transfer of old", func(s *stage) (string, []claim) {
		alice := s.join()
		house := account(s.treasury.PublicKey(), s.usd)
		signature := s.do([]sol.Instruction{
			spltoken.NewTransferInstruction(paid, account(alice.PublicKey(), s.usd), house, alice.PublicKey(), nil).Build(),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, credited(paid)}}
	}},
	{"three transfers in one transaction", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do([]sol.Instruction{
			s.paying(s.usd, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), paid+1), s.paying(s.usd, alice.PublicKey(), paid+2),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, credited(3*paid + 3)}}
	}},
	{"two tokens in one transaction", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			s.paying(s.sol, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), paid+7), s.paying(s.fee, alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{
			{alice, s.usd, credited(paid + 7)}, {alice, s.sol, credited(paid)}, {alice, s.fee, credited(paid - paid/100)},
			{bob, s.usd, rejected(deposit.NotSender)},
		}
	}},
	{"one token paid, another claimed", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do(s.pays(alice, s.usd, paid), alice.PrivateKey)
		return signature, []claim{
			{alice, s.fee, rejected(deposit.NoCredit)}, {alice, s.sol, rejected(deposit.NoCredit)}, {alice, s.usd, credited(paid)},
		}
	}},
	{"less than the smallest deposit", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do(s.pays(alice, s.usd, minDeposit-1), alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.BelowMinimum)}}
	}},
	{"nothing at all", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do(s.pays(alice, s.usd, 0), alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.NoCredit)}}
	}},
	{"a transaction that failed", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.failing([]sol.Instruction{
			s.paying(s.usd, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), fortune),
		}, alice.PrivateKey)
		return signature, []claim{
			{alice, s.usd, rejected(deposit.TransactionFailed)}, {alice, s.sol, rejected(deposit.TransactionFailed)},
		}
	}},
	{"SOL in a transaction that failed", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.failing([]sol.Instruction{
			s.paying(s.sol, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), 2*fortune),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.sol, rejected(deposit.TransactionFailed)}}
	}},
}

// table makes a lookup table of addresses, ready for use.
func (s *stage) table(by person, addresses ...sol.PublicKey) map[sol.PublicKey]sol.PublicKeySlice {
	s.Helper()
	s.slots(2)
	s.airdrop(by.PublicKey(), 1) // brings the runtime to the newest slot
	create, at, err := lookuptable.NewCreateLookupTableInstruction(by.PublicKey(), by.PublicKey(), s.chain.Slot()-1)
	noError(s, err)
	s.do([]sol.Instruction{
		create.Build(), lookuptable.NewExtendLookupTableInstruction(at, by.PublicKey(), by.PublicKey(), addresses).Build(),
	}, by.PrivateKey)
	s.slots(2)
	return map[sol.PublicKey]sol.PublicKeySlice{at: addresses}
}

// looked is a payment that names the treasury only in a lookup table.
func looked(terms func(*stage) token.Terms, arrives uint64) func(*stage) (string, []claim) {
	return func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		of, house := terms(s), s.treasury.PublicKey()
		tables := s.table(alice, mintOf(of), account(house, s.usd), house, account(house, s.fee), sol.MemoProgramID)
		signature := s.land(s.built(s.pays(alice, of, paid), keysOf(alice),
			sol.TransactionMessageVersion(sol.MessageVersionV0), sol.TransactionAddressTables(tables)))
		return signature, []claim{{bob, of, rejected(deposit.NotSender)}, {alice, of, credited(amountOf(arrives))}}
	}
}

// versioned is a payment in a transaction of a version.
func versioned(version sol.MessageVersion, terms func(*stage) token.Terms) func(*stage) (string, []claim) {
	return func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		of := terms(s)
		options := []sol.TransactionOption{sol.TransactionMessageVersion(version)}
		if version == sol.MessageVersionV1 {
			options = append(options, sol.TransactionV1Config(sol.TransactionConfig{}.WithComputeUnitLimit(200_000).
				WithLoadedAccountsDataSizeLimit(1<<20)))
		}
		signature := s.land(s.built(s.pays(alice, of, paid), keysOf(alice), options...))
		return signature, []claim{{bob, of, rejected(deposit.NotSender)}, {alice, of, credited(paid)}}
	}
}

var encodedShapes = []shape{
	{"SOL to an address that a lookup table names", looked(solTerms, paid)},
	{"a token to an account that a lookup table names", looked(usdTerms, paid)},
	{"a Token-2022 token to an account that a lookup table names", looked(feeTerms, paid-paid/100)},
	{"version 0 without a table", versioned(sol.MessageVersionV0, usdTerms)},
	{"version 1, SOL", versioned(sol.MessageVersionV1, solTerms)},
	{"version 1, a token", versioned(sol.MessageVersionV1, usdTerms)},
	{"a batch, in which no transfer can be seen from outside", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			batch(s.paying(s.usd, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), paid)),
		}, alice.PrivateKey)
		return signature, []claim{{bob, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, credited(2 * paid)}}
	}},
}

// batch wraps instructions of the token program into one of its own.
func batch(parts ...sol.Instruction) sol.Instruction {
	const number = 255
	data := []byte{number}
	var accounts sol.AccountMetaSlice
	for _, part := range parts {
		inner, err := part.Data()
		if err != nil {
			panic(err)
		}
		data = append(data, byte(len(part.Accounts())), byte(len(inner)))
		data = append(data, inner...)
		accounts = append(accounts, part.Accounts()...)
	}
	return sol.NewInstruction(sol.TokenProgramID, accounts, data)
}

// memo returns a memo instruction.
func memo(text string) sol.Instruction {
	return sol.NewInstruction(sol.MemoProgramID, nil, []byte(text))
}

// feeChecked is Token-2022's transfer that names its fee.
func feeChecked(from, mint, to, by sol.PublicKey, units, fee uint64) sol.Instruction {
	data := binary.LittleEndian.AppendUint64([]byte{26, 1}, units)
	data = binary.LittleEndian.AppendUint64(append(data, decimals), fee)
	return sol.NewInstruction(sol.Token2022ProgramID, sol.AccountMetaSlice{
		sol.Meta(from).WRITE(), sol.Meta(mint), sol.Meta(to).WRITE(), sol.Meta(by).SIGNER(),
	}, data)
}
