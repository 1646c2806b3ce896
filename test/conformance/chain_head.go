package conformance

import (
	"testing"
	"time"

	"github.com/casino-service/casino/ports"
)

// ChainHead proves the contract of ports.ChainHead, on an adapter and the chain behind it.
func ChainHead(t *testing.T, newChain func(t *testing.T) (Chain, ports.ChainHead)) {
	head := func(t *testing.T, of ports.ChainHead) (uint64, time.Time) {
		t.Helper()
		slot, made, err := of.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return slot, made
	}
	sub(t, "a finalized slot and its time in whole seconds", func(t *testing.T) {
		c, of := newChain(t)
		c.Finalize()
		if slot, made := head(t, of); slot == 0 || made.Year() < 2020 || made.Nanosecond() != 0 {
			t.Errorf("slot %d, made %s", slot, made)
		}
	})
	sub(t, "what is finalized later has a greater slot", func(t *testing.T) {
		c, of := newChain(t)
		player := c.NewWallet()
		c.Fund(player, c.SOL, payoutUnits)
		before, at := head(t, of)
		c.Deposit(player, c.SOL, payoutUnits/2, false)
		c.Finalize()
		if after, made := head(t, of); after <= before || made.Before(at) {
			t.Errorf("slot %d of %s, then %d of %s", before, at, after, made)
		}
	})
	sub(t, "a chain that can't be asked is a fault of kind External", func(t *testing.T) {
		c, of := newChain(t)
		c.SetUnreachable(true)
		_, _, err := of.Head(t.Context())
		external(t, "Head", err)
	})
}
