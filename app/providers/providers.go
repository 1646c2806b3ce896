// Package providers launches third-party games and answers their callbacks.
package providers

import (
	"context"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Service has the use cases of third-party games. It is safe for concurrent use.
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

// PlayerFunds locates a player's money for providers' games: at the agent's site, or in
// this ledger if Site is empty.
type PlayerFunds struct {
	Agent, Site string
}

// Sites calls agents' own sites. Package sites implements it.
type Sites interface {
	// Balance reads a player's balance from a site. It returns AgentSeamless if the site
	// doesn't answer.
	Balance(ctx context.Context, at PlayerFunds, w wallet.Address) (seamless.Decimal, error)
	// Answer answers a transaction that involves a site.
	Answer(ctx context.Context, t seamless.Transaction, receipt player.Receipt) (kernel.ProviderResponse, error)
}

// Forward forwards transactions of players with money at agents' sites to these sites.
// Without it, such players are refused with AgentSeamless.
func (c *Service) Forward(to Sites) { c.sites = to }

func (c *Service) forwardsToSites() bool { return c.core.Provider.Sites != nil && c.sites != noSites{} }

type noSites struct{}

func (noSites) Balance(context.Context, PlayerFunds, wallet.Address) (seamless.Decimal, error) {
	return "", ErrSeamless()
}

func (noSites) Answer(context.Context, seamless.Transaction, player.Receipt) (kernel.ProviderResponse, error) {
	return kernel.ProviderResponse{}, ErrSeamless()
}

// fundsOf reads where a player's money is now. Players of the house have it in this ledger.
func (c *Service) fundsOf(ctx context.Context, w wallet.Address) (PlayerFunds, error) {
	known, err := c.core.Store.Players.Player(ctx, w)
	switch {
	case fault.Is(err, fault.NotFound):
		return PlayerFunds{}, nil // the decision refuses an unknown player
	case err != nil:
		return PlayerFunds{}, err
	case known.Agent == player.HouseAgent:
		return PlayerFunds{Agent: known.Agent}, nil
	}
	found, err := c.core.Store.Agents.Agent(ctx, known.Agent)
	if fault.Is(err, fault.NotFound) { // an agent without a row has no site
		return PlayerFunds{Agent: known.Agent}, nil
	}
	return PlayerFunds{Agent: known.Agent, Site: found.SiteEndpoint}, err
}

// ErrSeamless returns the fault for requests that only an agent's site could answer.
func ErrSeamless() error {
	return fault.New(fault.AgentSeamless, "the agent's site, which holds its players' balances, does not answer")
}
