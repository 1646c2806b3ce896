// Package providers launches third-party games and answers their callbacks.
package providers

import (
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
)

// Service is the use cases of third-party games. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	catalogue ownGames
	pictures  pictureOrigins
	sites     Sites
}

// New returns the use cases of third-party games.
func New(core *kernel.Kernel, requests *approvals.Service) *Service {
	c := &Service{core: core, approvals: requests, sites: noSites{}}
	requests.Register(approval.ProviderWin, c.winEffect)
	return c
}
