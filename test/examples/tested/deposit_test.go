// Package tested_test is a test of code that uses the casino, to copy: docs/testing.md shows it.
package tested_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// TestADepositIsCreditedOnceItIsFinal doesn't wait and isn't random, because it controls the
// clock, the chain and the randomness.
func TestADepositIsCreditedOnceItIsFinal(t *testing.T) {
	t.Parallel()
	casino, chain := newCasino(t)
	alice := app.Caller{Wallet: fakes.Wallet("alice")}
	chain.Fund(alice.Wallet, money.SOL, 50_000_000)
	paid := chain.Deposit(alice.Wallet, money.SOL, 50_000_000)

	claim, err := casino.Deposits.Deposit(t.Context(), alice, paid, string(money.SOL))
	if err != nil || claim.Claim.Status != deposit.Pending || claim.Balance != 0 {
		t.Errorf("before finality: %v, balance %d, %v", claim.Claim.Status, claim.Balance, err)
	}
	chain.Finalize()
	claim, err = casino.Deposits.Deposit(t.Context(), alice, paid, string(money.SOL))
	if err != nil || claim.Claim.Status != deposit.Credited || claim.Balance != 50_000_000 {
		t.Errorf("afterwards: %v, balance %d, %v", claim.Claim.Status, claim.Balance, err)
	}
	chain.SetUnreachable(true) // an unreachable node doesn't lose a deposit
	if _, err = casino.Deposits.Deposit(t.Context(), alice, fakes.Signature("another"), string(money.SOL)); fault.KindOf(err) != fault.External {
		t.Errorf("without a chain: %v", err)
	}
}

// newCasino returns a casino in memory that begins at fakes.Start.
func newCasino(t *testing.T) (*app.Casino, *fakes.Chain) {
	t.Helper()
	chain, clock := fakes.NewChain(fakes.Terms()), fakes.NewClock(fakes.Start)
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		t.Fatal(err)
	}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(memory.New()), Chain: chain, Clock: clock, Entropy: fakes.NewEntropy(1),
		Sessions: fakes.NewSessions(clock, "test", time.Hour),
		Games:    games, Tokens: token.NewBook(fakes.Terms()), Policy: rbac.DefaultPolicy(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := casino.Deposits.BeginWatch(t.Context()); err != nil {
		t.Fatal(err)
	}
	return casino, chain
}
