// Package treasury compares the treasury on chain with the book, and books the operator's
// capital.
package treasury

import (
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
)

// Service is the use cases of the treasury. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	deposits *deposits.Service
	treasury *Treasury
}

// New returns the use cases of the treasury.
func New(core *kernel.Kernel, deposits *deposits.Service) *Service {
	c := &Service{core: core, deposits: deposits}
	c.treasury = newTreasury(c)
	return c
}
