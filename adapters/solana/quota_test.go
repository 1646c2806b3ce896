package solana_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// asked counts what reaches the chain.
type asked struct {
	ports.DepositReader
	observed, built, funds int
}

func (a *asked) Observe(context.Context, string) (deposit.Observation, error) {
	a.observed++
	return deposit.Observation{}, nil
}

func (a *asked) DepositTransaction(context.Context, wallet.Address, token.Terms, money.Amount) (deposit.Unsigned, error) {
	a.built++
	return deposit.Unsigned{}, nil
}

func (a *asked) Funds(context.Context, wallet.Address, token.Terms) (money.Amount, error) {
	a.funds++
	return 0, nil
}

func TestAQuotaKeepsWhatIsTooMuchFromTheChain(t *testing.T) {
	t.Parallel()
	clock, chain := fakes.NewClock(fakes.Start), &asked{}
	quota := solana.NewQuota(chain, clock, 10)
	ask := func(times int, question func() error) (refused int) {
		for range times {
			if err := question(); fault.Is(err, fault.RateLimited) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		return refused
	}
	observe := func() error {
		_, err := quota.Observe(t.Context(), fakes.Signature("any"))
		return err
	}
	build := func() error {
		_, err := quota.DepositTransaction(t.Context(), fakes.Wallet("alice"), fakes.Terms(), 1)
		return err
	}
	if refused := ask(100, observe); refused != 80 || chain.observed != 20 {
		t.Errorf("of a hundred at once %d were refused and %d asked", refused, chain.observed)
	}
	// Many built transactions don't use up the quota of observations, nor the other way
	// round.
	if refused := ask(100, build); refused != 80 || chain.built != 20 {
		t.Errorf("of a hundred to be built at once %d were refused and %d asked", refused, chain.built)
	}
	if refused := ask(100, func() error {
		_, err := quota.Funds(t.Context(), fakes.Wallet("alice"), fakes.Terms())
		return err
	}); refused != 80 || chain.funds != 20 {
		t.Errorf("of a hundred balances at once %d were refused and %d asked", refused, chain.funds)
	}
	clock.Advance(time.Second)
	if refused := ask(100, observe); refused != 90 || chain.observed != 30 {
		t.Errorf("a second later %d were refused and %d asked", refused, chain.observed)
	}
	if refused := ask(100, build); refused != 90 || chain.built != 30 {
		t.Errorf("a second later %d to be built were refused and %d asked", refused, chain.built)
	}
}
