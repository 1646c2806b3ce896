package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// TokenRow is a row of tokens. What opening an account of a token costs is in a table of its
// own.
type TokenRow struct {
	bun.BaseModel `bun:"table:tokens,alias:t"`
	Terms         struct {
		Mint                 money.Token `bun:",pk"`
		Symbol               string
		Decimals             uint8
		Program              token.Program
		MinDeposit           money.Amount
		MinWager             money.Amount
		MaxWager             money.Amount
		MaxPayout            money.Amount
		MinWithdrawal        money.Amount
		MaxWithdrawal        money.Amount
		TwoPersonAbove       money.Amount
		TwoPersonAbovePerDay money.Amount
		PayoutCap            money.Amount
		PayoutCapPerHour     money.Amount
		NewAccountFee        money.Amount `bun:",scanonly"`
		BankrollShare        money.Ratio  `bun:"embed:bankroll_share_"`
		LargeWin             money.Amount `bun:"-"`
		Seal                 string
		Closing              bool `bun:"-"`
	} `bun:"embed:"`
}

// Tokens are every token ever met with its last known terms.
// #nosec G101 -- these tokens are coins, not credentials.
var Tokens = modelOf[TokenRow, token.Terms]().reading("new_account_fee", "coalesce((SELECT f.new_account_fee FROM token_fees AS f WHERE f.mint = t.mint), 0)")
