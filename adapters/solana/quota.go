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

// PlayerPorts are what the chain is asked for players.
type PlayerPorts interface {
	ports.DepositReader
	ports.DepositTransactions
}

// Quota asks another adapter for players, and refuses what would be more than their share
// of the node's calls. It is for questions that strangers cause, who would else use up
// what the workers need. It is safe for concurrent use.
type Quota struct {
	chain            PlayerPorts
	clock            ports.Clock
	observes, builds *rate.Limiter
}

// NewQuota returns a Quota of so many observed and so many built transactions a second,
// with bursts of twice as many: who asks for the one doesn't keep others from the other.
func NewQuota(chain PlayerPorts, clock ports.Clock, perSecond int) *Quota {
	share := func() *rate.Limiter { return rate.NewLimiter(rate.Limit(perSecond), 2*perSecond) }
	return &Quota{chain: chain, clock: clock, observes: share(), builds: share()}
}

// Observe serves ports.DepositReader. Beyond the quota it is a fault of kind RateLimited,
// and the chain isn't asked.
func (q *Quota) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if !q.observes.AllowN(q.clock.Now(), 1) {
		return deposit.Observation{}, fault.New(fault.RateLimited, "too many deposits are being looked up at the moment")
	}
	return q.chain.Observe(ctx, signature)
}

// Treasury serves ports.DepositReader, without asking the chain.
func (q *Quota) Treasury(terms token.Terms) (deposit.Treasury, error) { return q.chain.Treasury(terms) }

// DepositTransaction serves ports.DepositTransactions. Beyond the quota it is a fault of
// kind RateLimited, and the chain isn't asked.
func (q *Quota) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	if !q.builds.AllowN(q.clock.Now(), 1) {
		return deposit.Unsigned{}, fault.New(fault.RateLimited, "too many deposits are being prepared at the moment").
			With("retryAfterMs", int64(1_000))
	}
	return q.chain.DepositTransaction(ctx, from, terms, amount)
}
