package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// DepositTransactions proves the contract of ports.DepositTransactions.
func DepositTransactions(t *testing.T, newChain func(t *testing.T) Chain) {
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Once it is finalized it is that wallet's deposit of the amount: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, payoutUnits)
			before := c.holding(t, terms)
			signature, landed := c.Pay(player, c.unsigned(t, player, terms, payoutUnits).Transaction)
			if !landed {
				t.Fatal("it didn't land")
			}
			c.Finalize()
			c.judged(t, signature, name, player, deposit.Verdict{Status: deposit.Credited, Amount: payoutUnits, Sender: player})
			if got := c.holding(t, terms); got != before+payoutUnits {
				t.Errorf("the treasury went from %d to %d", before, got)
			}
		})
		onChain(t, newChain, "Nothing is sent, and what the wallet holds isn't asked: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			before := c.holding(t, terms)
			poor := c.unsigned(t, player, terms, payoutUnits)
			if _, landed := c.Pay(player, poor.Transaction); landed {
				t.Error("a wallet that owns nothing paid it")
			}
			c.Finalize()
			if got := c.holding(t, terms); got != before {
				t.Errorf("the treasury went from %d to %d", before, got)
			}
		})
		onChain(t, newChain, "It can land until its last valid height: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, payoutUnits)
			late := c.unsigned(t, player, terms, payoutUnits)
			heights, err := c.Heights(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if at := late.LastValidHeight; at+heightSlack < heights.LastValid || at > heights.LastValid {
				t.Errorf("it can land until block %d, it says; what is signed now can until %d", at, heights.LastValid)
			}
			c.Expire()
			if _, landed := c.Pay(player, late.Transaction); landed {
				t.Error("it landed after that")
			}
		})
	}
	onChain(t, newChain, "two for the same may be one transaction, which lands once", func(t *testing.T, c Chain) {
		player := c.NewWallet()
		c.Fund(player, c.SOL, 10*payoutUnits)
		before, signatures := c.holding(t, c.SOL), map[string]bool{}
		for range 2 {
			signature, _ := c.Pay(player, c.unsigned(t, player, c.SOL, payoutUnits).Transaction)
			signatures[signature] = true
		}
		c.Finalize()
		if got, want := c.holding(t, c.SOL), before+money.Amount(len(signatures))*payoutUnits; got != want {
			t.Errorf("%d transactions brought the treasury from %d to %d", len(signatures), before, got)
		}
	})
	onChain(t, newChain, "a chain that can't be asked is External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "DepositTransaction", errorOf(c.DepositTransaction(t.Context(), c.NewWallet(), c.SOL, payoutUnits)))
	})
}

// unsigned builds a deposit.
func (c Chain) unsigned(t *testing.T, from wallet.Address, terms token.Terms, amount money.Amount) deposit.Unsigned {
	t.Helper()
	built, err := c.DepositTransaction(t.Context(), from, terms, amount)
	if err != nil || len(built.Transaction) == 0 {
		t.Fatalf("DepositTransaction: %+v, %v", built, err)
	}
	return built
}
