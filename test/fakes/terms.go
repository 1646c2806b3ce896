package fakes

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Terms returns the terms of native SOL, open for everything, with limits that an
// ordinary test doesn't meet: deposits from 0.001 SOL, wagers from 10,000 lamports to
// 0.01 SOL, payouts of a round up to 1 SOL, withdrawals of 0.001 to 1 SOL that one person
// approves, 1 SOL a payout and 10 SOL an hour, and a tenth of the bankroll a bet. Change
// fields of the copy for others.
func Terms() token.Terms {
	return token.Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
		MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 10_000_000, MaxPayout: 1_000_000_000,
		MinWithdrawal: 1_000_000, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: 1_000_000_000, PayoutCapPerHour: 10_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 10},
	}
}

// TermsOf returns Terms for an SPL token of six decimals whose mint is Mint(name).
func TermsOf(name string) token.Terms {
	terms := Terms()
	terms.Mint, terms.Symbol, terms.Decimals, terms.Program = Mint(name), name, 6, token.SPL
	return terms
}
