package rows

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Tokens are every token ever met with its last known terms; what opening an account
// of it costs is in a table of its own.
// #nosec G101 -- these tokens are coins, not credentials.
var Tokens = table("tokens", "t",
	text("mint", func(t *token.Terms) *money.Token { return &t.Mint }).keyed(),
	text("symbol", func(t *token.Terms) *string { return &t.Symbol }),
	integer("decimals", func(t *token.Terms) *uint8 { return &t.Decimals }),
	text("program", func(t *token.Terms) *token.Program { return &t.Program }),
	integer("min_deposit", func(t *token.Terms) *money.Amount { return &t.MinDeposit }),
	integer("min_wager", func(t *token.Terms) *money.Amount { return &t.MinWager }),
	integer("max_wager", func(t *token.Terms) *money.Amount { return &t.MaxWager }),
	integer("max_payout", func(t *token.Terms) *money.Amount { return &t.MaxPayout }),
	integer("min_withdrawal", func(t *token.Terms) *money.Amount { return &t.MinWithdrawal }),
	integer("max_withdrawal", func(t *token.Terms) *money.Amount { return &t.MaxWithdrawal }),
	integer("two_person_above", func(t *token.Terms) *money.Amount { return &t.TwoPersonAbove }),
	integer("two_person_above_per_day", func(t *token.Terms) *money.Amount { return &t.TwoPersonAbovePerDay }),
	integer("payout_cap", func(t *token.Terms) *money.Amount { return &t.PayoutCap }),
	integer("payout_cap_per_hour", func(t *token.Terms) *money.Amount { return &t.PayoutCapPerHour }),
	bits("bankroll_share_num", func(t *token.Terms) *uint64 { return &t.BankrollShare.Num }),
	bits("bankroll_share_den", func(t *token.Terms) *uint64 { return &t.BankrollShare.Den }),
	text("seal", func(t *token.Terms) *string { return &t.Seal }),
	integer("new_account_fee", func(t *token.Terms) *money.Amount { return &t.NewAccountFee }).elsewhere(
		"coalesce((SELECT f.new_account_fee FROM token_fees AS f WHERE f.mint = t.mint), 0)"),
)
