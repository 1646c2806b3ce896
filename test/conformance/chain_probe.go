package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/wallet"
)

// ChainProbe proves the contract of ports.ChainProbe.
func ChainProbe(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "Genesis returns the chain's genesis hash", func(t *testing.T, c Chain) {
		first, err := c.Genesis(t.Context())
		if err != nil || first == "" {
			t.Fatalf("%q, %v", first, err)
		}
		c.Finalize()
		if again, err := c.Genesis(t.Context()); err != nil || again != first {
			t.Errorf("%q, %v; before %q", again, err, first)
		}
		c.SetUnreachable(true)
		_, err = c.Genesis(t.Context())
		external(t, "Genesis", err)
	})
	for name := range (Chain{}).both() {
		onChain(t, newChain, "Holding returns what the treasury holds of a token, finalized, in base units: "+name, func(t *testing.T, c Chain) {
			terms, player := c.both()[name], c.NewWallet()
			c.Fund(player, terms, depositUnits)
			before := c.holding(t, terms)
			c.Deposit(player, terms, depositUnits, false)
			if got := c.holding(t, terms); got != before {
				t.Errorf("%d before and %d after a deposit that isn't finalized", before, got)
			}
			c.Finalize()
			if got := c.holding(t, terms); got != before+depositUnits {
				t.Errorf("%d before, %d after a deposit of %d", before, got, depositUnits)
			}
			c.Drain(terms)
			c.Finalize()
			if got := c.holding(t, terms); name != "SOL" && got != 0 {
				t.Errorf("%d after all was taken away", got)
			}
			c.SetUnreachable(true)
			_, err := c.Holding(t.Context(), terms)
			external(t, "Holding", err)
		})
	}
	onChain(t, newChain, "Healthy returns nil when the chain answers and is not behind", func(t *testing.T, c Chain) {
		if err := c.Healthy(t.Context()); err != nil {
			t.Error(err)
		}
		c.SetUnreachable(true)
		external(t, "Healthy", c.Healthy(t.Context()))
		c.SetUnreachable(false)
		if err := c.Healthy(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// HouseAddresses proves the contract of ports.HouseAddresses.
func HouseAddresses(t *testing.T, newChain func(t *testing.T) Chain) {
	onChain(t, newChain, "TreasuryAddress returns the wallet deposits are sent to", func(t *testing.T, c Chain) {
		if _, err := wallet.Parse(c.TreasuryAddress()); err != nil {
			t.Errorf("%s: %v", c.TreasuryAddress(), err)
		}
		if where, err := c.Treasury(c.SOL); err != nil || where.Owner != c.TreasuryAddress() {
			t.Errorf("%+v, %v", where, err)
		}
	})
	onChain(t, newChain, "Reserved reports whether the address is the treasury, one of its token accounts, or an accepted mint", func(t *testing.T, c Chain) {
		where, err := c.Treasury(c.SPL)
		if err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{
			c.TreasuryAddress(), where.TokenAccount, where.WrappedSOL, string(c.SPL.Mint), string(c.SOL.Mint),
		} {
			if !c.Reserved(address) {
				t.Errorf("%s isn't reserved", address)
			}
		}
		for _, address := range []string{"", string(alice), string(c.NewWallet()), c.TreasuryAddress() + " "} {
			if c.Reserved(address) {
				t.Errorf("%q is reserved", address)
			}
		}
	})
}
