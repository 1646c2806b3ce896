package solana_test

import (
	"testing"

	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

func newChain(t *testing.T) conformance.Chain { return newWorld(t).conforming() }

func newRealChain(t *testing.T) conformance.Chain { return newRealWorld(t).conforming() }

func (w *world) conforming() conformance.Chain {
	return conformance.Chain{
		ChainPorts: w.Node, SOL: w.sol, SPL: w.spl, NewWallet: w.newWallet, Fund: w.fund, Deposit: w.deposit, Pay: w.pay, Held: w.held,
		Finalize: w.finalize, Expire: w.expire, Drain: w.drain, Occupied: w.occupied, TooSmall: 890_879,
		SetUnreachable: func(cut bool) {
			if w.spoiled(nil); cut {
				w.spoiled(unreachable)
			}
		},
		LoseAnswer: func() { w.once(answerLost) },
	}
}

func conforms(t *testing.T, newChain func(*testing.T) conformance.Chain) {
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

func TestNodeOnLocalnet(t *testing.T) {
	t.Parallel()
	conforms(t, newChain)
}

// TestNodeOnTheRuntime compares the simulation with Solana's own runtime: one suite, the
// same results.
func TestNodeOnTheRuntime(t *testing.T) {
	t.Parallel()
	validator.Available(t)
	conforms(t, newRealChain)
}

// TestNodeOnTheLightRuntime runs it on the runtime of the large suites.
func TestNodeOnTheLightRuntime(t *testing.T) {
	t.Parallel()
	validator.Available(t)
	conforms(t, func(t *testing.T) conformance.Chain {
		clock := fakes.NewClock(fakes.Start)
		return worldOn(t, clock, validator.StartLight(t, clock.Now)).conforming()
	})
}
