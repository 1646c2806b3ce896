package localnet_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	budget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// market is a chain under random use: some wallets, mints among new accounts, and all
// addresses used in transactions.
type market struct {
	*rapid.T
	chain     *localnet.Chain
	clock     *clock
	signers   []solana.PrivateKey // wallets first, then keys for new accounts
	mints     []solana.PublicKey
	addresses []solana.PublicKey
	faucet    solana.PublicKey
}

const wallets = 3

func newMarket(t *rapid.T, outer *testing.T) *market {
	m := &market{T: t, clock: newClock()}
	var err error
	if m.chain, err = localnet.Open(localnet.Config{Now: m.clock.Now, Random: seeded(outer, 9)}); err != nil {
		t.Fatal(err)
	}
	for i := range byte(wallets + 4) {
		key := solana.PrivateKey(ed25519.NewKeyFromSeed(append(make([]byte, 31), i+1)))
		m.signers = append(m.signers, key)
		m.addresses = append(m.addresses, key.PublicKey())
		if i < wallets {
			if _, err := m.chain.Airdrop(key.PublicKey(), uint64(i+1)*50_000_000); err != nil {
				t.Fatal(err)
			}
		}
	}
	mint, err := m.chain.CreateMint(m.signers[0], 6)
	if err != nil {
		t.Fatal(err)
	}
	m.mints = []solana.PublicKey{mint, m.addresses[wallets]} // the last one may become a mint
	m.addresses = append(m.addresses, mint)
	for _, owner := range m.addresses[:wallets] {
		for _, mint := range m.mints {
			m.addresses = append(m.addresses, ata(owner, mint))
		}
	}
	for i, owner := range m.addresses[:wallets] {
		if _, err := m.chain.MintTo(m.signers[0], mint, owner, uint64(i)*2_000_000); err != nil {
			t.Fatal(err)
		}
	}
	var listed []struct{ Signature string }
	m.clock.slots(40)
	m.ask("getSignaturesForAddress", &listed, m.addresses[0], map[string]string{"commitment": "confirmed"})
	var first struct {
		Transaction struct {
			Message struct{ AccountKeys []solana.PublicKey }
		}
	}
	m.ask("getTransaction", &first, listed[len(listed)-1].Signature)
	m.faucet = first.Transaction.Message.AccountKeys[0]
	return m
}

// ask calls a method and decodes its result.
func (m *market) ask(method string, target any, params ...any) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		m.Fatal(err)
	}
	recorder := httptest.NewRecorder()
	m.chain.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(context.Background(), "POST", "/", strings.NewReader(string(body))))
	answer := struct {
		Result any
		Error  any
	}{Result: target}
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || answer.Error != nil {
		m.Fatalf("%s: %v, %v", method, answer.Error, err)
	}
}

// storedAccount is an account as the chain shows it.
type storedAccount struct {
	Lamports uint64
	Owner    solana.PublicKey
	Data     [2]string
}

// account reads the newest state of an account, nil when there is none.
func (m *market) account(key solana.PublicKey) *storedAccount {
	var answer struct{ Value *storedAccount }
	m.ask("getAccountInfo", &answer, key, map[string]string{"commitment": "processed"})
	return answer.Value
}

// count holds all totals that must be conserved.
type count struct {
	lamports uint64
	supply   map[solana.PublicKey]uint64 // from mints
	held     map[solana.PublicKey]uint64 // sums over accounts
}

// audit reads all accounts, and fails the test if any is invalid.
func (m *market) audit() count {
	c := count{supply: map[solana.PublicKey]uint64{}, held: map[solana.PublicKey]uint64{}}
	for _, key := range append(slices.Clone(m.addresses), m.faucet, m.chain.Identity()) {
		stored := m.account(key)
		if stored == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(stored.Data[0])
		if err != nil {
			m.Fatal(err)
		}
		c.lamports += stored.Lamports
		if stored.Lamports < rentOf(uint64(len(data))) {
			m.Errorf("%s has %d lamports for %d bytes: below rent", key, stored.Lamports, len(data))
		}
		if stored.Owner == solana.TokenProgramID {
			m.auditToken(key, data, c)
		}
	}
	return c
}

func (m *market) auditToken(key solana.PublicKey, data []byte, c count) {
	switch len(data) {
	case 82:
		var mint token.Mint
		if err := unmarshal(data, &mint); err != nil {
			m.Fatal(err)
		}
		c.supply[key] = mint.Supply
	case 165:
		var held token.Account
		if err := unmarshal(data, &held); err != nil {
			m.Fatal(err)
		}
		c.held[held.Mint] += held.Amount
	}
}

// instruction draws an instruction of any kind over any addresses, valid or not.
func (m *market) instruction() solana.Instruction {
	address := func(label string) solana.PublicKey { return rapid.SampledFrom(m.addresses).Draw(m.T, label) }
	wallet := func(label string) solana.PublicKey { return rapid.SampledFrom(m.addresses[:wallets]).Draw(m.T, label) }
	fresh := func(label string) solana.PublicKey {
		return rapid.SampledFrom(m.addresses[wallets:len(m.signers)]).Draw(m.T, label)
	}
	mint := rapid.SampledFrom(m.mints).Draw(m.T, "mint")
	amount := rapid.Uint64Range(0, 5_000_000).Draw(m.T, "amount")
	owner := wallet("owner")
	mine := ata(owner, mint)
	yours := ata(wallet("other"), mint)
	makers := []func() solana.Instruction{
		func() solana.Instruction { return pay(owner, address("to"), amount) },
		func() solana.Instruction {
			space := rapid.SampledFrom([]uint64{0, 10, 82, 165}).Draw(m.T, "space")
			program := rapid.SampledFrom([]solana.PublicKey{solana.TokenProgramID, solana.SystemProgramID}).Draw(m.T, "program")
			return system.NewCreateAccountInstruction(rentOf(space)+amount%3, space, program, owner, fresh("new")).Build()
		},
		func() solana.Instruction {
			return system.NewAssignInstruction(solana.TokenProgramID, fresh("assigned")).Build()
		},
		func() solana.Instruction { return system.NewAllocateInstruction(165, fresh("allocated")).Build() },
		func() solana.Instruction {
			return associated.NewCreateIdempotentInstruction(owner, wallet("for"), mint).Build()
		},
		func() solana.Instruction {
			return token.NewInitializeMint2Instruction(6, owner, owner, m.addresses[wallets]).Build()
		},
		func() solana.Instruction {
			return token.NewInitializeAccount3Instruction(owner, fresh("account"), mint).Build()
		},
		func() solana.Instruction {
			return token.NewMintToInstruction(amount, mint, mine, m.addresses[0], nil).Build()
		},
		func() solana.Instruction {
			return token.NewMintToInstruction(amount, mint, address("into"), owner, nil).Build()
		},
		func() solana.Instruction {
			return token.NewTransferInstruction(amount, mine, yours, owner, nil).Build()
		},
		func() solana.Instruction {
			return token.NewTransferInstruction(amount, address("from"), address("to"), owner, nil).Build()
		},
		func() solana.Instruction {
			return token.NewTransferCheckedInstruction(amount, 6, mine, mint, yours, wallet("signer"), nil).Build()
		},
		func() solana.Instruction {
			text := rapid.SampledFrom([]string{"", "hello", "\xff", "grüezi\xe2\x82"}).Draw(m.T, "memo")
			return memo.NewMemoInstruction([]byte(text), owner).Build()
		},
		m.scribble,
	}
	return m.spoil(rapid.SampledFrom(makers).Draw(m.T, "kind")())
}

// scribble is an instruction of some program with any data and accounts.
func (m *market) scribble() solana.Instruction {
	program := rapid.SampledFrom([]solana.PublicKey{
		solana.SystemProgramID, solana.TokenProgramID, solana.SPLAssociatedTokenAccountProgramID,
	}).Draw(m.T, "program")
	tags := []byte{3, 7, 12, 18, 20}
	if program == solana.SystemProgramID {
		tags = []byte{0, 1, 2, 8}
	}
	data := append([]byte{rapid.SampledFrom(tags).Draw(m.T, "tag")}, rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 60).Draw(m.T, "data")...)
	var metas solana.AccountMetaSlice
	for range rapid.IntRange(0, 5).Draw(m.T, "metas") {
		signer := rapid.SampledFrom(m.addresses[:wallets]).Draw(m.T, "signer")
		metas = append(metas, rapid.SampledFrom([]*solana.AccountMeta{
			solana.Meta(signer).SIGNER().WRITE(), solana.Meta(rapid.SampledFrom(m.addresses).Draw(m.T, "any")).WRITE(),
		}).Draw(m.T, "meta"))
	}
	return solana.NewInstruction(program, metas, data)
}

// spoil sometimes removes a privilege or an account from an instruction.
func (m *market) spoil(whole solana.Instruction) solana.Instruction {
	metas := solana.AccountMetaSlice{}
	for _, meta := range whole.Accounts() {
		own := *meta
		metas = append(metas, &own)
	}
	data, err := whole.Data()
	if err != nil {
		m.Fatal(err)
	}
	if len(metas) > 0 {
		at := rapid.IntRange(0, len(metas)-1).Draw(m.T, "spoiled")
		switch rapid.IntRange(0, 15).Draw(m.T, "spoil") {
		case 0:
			metas[at].IsWritable = false
		case 1:
			metas[at].IsSigner = false
		case 2:
			metas = metas[:at]
		case 3:
			metas[at].PublicKey = rapid.SampledFrom(m.addresses[:wallets]).Draw(m.T, "another")
		}
	}
	return solana.NewInstruction(whole.ProgramID(), metas, data)
}

// transaction draws up to three instructions and a price, with all required signatures.
func (m *market) transaction() *solana.Transaction {
	var instructions []solana.Instruction
	for range rapid.IntRange(1, 3).Draw(m.T, "instructions") {
		instructions = append(instructions, m.instruction())
	}
	price := rapid.Uint64Range(0, 3_000_000).Draw(m.T, "price")
	instructions = append(instructions, budget.NewSetComputeUnitPriceInstruction(price).Build())
	return m.signed(rapid.SampledFrom(m.addresses[:wallets]).Draw(m.T, "payer"), instructions)
}

// signed builds a transaction over the newest blockhash.
func (m *market) signed(payer solana.PublicKey, instructions []solana.Instruction) *solana.Transaction {
	var latest struct {
		Value struct{ Blockhash solana.Hash }
	}
	m.ask("getLatestBlockhash", &latest, map[string]string{"commitment": "processed"})
	tx, err := solana.NewTransaction(instructions, latest.Value.Blockhash, solana.TransactionPayer(payer))
	if err != nil {
		m.Fatal(err)
	}
	if _, err := tx.Sign(holder(m.signers)); err != nil {
		m.Fatal(err)
	}
	return tx
}

// submit lands a transaction, which may fail.
func (m *market) submit(tx *solana.Transaction) {
	_, err := m.chain.Submit(tx)
	if refused := (*localnet.Refusal)(nil); err != nil && !errors.As(err, &refused) {
		m.Fatal(err)
	}
}

// For any transactions: no lamport appears or vanishes, each mint's supply equals the sum
// of its accounts, no account ends below its rent.
func TestConservation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newMarket(r, t)
		before := m.audit()
		for range 25 {
			m.clock.slots(2)
			m.submit(m.transaction())
			after := m.audit()
			if after.lamports != before.lamports {
				r.Fatalf("%d lamports became %d", before.lamports, after.lamports)
			}
			for mint, supply := range after.supply {
				if supply != after.held[mint] {
					r.Fatalf("of %s there are %d, held %d", mint, supply, after.held[mint])
				}
			}
		}
	})
}
