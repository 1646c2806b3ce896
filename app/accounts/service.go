// Package accounts signs players in and out, shows them their accounts and keeps their limits.
package accounts

import (
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
)

// Service is the use cases of players' accounts. It is safe for concurrent use.
type Service struct {
	core *kernel.Kernel
	play *play.Service
}

// New returns the use cases of players' accounts.
func New(core *kernel.Kernel, play *play.Service) *Service { return &Service{core, play} }
