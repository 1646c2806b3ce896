package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/fakes"
)

// Mints proves the contract of ports.Mints.
func Mints(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "Mint returns the token's mint, finalized", func(t *testing.T, c Chain) {
		for name, terms := range c.both() {
			mint, err := c.Mint(t.Context(), terms)
			if err != nil || mint.Program != terms.Program || mint.Decimals != terms.Decimals || len(mint.Extensions) > 0 {
				t.Errorf("%s: %+v, %v", name, mint, err)
			}
			if err := terms.CheckMint(mint); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	onChain(t, newChain, "One that does not exist, or is no mint, is the zero Mint, not an error", func(t *testing.T, c Chain) {
		terms := c.SPL
		for _, address := range []string{string(fakes.Mint("nowhere")), string(c.NewWallet()), c.TreasuryAddress()} {
			terms.Mint = money.Token(address)
			mint, err := c.Mint(t.Context(), terms)
			if err != nil || mint.Program != "" || mint.Decimals != 0 || len(mint.Extensions) > 0 {
				t.Errorf("%s: %+v, %v", address, mint, err)
			}
		}
	})
	onChain(t, newChain, "a chain that can't be asked is a fault of kind External", func(t *testing.T, c Chain) {
		c.SetUnreachable(true)
		external(t, "Mint", errorOf(c.Mint(t.Context(), c.SPL)))
	})
}
