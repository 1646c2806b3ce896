// Package operations shows the service's state to those who run it: open work and clocks.
package operations

import (
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/ports"
)

// Service is the use cases of operation. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	payouts  *payouts.Service
	treasury *treasury.Service
}

// New returns the use cases of operation. Head is the chain's newest block, whose time is
// compared with the service's own; nil compares nothing.
func New(core *kernel.Kernel, payouts *payouts.Service, treasury *treasury.Service, head ports.ChainHead) *Service {
	c := &Service{core, payouts, treasury}
	c.compareClocks(head)
	return c
}
