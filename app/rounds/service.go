// Package rounds plays rounds step by step and ends those that nobody plays on.
package rounds

import (
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
)

// Service is the use cases of rounds that are played step by step. It is safe for
// concurrent use.
type Service struct {
	core *kernel.Kernel
	play *play.Service
}

// New returns the use cases of rounds that are played step by step.
func New(core *kernel.Kernel, play *play.Service) *Service { return &Service{core, play} }
