package localnet_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
)

// bank is a world with one token: its mint's authority, and two wallets with
// token accounts of which alice's holds a thousand.
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

	// Lamports sent ahead are counted.
	dave := b.key().PublicKey()
	b.do(list(pay(alice, ata(dave, b.mint), rentOf(0)), createATA(alice, dave, b.mint)), b.alice)
	b.has(ata(dave, b.mint), rentOf(165))

	wrong := createATA(alice, b.key().PublicKey(), b.mint)
	wrong.Accounts()[1].PublicKey = b.to
	b.refused(instructionError(0, "InvalidSeeds"), list(wrong), b.alice)
	noMint := b.key().PublicKey()
	b.refused(instructionError(0, "IncorrectProgramId"), list(createATA(alice, carol, noMint)), b.alice)

	// Handed over, the account no longer is its first owner's.
	b.do(list(token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, carol, b.from, alice, nil).Build()), b.alice)
	b.refused(custom(0), list(associated.NewCreateIdempotentInstruction(alice, alice, b.mint).Build()), b.alice)
}

func TestDelegate(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, bob := b.alice.PublicKey(), b.bob.PublicKey()
	b.do(list(token.NewApproveInstruction(100, b.from, bob, alice, nil).Build()), b.alice)
	b.do(list(b.transfer(60, bob)), b.bob)
	if held := b.holding(b.from); held.DelegatedAmount != 40 || *held.Delegate != bob {
		t.Errorf("after 60 of 100: %+v", held)
	}
	b.refused(custom(1), list(b.transfer(41, bob)), b.bob)
	b.do(list(b.transfer(40, bob)), b.bob)
	if held := b.holding(b.from); held.Delegate != nil || held.DelegatedAmount != 0 {
		t.Errorf("spent, the delegate stays: %+v", held)
	}
	b.refused(custom(4), list(b.transfer(1, bob)), b.bob)
	b.do(list(token.NewApproveCheckedInstruction(5, 6, b.from, b.mint, bob, alice, nil).Build()), b.alice)
	b.do(list(token.NewRevokeInstruction(b.from, alice, nil).Build()), b.alice)
	b.refused(custom(4), list(b.transfer(1, bob)), b.bob)
	b.tokens(b.to, 100)
}

func TestAuthorities(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, bob, authority := b.alice.PublicKey(), b.bob.PublicKey(), b.authority.PublicKey()
	set := func(kind token.AuthorityType, next, of, owner solana.PublicKey) solana.Instruction {
		return token.NewSetAuthorityInstruction(kind, next, of, owner, nil).Build()
	}
	mint := func(owner solana.PublicKey) solana.Instruction {
		return token.NewMintToInstruction(1, b.mint, b.to, owner, nil).Build()
	}
	b.refused(custom(4), list(mint(alice)), b.alice)
	b.do(list(set(token.AuthorityMintTokens, alice, b.mint, authority)), b.authority)
	b.do(list(mint(alice)), b.alice)
	b.refused(custom(4), list(mint(authority)), b.authority)
	remove := solana.NewInstruction(solana.TokenProgramID, solana.AccountMetaSlice{
		solana.Meta(b.mint).WRITE(), solana.Meta(alice).SIGNER(),
	}, []byte{6, 0, 0})
	b.do(list(remove), b.alice)
	b.refused(custom(5), list(mint(alice)), b.alice)
	b.refused(custom(5), list(set(token.AuthorityMintTokens, alice, b.mint, alice)), b.alice)
	b.refused(custom(15), list(set(token.AuthorityCloseAccount, alice, b.mint, alice)), b.alice)
	b.refused(custom(15), list(set(token.AuthorityMintTokens, alice, b.from, alice)), b.alice)

	b.do(list(set(token.AuthorityAccountOwner, bob, b.from, alice)), b.alice)
	b.refused(custom(4), list(b.transfer(1, alice)), b.alice)
	b.do(list(b.transfer(1, bob)), b.bob)
	b.do(list(set(token.AuthorityCloseAccount, alice, b.from, bob)), b.bob)
	empty := token.NewBurnInstruction(999, b.from, b.mint, bob, nil).Build()
	b.refused(instructionError(1, map[string]int{"Custom": 4}), list(empty, token.NewCloseAccountInstruction(b.from, bob, bob, nil).Build()), b.bob)
	b.do(list(empty, token.NewCloseAccountInstruction(b.from, alice, alice, nil).Build()), b.bob, b.alice)
	b.has(b.from, 0)
}

func TestFreeze(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, authority := b.alice.PublicKey(), b.authority.PublicKey()
	freeze := token.NewFreezeAccountInstruction(b.from, b.mint, authority, nil).Build()
	thaw := token.NewThawAccountInstruction(b.from, b.mint, authority, nil).Build()
	b.refused(custom(13), list(thaw), b.authority)
	b.do(list(freeze), b.authority)
	b.refused(custom(13), list(freeze), b.authority)
	b.refused(custom(17), list(b.transfer(1, alice)), b.alice)
	b.refused(custom(17), list(token.NewApproveInstruction(1, b.from, alice, alice, nil).Build()), b.alice)
	b.refused(custom(17), list(token.NewBurnInstruction(1, b.from, b.mint, alice, nil).Build()), b.alice)
	b.refused(custom(17), list(token.NewMintToInstruction(1, b.mint, b.from, authority, nil).Build()), b.authority)
	b.do(list(thaw), b.authority)
	b.do(list(b.transfer(1, alice)), b.alice)
	b.refused(custom(4), list(token.NewFreezeAccountInstruction(b.from, b.mint, alice, nil).Build()), b.alice)
}

func TestBurnMintAndClose(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, authority := b.alice.PublicKey(), b.authority.PublicKey()
	b.do(list(token.NewBurnCheckedInstruction(400, 6, b.from, b.mint, alice, nil).Build()), b.alice)
	b.do(list(token.NewMintToCheckedInstruction(50, 6, b.mint, b.to, authority, nil).Build()), b.authority)
	supply, err := b.client.GetTokenSupply(t.Context(), b.mint, rpc.CommitmentProcessed)
	if err != nil || supply.Value.Amount != "650" || supply.Value.UiAmountString != "0.00065" {
		t.Errorf("supply %+v, %v", supply, err)
	}
	b.refused(custom(14), list(token.NewMintToInstruction(1<<64-1, b.mint, b.to, authority, nil).Build()), b.authority)
	b.refused(custom(1), list(token.NewBurnInstruction(601, b.from, b.mint, alice, nil).Build()), b.alice)
	shut := token.NewCloseAccountInstruction(b.from, alice, alice, nil).Build()
	b.refused(custom(11), list(shut), b.alice)
	before := b.balance(alice, rpc.CommitmentProcessed)
	b.do(list(b.transfer(600, alice), shut), b.alice)
	b.has(alice, before-5_000+rentOf(165))
	b.has(b.from, 0)
	// The address may be used again.
	b.do(list(createATA(alice, alice, b.mint)), b.alice)
	b.tokens(b.from, 0)
}

func TestWrappedSOL(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice, bob := b.alice.PublicKey(), b.bob.PublicKey()
	from, to := ata(alice, solana.WrappedSol), ata(bob, solana.WrappedSol)
	sync := token.NewSyncNativeInstruction(from).Build()
	b.do(list(createATA(alice, alice, solana.WrappedSol), createATA(alice, bob, solana.WrappedSol), pay(alice, from, sol)), b.alice)
	b.tokens(from, 0)
	b.do(list(sync), b.alice)
	b.tokens(from, sol)
	if held := b.holding(from); held.IsNative == nil || *held.IsNative != rentOf(165) {
		t.Errorf("wrapped in %+v", held)
	}
	b.do(list(token.NewTransferCheckedInstruction(sol/4, 9, from, solana.WrappedSol, to, alice, nil).Build()), b.alice)
	b.tokens(to, sol/4)
	b.has(to, sol/4+rentOf(165))
	b.has(from, sol-sol/4+rentOf(165))
	b.refused(custom(10), list(token.NewBurnInstruction(1, from, solana.WrappedSol, alice, nil).Build()), b.alice)
	b.refused(custom(10), list(token.NewMintToInstruction(1, solana.WrappedSol, from, alice, nil).Build()), b.alice)
	b.refused(custom(19), list(token.NewSyncNativeInstruction(b.from).Build()), b.alice)
	before := b.balance(bob, rpc.CommitmentProcessed)
	b.do(list(token.NewCloseAccountInstruction(to, bob, bob, nil).Build()), b.bob)
	b.has(bob, before-5_000+sol/4+rentOf(165))
}

func TestInitialize(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	alice := b.alice.PublicKey()
	for i, initialize := range []func(account, mint solana.PublicKey) solana.Instruction{
		func(account, mint solana.PublicKey) solana.Instruction {
			return token.NewInitializeAccountInstruction(account, mint, alice, solana.SysVarRentPubkey).Build()
		},
		func(account, mint solana.PublicKey) solana.Instruction {
			return token.NewInitializeAccount2Instruction(alice, account, mint, solana.SysVarRentPubkey).Build()
		},
		func(account, mint solana.PublicKey) solana.Instruction {
			return token.NewInitializeAccount3Instruction(alice, account, mint).Build()
		},
	} {
		t.Run(fmt.Sprint("account", i), func(t *testing.T) { //nolint:paralleltest // one chain, in order
			create := func(key solana.PrivateKey, lamports uint64) solana.Instruction {
				return system.NewCreateAccountInstruction(lamports, 165, solana.TokenProgramID, alice, key.PublicKey()).Build()
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
		})
	}
	key := b.key()
	create := system.NewCreateAccountInstruction(rentOf(82), 82, solana.TokenProgramID, alice, key.PublicKey()).Build()
	initialize := token.NewInitializeMintInstruction(3, alice, alice, key.PublicKey(), solana.SysVarRentPubkey).Build()
	b.refused(instructionError(2, map[string]int{"Custom": 6}), list(create, initialize, initialize), b.alice, key)
	unread := solana.NewInstruction(solana.TokenProgramID, solana.AccountMetaSlice{solana.Meta(key.PublicKey()), solana.Meta(alice)}, append(make([]byte, 34), 2))
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

// A token account that is not the token program's counts for nothing.
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
