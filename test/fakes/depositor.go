package fakes

import (
	"context"
	"encoding/json"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// unsigned is what the bytes of a deposit say on a Chain.
type unsigned struct {
	From   wallet.Address
	Token  money.Token
	Amount money.Amount
	Height uint64 // of the block that it was built over
}

// DepositTransaction serves ports.DepositTransactions.
func (c *Chain) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "DepositTransaction")
	if err != nil {
		return deposit.Unsigned{}, err
	}
	raw, err := json.Marshal(unsigned{From: from, Token: terms.Mint, Amount: amount, Height: c.height})
	if err != nil {
		return deposit.Unsigned{}, err
	}
	return answer(deposit.Unsigned{Transaction: raw, LastValidHeight: c.height + ChainBlockhash}, lost)
}

// Pay lands a transaction of DepositTransaction as its wallet signs and sends it, and
// returns its signature. It reports false for one that landed already, is too late, of
// another wallet, or more than the wallet holds.
func (c *Chain) Pay(from wallet.Address, transaction []byte) (signature string, landed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	signature = Signature(string(transaction))
	var paid unsigned
	_, twice := c.landed[signature]
	if twice || json.Unmarshal(transaction, &paid) != nil || paid.From != from || c.height > paid.Height+ChainBlockhash ||
		c.held[holder{string(from), paid.Token}] < uint64(paid.Amount) {
		return signature, false
	}
	c.transfer(signature, from, paid.Token, uint64(paid.Amount), true)
	return signature, true
}
