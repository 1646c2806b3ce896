// Package payouts takes withdrawals, has admins decide on them, and pays them on chain.
package payouts

import (
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of withdrawals and payouts. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	deposits  *deposits.Service
	signed    ports.TreasuryHistory
}

// New returns the use cases of withdrawals and payouts. Signed is what the treasury signed,
// as the chain shows it; nil for a service that can't ask.
func New(core *kernel.Kernel, requests *approvals.Service, deposits *deposits.Service, signed ports.TreasuryHistory) *Service {
	c := &Service{core, requests, deposits, signed}
	requests.Register(approval.PayoutsResume, c.resumeEffect)
	return c
}
