// Package admin administers players, agents, roles and brandings, and reports on play.
package admin

import (
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/player"
)

// Service is the use cases of administration. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	accounts  *accounts.Service
	treasury  *treasury.Service
	monitor   *RTPMonitor
}

// New returns the use cases of administration.
func New(core *kernel.Kernel, requests *approvals.Service, accounts *accounts.Service, treasury *treasury.Service) *Service {
	c := &Service{core: core, approvals: requests, accounts: accounts, treasury: treasury}
	c.monitor = &RTPMonitor{casino: c}
	requests.Register(approval.AgentFunds, c.fundEffect)
	for _, kind := range approval.Kinds() {
		if _, adjusts := player.AdjustmentOf(kind); adjusts && kind != approval.UnclaimedAssignment { // that is package deposits'
			requests.Register(kind, c.adjustEffect)
		}
	}
	return c
}
