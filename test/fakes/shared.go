package fakes

import (
	"fmt"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// SharedDeposit lands a transaction that two wallets sign and pay together,
// half of the amount each.
func (c *Chain) SharedDeposit(one, two wallet.Address, of money.Token, half money.Amount) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	signature := Signature(fmt.Sprintf("deposit %d", c.made))
	seen := deposit.Observation{Signature: signature, Found: true, Signers: []string{string(one), string(two)}}
	part := uint64(half)
	for _, payer := range []wallet.Address{one, two} {
		from, to := holder{string(payer), of}, holder{house, of}
		if c.held[from] < part {
			panic(fmt.Sprintf("fakes: %s holds %d and deposits %d", payer, c.held[from], half))
		}
		c.held[from], c.held[to] = c.held[from]-part, c.held[to]+part
		paid := c.observation(signature, of, [2]string{string(payer), house},
			[2]uint64{c.held[from] + part, c.held[to] - part}, [2]uint64{c.held[from], c.held[to]})
		seen.Lamports = append(seen.Lamports, paid.Lamports...)
		seen.Tokens = append(seen.Tokens, paid.Tokens...)
	}
	// The treasury was listed with each payer; it has one balance before and one after.
	seen.Lamports, seen.Tokens = joined(seen.Lamports, seen.Tokens)
	c.keep(signature, &landed{height: c.height, seen: seen, gained: map[money.Token]int64{of: int64(2 * part)}})
	return signature
}

// joined makes one change of two that follow each other on the same account: the
// second and the fourth.
func joined(lamports []deposit.LamportChange, tokens []deposit.TokenChange) ([]deposit.LamportChange, []deposit.TokenChange) {
	if len(lamports) == 4 {
		lamports[1].Post = lamports[3].Post
		lamports = lamports[:3]
	}
	if len(tokens) == 4 {
		tokens[1].Post = tokens[3].Post
		tokens = tokens[:3]
	}
	return lamports, tokens
}
