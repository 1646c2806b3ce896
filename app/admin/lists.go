// Package admin administers players, agents, roles and brandings, and reports on play.
package admin

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of administration. It is safe for concurrent use.
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
	requests.Register(approval.AdmissionOverruling, c.overruleEffect)
	for _, kind := range approval.Kinds() {
		if _, adjusts := player.AdjustmentOf(kind); adjusts && kind != approval.UnclaimedAssignment { // package deposits registers it
			requests.Register(kind, c.adjustEffect)
		}
	}
	return c
}

// AdminTransactions lists deposits, withdrawals and adjustments of all players within the
// caller's scope.
func (c *Service) AdminTransactions(ctx context.Context, caller kernel.Caller, filter ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return ports.TransactionPage{}, err
	}
	return c.core.Store.Transactions.Transactions(ctx, filter, page)
}

// AdminRounds lists rounds of all players within the caller's scope.
func (c *Service) AdminRounds(ctx context.Context, caller kernel.Caller, filter ports.RoundFilter, page ports.Page) (accounts.RoundsWithSeeds, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return accounts.RoundsWithSeeds{}, err
	}
	return c.accounts.RoundsWithSeeds(ctx, filter, page)
}

// AdminPlayers lists players within the caller's scope.
func (c *Service) AdminPlayers(ctx context.Context, caller kernel.Caller, filter ports.PlayerFilter, page ports.Page) (ports.PlayerPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &filter.Agent) {
		return ports.PlayerPage{}, err
	}
	return c.core.Store.Players.PlayerList(ctx, filter, page)
}

// PlayerDetails is all that an admin sees of a player.
type PlayerDetails struct {
	player.Player
	Balances        []ports.TokenBalance
	OpenWithdrawals []withdrawal.Withdrawal // newest first
}

// AdminPlayer returns one player with the balances at the end of a millisecond; the zero time
// stands for now. A player outside the caller's scope is NotFound.
func (c *Service) AdminPlayer(ctx context.Context, caller kernel.Caller, w string, at time.Time) (PlayerDetails, error) {
	found, err := c.core.SeenPlayer(ctx, caller, w)
	if err != nil {
		return PlayerDetails{}, err
	}
	found.Protection = found.Protection.At(c.core.Now())
	details := PlayerDetails{Player: found}
	if details.Balances, err = c.core.BalancesAt(ctx, found.Wallet, at); err != nil {
		return PlayerDetails{}, err
	}
	details.OpenWithdrawals, err = c.core.Store.Withdrawals.OpenWithdrawals(ctx, found.Wallet)
	return details, err
}

// AdminBalances lists one player's balances. A player outside the caller's scope is
// NotFound.
func (c *Service) AdminBalances(ctx context.Context, caller kernel.Caller, w string) ([]ports.TokenBalance, error) {
	found, err := c.core.SeenPlayer(ctx, caller, w)
	if err != nil {
		return nil, err
	}
	return c.core.Store.Players.Balances(ctx, found.Wallet)
}

// AuditRecords lists the audit records. Records name no agent, so a role bound to an agent
// sees none.
func (c *Service) AuditRecords(ctx context.Context, caller kernel.Caller, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AuditRead)
	if err != nil || own.AgentCode != "" {
		return ports.AuditPage{}, err
	}
	return c.core.Store.AuditLog.Records(ctx, filter, page)
}

// PublicBranding returns the present branding: the newest that an admin set, or
// Deps.Branding.
func (c *Service) PublicBranding(ctx context.Context) (branding.Branding, error) {
	chosen, err := c.core.Store.Brandings.Branding(ctx)
	if fault.Is(err, fault.NotFound) {
		return c.core.Branding, nil
	}
	return chosen, err
}

// BrandingChange holds the fields of the branding to change; nil fields keep their value.
type BrandingChange struct{ Title, LogoURL, AccentColor *string }

// ChangeBranding changes the branding and returns the result.
func (c *Service) ChangeBranding(ctx context.Context, caller kernel.Caller, change BrandingChange) (branding.Branding, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.WhitelabelWrite); err != nil {
		return branding.Branding{}, err
	}
	if err := c.checkLogo(ctx, change); err != nil {
		return branding.Branding{}, err
	}
	record := c.core.Record(caller, audit.BrandingChanged, "branding")
	var next branding.Branding
	err := c.core.Store.Brandings.ChangeBranding(ctx, caller.Wallet, func(actor rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error) {
		if err := c.core.Policy.Check(actor, rbac.WhitelabelWrite); err != nil {
			return branding.Branding{}, audit.Record{}, err
		}
		if actor.AgentCode != "" {
			return branding.Branding{}, audit.Record{}, fault.New(fault.Forbidden, "an admin bound to an agent can't change the branding")
		}
		before := c.core.Branding
		if present != nil {
			before = *present
		}
		next = before
		Set(&next.Title, change.Title)
		Set(&next.LogoURL, change.LogoURL)
		Set(&next.AccentColor, change.AccentColor)
		if err := next.Check(); err != nil {
			return branding.Branding{}, audit.Record{}, err
		}
		record.Before, record.After = describeBranding(before), describeBranding(next)
		return next, record, nil
	})
	return next, err
}

// checkLogo refuses a logo if its host can't be resolved or isn't on the public internet,
// because players' pages would load it. URLs that are refused anyway aren't looked up.
func (c *Service) checkLogo(ctx context.Context, change BrandingChange) error {
	if change.LogoURL == nil {
		return nil
	}
	next := branding.Default()
	if next.LogoURL = *change.LogoURL; next.Check() != nil {
		return nil //nolint:nilerr // Branding.Check reports this with the other faults of the change
	}
	return c.core.PublicHostOf(ctx, "logoUrl", next.LogoURL)
}

func describeBranding(b branding.Branding) string {
	return b.Title + " " + b.LogoURL + " " + b.AccentColor
}
