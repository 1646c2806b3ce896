package token

import "github.com/casino-service/casino/domain/money"

// DefaultSOLTerms returns terms of native SOL to begin with, in lamports: wagers of 0.0001
// to 1 SOL, payouts of a round up to 20 SOL and up to a hundredth of the house's capital,
// withdrawals of 0.005 to 50 SOL, of which two persons approve those above 10 SOL and, after
// 50 SOL a day, all. They are those of deploy/tokens.example.json.
func DefaultSOLTerms() Terms {
	return Terms{
		Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: System,
		MinDeposit: 1_000_000, MinWager: 100_000, MaxWager: 1_000_000_000, MaxPayout: 20_000_000_000,
		MinWithdrawal: 5_000_000, MaxWithdrawal: 50_000_000_000,
		TwoPersonAbove: 10_000_000_000, TwoPersonAbovePerDay: 50_000_000_000,
		PayoutCap: 20_000_000_000, PayoutCapPerHour: 100_000_000_000, BankrollShare: money.Ratio{Num: 1, Den: 100},
	}
}
