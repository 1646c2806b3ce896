package solana

import (
	"context"

	"golang.org/x/time/rate"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.DepositReader = (*Quota)(nil)

// Quota asks another reader about transactions, and refuses what would be more than its
// share of the node's calls. It is for questions that strangers cause, who would else
// use up what the workers need. It is safe for concurrent use.
type Quota struct {
	ports.DepositReader
	clock   ports.Clock
	allowed *rate.Limiter
}

// NewQuota returns a Quota of so many questions a second, with bursts of twice as many.
func NewQuota(reader ports.DepositReader, clock ports.Clock, perSecond int) *Quota {
	return &Quota{DepositReader: reader, clock: clock, allowed: rate.NewLimiter(rate.Limit(perSecond), 2*perSecond)}
}

// Observe serves ports.DepositReader. Beyond the quota it is a fault of kind RateLimited,
// and the chain isn't asked.
func (q *Quota) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if !q.allowed.AllowN(q.clock.Now(), 1) {
		return deposit.Observation{}, errQuota
	}
	return q.DepositReader.Observe(ctx, signature)
}

var errQuota = fault.New(fault.RateLimited, "too many deposits are being looked up at the moment")
