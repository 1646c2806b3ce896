package deposits

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// DepositTransaction builds the transaction by which the caller's wallet deposits an
// amount of a token, for the wallet to sign and send. It books nothing and reserves
// nothing: what arrives is credited whether it was claimed with Deposit or not.
func (c *Service) DepositTransaction(ctx context.Context, caller kernel.Caller, mint string, amount money.Amount) (deposit.Unsigned, error) {
	name, err := money.ParseToken(mint)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	terms, err := c.core.Tokens.Open(name)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	if err := c.mints.open(terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if err := deposit.CheckAmount(amount, terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if string(caller.Wallet) == c.core.Chain.TreasuryAddress() {
		return deposit.Unsigned{}, rejected(deposit.TreasurySigned)
	}
	if err := c.mayAskChain(ctx, "transaction", caller.Wallet); err != nil {
		return deposit.Unsigned{}, err
	}
	return c.deposits.DepositTransaction(ctx, caller.Wallet, terms, amount)
}
