package solana_test

import (
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/validator"
)

// TestTheFirstDepositOfATokenOpensTheTreasurysAccount: otherwise the account would be
// missing, and the transfer would fail.
func TestTheFirstDepositOfATokenOpensTheTreasurysAccount(t *testing.T) {
	t.Parallel()
	t.Run("on the simulated chain", func(t *testing.T) {
		t.Parallel()
		newWorld(t).opensTheTreasurysAccount()
	})
	t.Run("on the runtime", func(t *testing.T) {
		t.Parallel()
		validator.Available(t)
		newRealWorld(t).opensTheTreasurysAccount()
	})
}

func (w *world) opensTheTreasurysAccount() {
	w.Helper()
	const units = 7_000
	mint, err := w.chain.CreateMint(w.authority, decimals)
	if err != nil {
		w.Fatal(err)
	}
	w.spl.Mint = money.Token(mint.String())
	player := w.newWallet()
	w.fund(player, w.spl, 3*units)
	w.confirm()
	for range 2 { // the second finds it there
		unsigned, err := w.DepositTransaction(w.Context(), player, w.spl, units)
		if err != nil {
			w.Fatal(err)
		}
		signature, landed := w.pay(player, unsigned.Transaction)
		if !landed {
			w.Fatal("it didn't land")
		}
		w.finalize()
		seen, err := w.Observe(w.Context(), signature)
		if err != nil {
			w.Fatal(err)
		}
		where, err := w.Treasury(w.spl)
		if err != nil {
			w.Fatal(err)
		}
		if got := deposit.Judge(seen, player, w.spl, where); got.Status != deposit.Credited || got.Amount != units {
			w.Errorf("judged %+v", got)
		}
	}
}

// TestADepositIsAsItIsAskedFor decodes the bytes that a player signs: payer, payee, amount,
// and no other required signature.
func TestADepositIsAsItIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	player := w.newWallet()
	unsigned, err := w.DepositTransaction(t.Context(), player, w.sol, 1_234)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := sol.TransactionFromBytes(unsigned.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	if signers := tx.Message.Signers(); len(signers) != 1 || signers[0].String() != string(player) {
		t.Errorf("signed by %v", signers)
	}
	if len(tx.Signatures) != 1 || !tx.Signatures[0].IsZero() {
		t.Errorf("it carries %v", tx.Signatures)
	}
	if len(tx.Message.Instructions) != 1 {
		t.Fatalf("%d instructions", len(tx.Message.Instructions))
	}
	only := tx.Message.Instructions[0]
	accounts, err := only.ResolveInstructionAccounts(&tx.Message)
	if err != nil {
		t.Fatal(err)
	}
	// System transfer: its number, 2, and the lamports, little-endian.
	if got, want := string(only.Data), "\x02\x00\x00\x00\xd2\x04\x00\x00\x00\x00\x00\x00"; got != want {
		t.Errorf("%x", got)
	}
	if accounts[0].PublicKey.String() != string(player) || accounts[1].PublicKey != w.treasury.PublicKey() {
		t.Errorf("from %s to %s", accounts[0].PublicKey, accounts[1].PublicKey)
	}
}
