// Package play places bets, rotates seed pairs and pauses play.
package play

import (
	"github.com/casino-service/casino/app/kernel"
)

// Service is the use cases of play. It is safe for concurrent use.
type Service struct {
	core     *kernel.Kernel
	bankroll *bankrollCache
}

// New returns the use cases of play.
func New(core *kernel.Kernel) *Service {
	return &Service{core: core, bankroll: newBankrollCache(core.Store.Figures, core.Clock)}
}
