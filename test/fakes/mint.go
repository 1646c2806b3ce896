package fakes

import (
	"context"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// SetMint makes a token's mint differ from its terms, for example by an extension;
// the zero Mint stands for none.
func (c *Chain) SetMint(of money.Token, mint token.Mint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mints[of] = mint
}

// Mint serves ports.Mints.
func (c *Chain) Mint(ctx context.Context, terms token.Terms) (token.Mint, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Mint")
	if err != nil {
		return token.Mint{}, err
	}
	if changed, ok := c.mints[terms.Mint]; ok {
		return answer(changed, lost)
	}
	known, ok := c.terms[terms.Mint]
	switch {
	case terms.Program == token.System:
		return answer(token.Mint{Program: token.System, Decimals: 9}, lost)
	case !ok:
		return answer(token.Mint{}, lost)
	}
	return answer(token.Mint{Program: known.Program, Decimals: known.Decimals}, lost)
}
