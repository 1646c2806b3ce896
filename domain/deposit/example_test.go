package deposit_test

import (
	"fmt"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// Alice sends 2.5 tokens to the treasury. Bob, who signed the same transaction
// to pay its fee, claims them too.
func ExampleJudge() {
	terms := token.Terms{Mint: money.Token(person('m')), Program: token.SPL, Decimals: 6, MinDeposit: 1_000_000}
	treasury := deposit.Treasury{Owner: person('t'), TokenAccount: "treasury's token account"}
	observed := deposit.Observation{
		Signature: "5VERv8…", Found: true, Finalized: true,
		Signers: []string{person('b'), person('a')},
		Tokens: []deposit.TokenChange{
			{
				Account: "alice's token account", Mint: terms.Mint, Program: token.SPL, Decimals: 6,
				OwnerPre: person('a'), OwnerPost: person('a'), Pre: 10_000_000, Post: 7_500_000,
			},
			{
				Account: treasury.TokenAccount, Mint: terms.Mint, Program: token.SPL, Decimals: 6,
				OwnerPre: person('t'), OwnerPost: person('t'), Pre: 0, Post: 2_500_000,
			},
		},
	}
	for name, claimant := range map[string]string{"alice": person('a'), "bob": person('b')} {
		verdict := deposit.Judge(observed, wallet.Address(claimant), terms, treasury)
		fmt.Printf("%s %s %d %q\n", name, verdict.Status, verdict.Amount, verdict.Reason)
	}
	// Unordered output:
	// alice credited 2500000 ""
	// bob rejected 0 "not_sender"
}
