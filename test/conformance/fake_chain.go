package conformance

import (
	"fmt"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// FakeChain returns fakes.Chain as the suites want a chain, with plenty of SOL and of one
// token in its treasury: every port that you don't write yourself.
func FakeChain() Chain {
	sol, spl := fakes.Terms(), fakes.TermsOf("usd")
	sol.MinDeposit, spl.MinDeposit = 1, 1
	chain := fakes.NewChain(sol, spl)
	house := wallet.Address(chain.TreasuryAddress())
	chain.Fund(house, sol.Mint, 1_000_000_000_000)
	chain.Fund(house, spl.Mint, 1_000_000_000_000)
	made := 0
	return Chain{
		ChainPorts: chain, SOL: sol, SPL: spl,
		NewWallet: func() wallet.Address {
			made++
			return fakes.Wallet(fmt.Sprintf("wallet %d", made))
		},
		Fund: func(w wallet.Address, terms token.Terms, amount money.Amount) { chain.Fund(w, terms.Mint, amount) },
		Deposit: func(from wallet.Address, terms token.Terms, amount money.Amount, fails bool) string {
			if fails {
				return chain.FailedDeposit(from, terms.Mint)
			}
			return chain.Deposit(from, terms.Mint, amount)
		},
		Pay:      chain.Pay,
		Held:     func(address string, terms token.Terms) money.Amount { return chain.Held(address, terms.Mint) },
		Finalize: chain.Finalize,
		Expire:   chain.Expire,
		Drain:    func(terms token.Terms) { chain.Drain(terms.Mint) },
		Occupied: func() string {
			chain.Occupy(string(fakes.Wallet("program")))
			return string(fakes.Wallet("program"))
		},
		TooSmall: fakes.ChainMinimum - 1, SetUnreachable: chain.SetUnreachable,
		LoseAnswer: func() { chain.Script("Send", fakes.AnswerLost) },
	}
}
