package localnet_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	bin "github.com/gagliardetto/binary"
	"github.com/gagliardetto/solana-go"
	budget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
)

func unmarshal(data []byte, target interface {
	UnmarshalWithDecoder(*bin.Decoder) error
}) error {
	return target.UnmarshalWithDecoder(bin.NewBinDecoder(data))
}

// rentOf is the rent-exempt minimum by Solana's published formula: 128 bytes of
// overhead, 3,480 lamports a byte and year, two years.
func rentOf(size uint64) uint64 { return (128 + size) * 3480 * 2 }

func TestTransferPaysItsFee(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	w.do(list(pay(alice.PublicKey(), bob, 3*sol)), alice)
	w.has(bob, 3*sol)
	w.has(alice.PublicKey(), 7*sol-5_000)

	// 100,001 units at 3 micro-lamports are 0.300003 lamports: a whole one.
	w.do(list(
		budget.NewSetComputeUnitLimitInstruction(100_001).Build(),
		budget.NewSetComputeUnitPriceInstruction(3).Build(),
		pay(alice.PublicKey(), bob, 1*sol),
	), alice)
	w.has(alice.PublicKey(), 6*sol-10_001)

	// Two signers, two fees.
	carol := w.rich(sol)
	w.do(list(pay(carol.PublicKey(), bob, sol/2)), alice, carol)
	w.has(alice.PublicKey(), 6*sol-20_001)
	w.has(carol.PublicKey(), sol/2)
}

func TestTransactionErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.rich(10 * sol)
	poor, nobody, data := w.key(), w.key(), w.key()
	if _, err := w.chain.Airdrop(poor.PublicKey(), rentOf(0)); err != nil {
		t.Fatal(err)
	}
	from, to := alice.PublicKey(), w.key().PublicKey()
	create := func(lamports, space uint64, key solana.PrivateKey) solana.Instruction {
		return system.NewCreateAccountInstruction(lamports, space, solana.SystemProgramID, from, key.PublicKey()).Build()
	}
	w.do(list(create(rentOf(10), 10, data)), alice, data)
	unit := budget.NewSetComputeUnitLimitInstruction(1_000).Build()
	for _, c := range []struct {
		name, want   string
		instructions []solana.Instruction
		keys         []solana.PrivateKey
	}{
		{"more than there is", `{"InstructionError":[0,{"Custom":1}]}`, list(pay(from, to, 11*sol)), list2(alice)},
		{"the index is the instruction's", `{"InstructionError":[1,{"Custom":1}]}`, list(pay(from, to, sol), pay(from, to, 10*sol)), list2(alice)},
		{"payer unknown", `"AccountNotFound"`, list(pay(nobody.PublicKey(), to, 1)), list2(nobody)},
		{"fee would leave the payer below rent", `{"InsufficientFundsForRent":{"account_index":0}}`, list(pay(poor.PublicKey(), to, 1)), list2(poor)},
		{"recipient below rent", `{"InsufficientFundsForRent":{"account_index":1}}`, list(pay(from, to, rentOf(0)-1)), list2(alice)},
		{"payer with data", `"InvalidAccountForFee"`, list(pay(data.PublicKey(), to, 1)), list2(data)},
		{"transfer from data", `{"InstructionError":[0,"InvalidArgument"]}`, list(pay(data.PublicKey(), to, 1)), list2(alice, data)},
		{"account in use", `{"InstructionError":[0,{"Custom":0}]}`, list(create(rentOf(0), 0, data)), list2(alice, data)},
		{"too large an account", `{"InstructionError":[0,{"Custom":3}]}`, list(create(sol, 10<<20+1, nobody)), list2(alice, nobody)},
		{"unknown program", `"ProgramAccountNotFound"`, list(solana.NewInstruction(nobody.PublicKey(), nil, nil)), list2(alice)},
		{"not a program", `"InvalidProgramForExecution"`, list(solana.NewInstruction(poor.PublicKey(), nil, nil)), list2(alice)},
		{"unknown system instruction", `{"InstructionError":[0,"InvalidInstructionData"]}`, list(solana.NewInstruction(solana.SystemProgramID, nil, []byte{99, 0, 0, 0})), list2(alice)},
		{"units twice", `{"DuplicateInstruction":1}`, list(unit, unit), list2(alice)},
		{"bad budget", `{"InstructionError":[0,"InvalidInstructionData"]}`, list(solana.NewInstruction(solana.ComputeBudget, nil, []byte{9})), list2(alice)},
		{"units exhausted", `{"InstructionError":[1,"ComputationalBudgetExceeded"]}`, list(unit, memo.NewMemoInstruction([]byte("hi"), from).Build()), list2(alice)},
		{"priority beyond means", `"InsufficientFundsForFee"`, list(budget.NewSetComputeUnitPriceInstruction(math.MaxUint64).Build(), pay(from, to, sol)), list2(alice)},
		{"memo is no UTF-8", `{"InstructionError":[0,"ProgramFailedToComplete"]}`, list(memo.NewMemoInstruction([]byte{0xff}, from).Build()), list2(alice)},
		{"memo unsigned", `{"InstructionError":[0,"MissingRequiredSignature"]}`, list(solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(to)}, []byte("x"))), list2(alice)},
	} {
		t.Run(c.name, func(t *testing.T) { //nolint:paralleltest // the cases share one chain, in order
			w := *w
			w.T = t
			w.refused(c.want, c.instructions, c.keys...)
		})
	}
	w.has(to, 0)
}

func list2(keys ...solana.PrivateKey) []solana.PrivateKey { return keys }

func TestFailureIsAtomicAndPaysItsFee(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	tx := w.signed(list(pay(alice.PublicKey(), bob, sol), pay(alice.PublicKey(), bob, 10*sol)), alice)
	signature, err := w.client.SendTransactionWithOpts(w.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	if err != nil {
		t.Fatal(err)
	}
	w.has(bob, 0)
	w.has(alice.PublicKey(), 10*sol-5_000)
	w.clock.slots(40)
	got, err := w.client.GetTransaction(w.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(got.Meta.Err)
	if string(text) != `{"InstructionError":[1,{"Custom":1}]}` || got.Meta.Fee != 5_000 {
		t.Errorf("landed with %s and fee %d", text, got.Meta.Fee)
	}
	if got.Meta.PostBalances[0] != 10*sol-5_000 || got.Meta.PreBalances[0] != 10*sol {
		t.Errorf("balances %v then %v", got.Meta.PreBalances, got.Meta.PostBalances)
	}
	if logs := strings.Join(got.Meta.LogMessages, "\n"); !strings.Contains(logs, "failed: custom program error: 0x1") {
		t.Errorf("logs: %s", logs)
	}
}

func TestWhatCannotPayDoesNotLand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	nobody, bob := w.key(), w.key().PublicKey()
	tx := w.signed(list(pay(nobody.PublicKey(), bob, 1)), nobody)
	signature, err := w.client.SendTransactionWithOpts(w.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	if err != nil || signature != tx.Signatures[0] {
		t.Fatalf("skipPreflight answers with the signature, not %s, %v", signature, err)
	}
	w.clock.slots(40)
	if _, err := w.client.GetTransaction(w.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64}); err == nil {
		t.Error("it landed")
	}
}

func TestDrainToNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(2*sol), w.key().PublicKey()
	w.do(list(pay(alice.PublicKey(), bob, 2*sol-5_000)), alice)
	w.has(alice.PublicKey(), 0)
	w.has(bob, 2*sol-5_000)
}

func TestDuplicate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	tx := w.signed(list(pay(alice.PublicKey(), bob, sol)), alice)
	for i := range 3 {
		_, err := w.send(tx)
		if i > 0 && refusal(err) != `"AlreadyProcessed"` {
			t.Errorf("send %d: %v", i, err)
		}
	}
	if _, err := w.client.SendTransactionWithOpts(w.Context(), tx, rpc.TransactionOpts{SkipPreflight: true}); err != nil {
		t.Errorf("without preflight: %v", err)
	}
	w.has(bob, sol)
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	tx := w.signed(list(pay(alice.PublicKey(), bob, sol)), alice)
	tx.Signatures[0][5] ^= 1
	if _, err := w.send(tx); code(err) != -32003 {
		t.Errorf("a bad signature: %v", err)
	}
	if _, err := w.client.SendTransactionWithOpts(w.Context(), tx, rpc.TransactionOpts{SkipPreflight: true}); err != nil {
		t.Errorf("without preflight a bad signature is dropped later: %v", err)
	}
	w.has(bob, 0)
	// Simulation checks signatures only if requested.
	if got, err := w.client.SimulateTransactionWithOpts(w.Context(), tx, &rpc.SimulateTransactionOpts{Commitment: rpc.CommitmentProcessed}); err != nil || got.Value.Err != nil {
		t.Errorf("simulation without sigVerify: %v %v", got, err)
	}
	if _, err := w.client.SimulateTransactionWithOpts(w.Context(), tx, &rpc.SimulateTransactionOpts{SigVerify: true, Commitment: rpc.CommitmentProcessed}); code(err) != -32003 {
		t.Errorf("simulation with sigVerify: %v", err)
	}
	// The zero key has small order: Go accepts an all-zero signature for some texts,
	// validators never do.
	var forged solana.Transaction
	for i := range 64 {
		forged = *w.signed(list(pay(alice.PublicKey(), bob, sol+uint64(i))), alice)
		forged.Message.AccountKeys[0] = solana.PublicKey{}
		forged.Signatures[0] = solana.Signature{}
		if _, err := w.send(&forged); err == nil {
			t.Fatalf("forged transaction %d was taken", i)
		}
	}
}

func TestBlockhashExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	latest, err := w.client.GetLatestBlockhash(w.Context(), rpc.CommitmentFinalized)
	if err != nil {
		t.Fatal(err)
	}
	old := w.signedOver(latest.Value.Blockhash, list(pay(alice.PublicKey(), bob, sol)), alice)
	late := w.signedOver(latest.Value.Blockhash, list(pay(alice.PublicKey(), bob, 2*sol)), alice)
	height := func() uint64 {
		got, err := w.client.GetBlockHeight(w.Context(), rpc.CommitmentProcessed)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	valid := func() bool {
		got, err := w.client.IsBlockhashValid(w.Context(), latest.Value.Blockhash, rpc.CommitmentProcessed)
		if err != nil {
			t.Fatal(err)
		}
		return got.Value
	}
	for height() < latest.Value.LastValidBlockHeight {
		w.clock.slots(1)
	}
	if !valid() {
		t.Error("not valid at its last valid height")
	}
	if _, err := w.send(old); err != nil {
		t.Errorf("at the last valid height: %v", err)
	}
	for height() == latest.Value.LastValidBlockHeight {
		w.clock.slots(1)
	}
	if valid() {
		t.Error("valid beyond its last valid height")
	}
	if _, err := w.send(late); refusal(err) != `"BlockhashNotFound"` {
		t.Errorf("beyond the last valid height: %v", err)
	}
	w.has(bob, sol)
}

func TestPreflightIsAsSettledAsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	w.clock.slots(40)
	tx := w.signed(list(pay(alice.PublicKey(), bob, sol)), alice)
	if _, err := w.client.SendTransaction(w.Context(), tx); refusal(err) != `"BlockhashNotFound"` {
		t.Errorf("a processed blockhash in the finalized bank: %v", err)
	}
	if _, err := w.send(tx); err != nil {
		t.Error(err)
	}
}

func TestVersionedTransaction(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	latest, err := w.client.GetLatestBlockhash(w.Context(), rpc.CommitmentProcessed)
	if err != nil {
		t.Fatal(err)
	}
	build := func(options ...solana.TransactionOption) *solana.Transaction {
		tx, err := solana.NewTransaction(list(pay(alice.PublicKey(), bob, sol)), latest.Value.Blockhash,
			append(options, solana.TransactionPayer(alice.PublicKey()))...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Sign(holder(list2(alice))); err != nil {
			t.Fatal(err)
		}
		return tx
	}
	signature, err := w.send(build(solana.TransactionMessageVersion(solana.MessageVersionV0)))
	if err != nil {
		t.Fatal(err)
	}
	w.clock.slots(40)
	if _, err := w.client.GetTransaction(w.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64}); code(err) != -32015 {
		t.Errorf("to a client that knows no versions: %v", err)
	}
	newest := uint64(1)
	got, err := w.client.GetTransaction(w.Context(), signature, &rpc.GetTransactionOpts{Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &newest})
	if err != nil || got.Version != 0 {
		t.Errorf("version %v, %v", got, err)
	}
	tables := build(solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{w.key().PublicKey(): {bob}}))
	if _, err := w.send(tables); code(err) != -32602 || !strings.Contains(err.Error(), "lookup") {
		t.Errorf("with a lookup table: %v", err)
	}
}
