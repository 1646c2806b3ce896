package fakes_test

import (
	"fmt"
	"testing"

	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func newChain(*testing.T) conformance.Chain { return conformance.FakeChain() }

func TestChain(t *testing.T) {
	t.Parallel()
	t.Run("DepositReader", func(t *testing.T) { conformance.DepositReader(t, newChain) })
	t.Run("DepositTransactions", func(t *testing.T) { conformance.DepositTransactions(t, newChain) })
	t.Run("DepositHistory", func(t *testing.T) { conformance.DepositHistory(t, newChain) })
	t.Run("TreasuryHistory", func(t *testing.T) { conformance.TreasuryHistory(t, newChain) })
	t.Run("Mints", func(t *testing.T) { conformance.Mints(t, newChain) })
	t.Run("Payer", func(t *testing.T) { conformance.Payer(t, newChain) })
	t.Run("ChainHeights", func(t *testing.T) { conformance.ChainHeights(t, newChain) })
	t.Run("Memos", func(t *testing.T) { conformance.Memos(t, newChain) })
	t.Run("ChainHead", func(t *testing.T) {
		conformance.ChainHead(t, func(t *testing.T) (conformance.Chain, ports.ChainHead) {
			c := newChain(t)
			return c, c.ChainPorts.(ports.ChainHead)
		})
	})
	t.Run("ChainProbe", func(t *testing.T) { conformance.ChainProbe(t, newChain) })
	t.Run("HouseAddresses", func(t *testing.T) { conformance.HouseAddresses(t, newChain) })
}

func TestChainScriptsFaultsByCall(t *testing.T) {
	t.Parallel()
	chain := fakes.NewChain()
	chain.Script("Healthy", fakes.NoFault, fakes.Unreachable, fakes.AnswerLost)
	for i, want := range []bool{true, false, false, true} {
		if err := chain.Healthy(t.Context()); (err == nil) != want {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

func ExampleChain() {
	usd := token.Terms{Mint: fakes.Mint("usd"), Decimals: 6, Program: token.SPL}
	chain := fakes.NewChain(usd)
	alice := fakes.Wallet("alice")
	chain.Fund(alice, usd.Mint, 5_000_000)
	chain.Deposit(alice, usd.Mint, 2_000_000)
	chain.Finalize()
	fmt.Println(chain.Held(string(alice), usd.Mint), chain.Held(chain.TreasuryAddress(), usd.Mint))
	// Output: 3000000 2000000
}
