package solana_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// asked counts what reaches the chain.
type asked struct {
	ports.DepositReader
	times int
}

func (a *asked) Observe(context.Context, string) (deposit.Observation, error) {
	a.times++
	return deposit.Observation{}, nil
}

func TestAQuotaKeepsWhatIsTooMuchFromTheChain(t *testing.T) {
	t.Parallel()
	clock, chain := fakes.NewClock(fakes.Start), &asked{}
	quota := solana.NewQuota(chain, clock, 10)
	ask := func(times int) (refused int) {
		for range times {
			if _, err := quota.Observe(t.Context(), fakes.Signature("any")); fault.Is(err, fault.RateLimited) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		return refused
	}
	if refused := ask(100); refused != 80 || chain.times != 20 {
		t.Errorf("of a hundred at once %d were refused and %d asked", refused, chain.times)
	}
	clock.Advance(time.Second)
	if refused := ask(100); refused != 90 || chain.times != 30 {
		t.Errorf("a second later %d were refused and %d asked", refused, chain.times)
	}
}
