package onchain_test

import (
	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/token"
)

// built is a payment by the transaction that the service builds for a player, who only signs it.
func built(terms func(*stage) token.Terms, arrives uint64) func(*stage) (string, []claim) {
	return func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		of := terms(s)
		unsigned, err := s.node.DepositTransaction(s.Context(), alice.Wallet, of, paid)
		s.must(nil, err)
		tx, err := sol.TransactionFromBytes(unsigned.Transaction)
		s.must(nil, err)
		tx.Signatures = nil
		s.must(tx.Sign(func(sol.PublicKey) *sol.PrivateKey { return &alice.PrivateKey }))
		return s.land(tx), []claim{{bob, of, rejected(deposit.NotSender)}, {alice, of, credited(amountOf(arrives))}}
	}
}

// builtShapes are the transactions that players sign.
var builtShapes = []shape{
	{"native SOL, built here", built(solTerms, paid)},
	{"an SPL token, built here", built(usdTerms, paid)},
	{"a Token-2022 token with a fee, built here", built(feeTerms, paid-paid/100)},
}
