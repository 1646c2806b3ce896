package localnet_test

import (
	"encoding/json"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
)

// bank is a world with one token: its mint's authority, and two wallets with token
// accounts; alice's holds a thousand.
type bank struct {
	*world
	authority, alice, bob solana.PrivateKey
	mint                  solana.PublicKey
	from, to              solana.PublicKey
}

func newBank(t *testing.T) *bank {
	t.Helper()
	b := &bank{world: newWorld(t)}
	b.authority, b.alice, b.bob = b.rich(10*sol), b.rich(10*sol), b.rich(10*sol)
	var err error
	if b.mint, err = b.chain.CreateMint(b.authority, 6); err != nil {
		t.Fatal(err)
	}
	if b.from, err = b.chain.MintTo(b.authority, b.mint, b.alice.PublicKey(), 1_000); err != nil {
		t.Fatal(err)
	}
	b.to = ata(b.bob.PublicKey(), b.mint)
	b.do(list(createATA(b.bob.PublicKey(), b.bob.PublicKey(), b.mint)), b.bob)
	return b
}

func (b *bank) transfer(amount uint64, owner solana.PublicKey) solana.Instruction {
	return token.NewTransferCheckedInstruction(amount, 6, b.from, b.mint, b.to, owner, nil).Build()
}

func instructionError(index int, err any) string {
	text, _ := json.Marshal(map[string]any{"InstructionError": []any{index, err}})
	return string(text)
}

// custom is TokenError's number at the first instruction.
func custom(number int) string { return instructionError(0, map[string]int{"Custom": number}) }

func TestTokenTransfer(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, bob := b.alice.PublicKey(), b.bob.PublicKey()
	b.do(list(b.transfer(300, alice)), b.alice)
	b.tokens(b.from, 700)
	b.tokens(b.to, 300)
	b.do(list(token.NewTransferInstruction(200, b.from, b.to, alice, nil).Build()), b.alice)
	b.tokens(b.to, 500)
	b.do(list(token.NewTransferInstruction(500, b.from, b.from, alice, nil).Build()), b.alice) // to itself
	b.tokens(b.from, 500)

	other, err := b.chain.CreateMint(b.authority, 2)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := b.chain.MintTo(b.authority, other, bob, 5)
	if err != nil {
		t.Fatal(err)
	}
	b.refused(custom(1), list(b.transfer(501, alice)), b.alice)
	b.refused(custom(4), list(b.transfer(1, bob)), b.bob)
	b.refused(custom(18), list(token.NewTransferCheckedInstruction(1, 5, b.from, b.mint, b.to, alice, nil).Build()), b.alice)
	b.refused(custom(3), list(token.NewTransferCheckedInstruction(1, 6, b.from, other, b.to, alice, nil).Build()), b.alice)
	b.refused(custom(3), list(token.NewTransferInstruction(1, b.from, foreign, alice, nil).Build()), b.alice)
	b.refused(instructionError(0, "InvalidAccountData"), list(token.NewTransferInstruction(1, b.from, b.mint, alice, nil).Build()), b.alice)
	unsigned := token.NewTransferInstruction(1, b.from, b.to, alice, nil).Build()
	unsigned.Accounts()[2].IsSigner = false
	b.refused(instructionError(0, "MissingRequiredSignature"), list(unsigned), b.bob)
	readonly := token.NewTransferInstruction(1, b.from, b.to, alice, nil).Build()
	readonly.Accounts()[1].IsWritable = false
	b.refused(instructionError(0, "ReadonlyDataModified"), list(readonly), b.alice)
	b.refused(custom(12), list(solana.NewInstruction(solana.TokenProgramID, nil, []byte{200})), b.alice)
}

func TestAssociatedAccounts(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, carol := b.alice.PublicKey(), b.key().PublicKey()
	before := b.balance(alice, rpc.CommitmentProcessed)
	again := associated.NewCreateIdempotentInstruction(alice, carol, b.mint).Build()
	b.do(list(again), b.alice)
	b.has(ata(carol, b.mint), rentOf(165))
	b.has(alice, before-rentOf(165)-5_000)
	b.do(list(again, again), b.alice)
	b.refused(instructionError(0, "IllegalOwner"), list(createATA(alice, carol, b.mint)), b.alice)
	held := b.holding(ata(carol, b.mint))
	if held.Owner != carol || held.Mint != b.mint || held.Amount != 0 || held.State != token.Initialized {
		t.Errorf("made %+v", held)
	}

	// Lamports sent ahead count towards the rent.
	dave := b.key().PublicKey()
	b.do(list(pay(alice, ata(dave, b.mint), rentOf(0)), createATA(alice, dave, b.mint)), b.alice)
	b.has(ata(dave, b.mint), rentOf(165))

	wrong := createATA(alice, b.key().PublicKey(), b.mint)
	wrong.Accounts()[1].PublicKey = b.to
	b.refused(instructionError(0, "InvalidSeeds"), list(wrong), b.alice)
	noSystem := createATA(alice, b.key().PublicKey(), b.mint)
	noSystem.Accounts()[4].PublicKey = alice
	b.refused(instructionError(0, "MissingAccount"), list(noSystem), b.alice)
	noMint := b.key().PublicKey()
	b.refused(instructionError(0, "IncorrectProgramId"), list(createATA(alice, carol, noMint)), b.alice)
}

func TestMint(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	mint := func(amount uint64, owner solana.PublicKey) solana.Instruction {
		return token.NewMintToInstruction(amount, b.mint, b.to, owner, nil).Build()
	}
	b.do(list(mint(50, b.authority.PublicKey())), b.authority)
	b.tokens(b.to, 50)
	b.refused(custom(4), list(mint(1, b.alice.PublicKey())), b.alice)
	b.refused(custom(14), list(mint(1<<64-1, b.authority.PublicKey())), b.authority)
}

func TestInitialize(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice := b.alice.PublicKey()
	create := func(key solana.PrivateKey, lamports uint64) solana.Instruction {
		return system.NewCreateAccountInstruction(lamports, 165, solana.TokenProgramID, alice, key.PublicKey()).Build()
	}
	initialize := func(account, mint solana.PublicKey) solana.Instruction {
		return token.NewInitializeAccount3Instruction(alice, account, mint).Build()
	}
	key := b.key()
	address := key.PublicKey()
	b.refused(instructionError(1, map[string]int{"Custom": 0}), list(create(key, rentOf(165)-1), initialize(address, b.mint)), b.alice, key)
	b.refused(instructionError(1, map[string]int{"Custom": 2}), list(create(key, rentOf(165)), initialize(address, b.from)), b.alice, key)
	b.refused(instructionError(2, map[string]int{"Custom": 6}), list(create(key, rentOf(165)), initialize(address, b.mint), initialize(address, b.mint)), b.alice, key)
	b.do(list(create(key, rentOf(165)), initialize(address, b.mint)), b.alice, key)
	if held := b.holding(address); held.Owner != alice || held.Mint != b.mint {
		t.Errorf("made %+v", held)
	}
}

func TestInitializeMint(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice := b.alice.PublicKey()
	key := b.key()
	create := system.NewCreateAccountInstruction(rentOf(82), 82, solana.TokenProgramID, alice, key.PublicKey()).Build()
	initialize := token.NewInitializeMint2Instruction(3, alice, alice, key.PublicKey()).Build()
	b.refused(instructionError(2, map[string]int{"Custom": 6}), list(create, initialize, initialize), b.alice, key)
	unread := solana.NewInstruction(solana.TokenProgramID, solana.AccountMetaSlice{solana.Meta(key.PublicKey()), solana.Meta(alice)}, append(append([]byte{20}, make([]byte, 33)...), 2))
	b.refused(instructionError(1, map[string]int{"Custom": 12}), list(create, unread), b.alice, key)
	b.do(list(create, initialize), b.alice, key)
	var made token.Mint
	answer, err := b.client.GetAccountInfoWithOpts(t.Context(), key.PublicKey(), &rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentProcessed})
	if err != nil {
		t.Fatal(err)
	}
	if err := unmarshal(answer.Value.Data.GetBinary(), &made); err != nil || made.Decimals != 3 || *made.MintAuthority != alice || *made.FreezeAuthority != alice {
		t.Errorf("made %+v, %v", made, err)
	}
}

// A token account that the token program doesn't own is ignored.
func TestForgedTokenAccount(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice := b.alice.PublicKey()
	key := b.key()
	create := system.NewCreateAccountInstruction(rentOf(165), 165, solana.SystemProgramID, alice, key.PublicKey()).Build()
	b.do(list(create), b.alice, key)
	b.refused(instructionError(0, "UninitializedAccount"), list(token.NewTransferInstruction(1, key.PublicKey(), b.to, alice, nil).Build()), b.alice)
	b.refused(instructionError(0, "ExternalAccountDataModified"), list(token.NewInitializeAccount3Instruction(alice, key.PublicKey(), b.mint).Build()), b.alice)
}
