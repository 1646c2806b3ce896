package ports

import (
	"context"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Unclaimed lists what arrived for wallets that never signed in.
type Unclaimed interface {
	// UnclaimedBalances lists unclaimed balances above zero, by wallet and then token, the
	// greatest first. The cursor is the wallet, a space and the token.
	UnclaimedBalances(ctx context.Context, filter UnclaimedFilter, page Page) (UnclaimedPage, error)
}

// UnclaimedFilter narrows the list; zero fields don't.
type UnclaimedFilter struct {
	Wallet wallet.Address
	Token  money.Token
}

// UnclaimedPage is a page of unclaimed balances.
type UnclaimedPage struct {
	Balances []UnclaimedBalance
	PageInfo
}

// UnclaimedBalance is what a wallet has unclaimed of a token, above zero, in base units.
type UnclaimedBalance struct {
	Wallet wallet.Address
	TokenBalance
}
