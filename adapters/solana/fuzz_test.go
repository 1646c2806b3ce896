package solana

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/test/fakes"
)

// FuzzTransactionsOfANode feeds bytes and a meta as a node could return them: nothing
// panics, and accepted transactions have valid signatures and a balance for every account.
func FuzzTransactionsOfANode(f *testing.F) {
	key := solana.PrivateKey(fakes.Key("payer"))
	for _, version := range []solana.MessageVersion{solana.MessageVersionLegacy, solana.MessageVersionV0, solana.MessageVersionV1} {
		instruction := solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{solana.Meta(key.PublicKey()).WRITE().SIGNER()}, []byte{1})
		tx, err := solana.NewTransaction([]solana.Instruction{instruction}, solana.Hash{1},
			solana.TransactionPayer(key.PublicKey()), solana.TransactionMessageVersion(version))
		if err != nil {
			f.Fatal(err)
		}
		if _, err := tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &key }); err != nil {
			f.Fatal(err)
		}
		raw, err := tx.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, []byte(`{"preBalances":[1,2],"postBalances":[1,2]}`))
	}
	f.Fuzz(func(t *testing.T, raw, shown []byte) {
		decoded, err := decodeSigned(raw)
		if err != nil {
			return
		}
		if decoded.VerifySignatures() != nil {
			t.Fatal("a signature doesn't stand")
		}
		read := &transaction{raw: raw, decoded: decoded}
		if json.Unmarshal(shown, &read.meta) != nil || read.joinAccounts() != nil {
			return
		}
		if len(read.keys) != len(read.meta.PreBalances) || len(read.keys) != len(read.meta.PostBalances) {
			t.Fatal("an account without a balance")
		}
		read.tokenChanges()
		lamportsPaid(decoded)
		describeFailure(read.meta.Err, decoded)
	})
}

// FuzzErrors decodes any JSON in place of an error.
func FuzzErrors(f *testing.F) {
	for _, text := range []string{`"AccountNotFound"`, `{"InstructionError":[3,{"Custom":1}]}`, `{"InsufficientFundsForRent":{"account_index":1}}`, `null`} {
		f.Add([]byte(text))
	}
	node, err := New(Config{RPC: "http://localhost", Treasury: testKeypair(f)})
	if err != nil {
		f.Fatal(err)
	}
	nothing := solana.NewInstruction(solana.MemoProgramID, nil, nil)
	p := payout{memo: "w", moves: nothing}
	draft, err := buildTransaction(p.withBudget(1, 0), solana.Hash{1}, node.treasury)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := node.simulationFault(t.Context(), p, draft, raw); err == nil {
			t.Fatal("a failed simulation is no refusal")
		}
	})
}

func testKeypair(t testing.TB) Keypair {
	t.Helper()
	pair, err := NewKeypair(fakes.Key("treasury"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pair.Sign(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return pair
}
