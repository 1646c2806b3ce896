package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// ChainHeights proves the contract of ports.ChainHeights.
func ChainHeights(t *testing.T, newChain func(t *testing.T) Chain) {
	heights := func(t *testing.T, c Chain) ports.Heights {
		t.Helper()
		h, err := c.Heights(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	onChain(t, newChain, "a transaction that is signed until now can land until the last valid height", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SOL, payoutUnits, string(c.NewWallet()))
		if got := heights(t, c); got.LastValid < attempt.LastValidHeight || got.Finalized >= got.LastValid {
			t.Errorf("%+v, an attempt can land until %d", got, attempt.LastValidHeight)
		}
	})
	onChain(t, newChain, "what was signed never lands once the finalized height is beyond it", func(t *testing.T, c Chain) {
		attempt := c.signed(t, "w1", c.SOL, payoutUnits, string(c.NewWallet()))
		before := heights(t, c)
		c.Expire()
		if after := heights(t, c); after.Finalized <= before.LastValid || after.Finalized < before.Finalized {
			t.Errorf("%+v, and %+v when everything had expired", before, after)
		}
		_ = c.Send(t.Context(), attempt) // its error says nothing about whether it landed
		c.Finalize()
		if outcome, err := c.Outcome(t.Context(), attempt); err != nil || outcome.Status != withdrawal.Dead {
			t.Errorf("%+v, %v", outcome, err)
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Heights", errorOf(c.Heights(t.Context())))
	})
}
