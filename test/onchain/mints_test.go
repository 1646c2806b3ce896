package onchain_test

import (
	"slices"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"
	token2022 "github.com/gagliardetto/solana-go/programs/token-2022"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

// extension initializes one extension of a mint before the mint itself.
type extension struct {
	name   string
	number token.Extension
	size   int // of its data
	begin  func(s *stage, mint sol.PublicKey) sol.Instruction
}

// transferFee takes one in a hundred of each transfer, at most 1,000,000.
var transferFee = extension{"transfer fee", token.TransferFeeConfig, 108, func(s *stage, mint sol.PublicKey) sol.Instruction {
	by := s.authority.PublicKey()
	return token2022.NewInitializeTransferFeeConfigInstruction(&by, &by, 100, 1_000_000, mint).Build()
}}

// refusedExtensions are those that could reverse, lock or hide a deposit.
var refusedExtensions = []extension{
	{"close authority", 3, 32, func(s *stage, mint sol.PublicKey) sol.Instruction {
		return token2022.NewInitializeMintCloseAuthorityInstruction(s.authority.PublicKey(), mint).Build()
	}},
	{"default frozen", 6, 1, func(_ *stage, mint sol.PublicKey) sol.Instruction {
		return token2022.NewInitializeDefaultAccountStateInstruction(token2022.AccountStateFrozen, mint).Build()
	}},
	{"permanent delegate", 12, 32, func(s *stage, mint sol.PublicKey) sol.Instruction {
		return token2022.NewInitializePermanentDelegateInstruction(s.authority.PublicKey(), mint).Build()
	}},
	{"transfer hook", 14, 64, func(s *stage, mint sol.PublicKey) sol.Instruction {
		return initializing(mint, []byte{36, 0}, s.authority.PublicKey().Bytes(), sol.MemoProgramID.Bytes())
	}},
	{"pausable", 26, 33, func(s *stage, mint sol.PublicKey) sol.Instruction {
		return initializing(mint, []byte{44, 0}, s.authority.PublicKey().Bytes())
	}},
	{"confidential transfers", 4, 65, func(s *stage, mint sol.PublicKey) sol.Instruction {
		const automatic = 1
		return initializing(mint, []byte{27, 0}, s.authority.PublicKey().Bytes(), []byte{automatic}, make([]byte, sol.PublicKeyLength))
	}},
	{"interest", 10, 52, func(s *stage, mint sol.PublicKey) sol.Instruction {
		return initializing(mint, []byte{33, 0}, s.authority.PublicKey().Bytes(), []byte{244, 1})
	}},
}

// initializing returns an instruction of an extension: its number, that of its first instruction,
// and its data.
func initializing(mint sol.PublicKey, parts ...[]byte) sol.Instruction {
	return sol.NewInstruction(sol.Token2022ProgramID, sol.AccountMetaSlice{sol.Meta(mint).WRITE()}, slices.Concat(parts...))
}

// extendedMint makes a Token-2022 mint with extensions.
func (s *stage) extendedMint(name string, extensions ...extension) money.Token {
	s.Helper()
	const plain, base, header = 82, 166, 4
	key, by := sol.PrivateKey(fakes.Key("mint "+name)), s.authority.PublicKey()
	space := base
	if len(extensions) == 0 {
		space = plain
	}
	var begin []sol.Instruction
	for _, e := range extensions {
		space += header + e.size
		begin = append(begin, e.begin(s, key.PublicKey()))
	}
	const plenty = 100_000_000
	all := []sol.Instruction{
		system.NewCreateAccountInstruction(plenty, uint64(space), sol.Token2022ProgramID, by, key.PublicKey()).Build(),
	}
	all = append(all, begin...)
	start := spltoken.NewInitializeMint2Instruction(decimals, by, by, key.PublicKey()).Build()
	s.do(append(all, under(token.Terms{Program: token.Token2022}, start)), s.authority, key)
	return money.Token(key.PublicKey().String())
}

// TestMintsAreJudgedByTheirExtensions reads real mints with each extension.
func TestMintsAreJudgedByTheirExtensions(t *testing.T) {
	t.Parallel()
	s := newStageOn(t, planted{}, validator.StartLight)
	check := func(terms token.Terms, extensions ...token.Extension) error {
		t.Helper()
		mint, err := s.node.Mint(t.Context(), terms)
		noError(t, err)
		if len(mint.Extensions) != len(extensions) || mint.Program != terms.Program || mint.Decimals != terms.Decimals {
			t.Fatalf("%+v, want extensions %v", mint, extensions)
		}
		for i := range extensions {
			if mint.Extensions[i] != extensions[i] {
				t.Fatalf("%+v, want extensions %v", mint, extensions)
			}
		}
		return terms.CheckMint(mint)
	}
	plain := s.extendedMint("plain")
	made := map[string]money.Token{}
	for _, e := range refusedExtensions {
		made[e.name] = s.extendedMint(e.name, e)
	}
	s.finalize()
	for _, terms := range []token.Terms{s.usd, termsOf(plain, "PLAIN", decimals, token.Token2022)} {
		if err := check(terms); err != nil {
			t.Error(err)
		}
	}
	if err := check(s.fee, token.TransferFeeConfig); err != nil {
		t.Error(err)
	}
	for _, e := range refusedExtensions {
		if err := check(termsOf(made[e.name], "X", decimals, token.Token2022), e.number); err == nil {
			t.Errorf("a mint with %s is accepted", e.name)
		}
	}
	wrong := s.usd
	wrong.Decimals++
	if mint, err := s.node.Mint(t.Context(), wrong); err != nil || wrong.CheckMint(mint) == nil {
		t.Errorf("%+v, %v", mint, err)
	}
}
