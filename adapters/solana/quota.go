package solana

import (
	"context"

	"golang.org/x/time/rate"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.DepositReader       = (*Quota)(nil)
	_ ports.DepositTransactions = (*Quota)(nil)
)

// PlayerPorts are the calls to the chain that players cause.
type PlayerPorts interface {
	ports.DepositReader
	ports.DepositTransactions
}

// Quota forwards players' requests to another adapter, up to their share of the node's
// calls. Without it outsiders could use up the calls that the workers need. It is safe for
// concurrent use.
type Quota struct {
	chain                   PlayerPorts
	clock                   ports.Clock
	observes, builds, funds *rate.Limiter
}

// NewQuota returns a Quota of perSecond observations, perSecond built transactions and
// perSecond balances, counted separately, each with bursts of twice as many.
func NewQuota(chain PlayerPorts, clock ports.Clock, perSecond int) *Quota {
	share := func() *rate.Limiter { return rate.NewLimiter(rate.Limit(perSecond), 2*perSecond) }
	return &Quota{chain: chain, clock: clock, observes: share(), builds: share(), funds: share()}
}

// Observe serves ports.DepositReader. Beyond the quota it returns a fault of kind
// RateLimited without calling the chain.
func (q *Quota) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if !q.observes.AllowN(q.clock.Now(), 1) {
		return deposit.Observation{}, fault.New(fault.RateLimited, "too many deposits are being looked up at the moment")
	}
	return q.chain.Observe(ctx, signature)
}

// Treasury serves ports.DepositReader without calling the chain.
func (q *Quota) Treasury(terms token.Terms) (deposit.Treasury, error) { return q.chain.Treasury(terms) }

// DepositTransaction serves ports.DepositTransactions. Beyond the quota it returns a fault
// of kind RateLimited without calling the chain.
func (q *Quota) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	if !q.builds.AllowN(q.clock.Now(), 1) {
		return deposit.Unsigned{}, fault.New(fault.RateLimited, "too many deposits are being prepared at the moment").
			With("retryAfterMs", int64(1_000))
	}
	return q.chain.DepositTransaction(ctx, from, terms, amount)
}

// Funds serves ports.DepositTransactions. Beyond the quota it returns a fault of kind
// RateLimited without calling the chain.
func (q *Quota) Funds(ctx context.Context, of wallet.Address, terms token.Terms) (money.Amount, error) {
	if !q.funds.AllowN(q.clock.Now(), 1) {
		return 0, fault.New(fault.RateLimited, "too many balances are being read at the moment")
	}
	return q.chain.Funds(ctx, of, terms)
}
