// Package deposits credits what players send on chain: transactions that they claim, what
// the watcher finds, and what an admin decides about.
package deposits

import (
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of deposits. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	claims    ports.DepositReader
	deposits  ports.DepositTransactions
	mints     *mintWatch
}

// New returns the use cases of deposits. Claims is asked about the transactions that players
// claim, transactions builds those that they sign.
func New(core *kernel.Kernel, requests *approvals.Service, claims ports.DepositReader, transactions ports.DepositTransactions) *Service {
	c := &Service{
		core: core, approvals: requests, claims: claims, deposits: transactions,
		mints: &mintWatch{found: map[money.Token]error{}, minimum: map[money.Token]money.Amount{}},
	}
	requests.Register(approval.DepositResolution, c.creditOf)
	requests.Register(approval.UnclaimedAssignment, c.assignEffect)
	return c
}
