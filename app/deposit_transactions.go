package app

import (
	"context"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// DepositTransaction builds the transaction by which the caller's wallet deposits an
// amount of a token, for the wallet to sign and send. It books nothing and reserves
// nothing: what arrives is credited whether it was claimed with Deposit or not.
func (c *Casino) DepositTransaction(ctx context.Context, caller Caller, mint string, amount money.Amount) (deposit.Unsigned, error) {
	name, err := money.ParseToken(mint)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	terms, err := c.Tokens.Open(name)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	if err := c.mints.open(terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if err := deposit.CheckAmount(amount, terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if string(caller.Wallet) == c.chain.TreasuryAddress() {
		return deposit.Unsigned{}, rejected(deposit.TreasurySigned)
	}
	if err := c.mayAskChain(ctx, "transaction", caller.Wallet); err != nil {
		return deposit.Unsigned{}, err
	}
	return c.deposits.DepositTransaction(ctx, caller.Wallet, terms, amount)
}

// depositTransactionsOf returns what builds the transactions: the port that was given, or
// the chain where it serves it too.
func depositTransactionsOf(deps Deps) ports.DepositTransactions {
	if deps.DepositTransactions != nil {
		return deps.DepositTransactions
	}
	if chain, ok := deps.Chain.(ports.DepositTransactions); ok {
		return chain
	}
	return absentDepositTransactions{absent{"transactions of deposits, which players make themselves"}}
}

type absentDepositTransactions struct{ absent }

func (a absentDepositTransactions) DepositTransaction(context.Context, wallet.Address, token.Terms, money.Amount) (deposit.Unsigned, error) {
	return deposit.Unsigned{}, a.refusal()
}
