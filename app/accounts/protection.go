package accounts

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Protection returns the caller's present restrictions: limits, exclusion and freezing.
func (c *Service) Protection(ctx context.Context, caller kernel.Caller) (protection.State, error) {
	found, err := c.core.Store.Players.Player(ctx, caller.Wallet)
	return found.Protection.At(c.core.Now()), err
}

// SetLimits sets the caller's limits. Lower limits apply at once, higher ones once the caller
// confirms them a day later.
func (c *Service) SetLimits(ctx context.Context, caller kernel.Caller, requested []protection.LimitRequest) (protection.State, error) {
	return c.changeProtection(ctx, caller, caller.Wallet, "", audit.LimitsChanged, c.newLimits(requested, protection.State.WithLimits))
}

// ConfirmLimits makes the caller's changes of limits that have waited for a day.
func (c *Service) ConfirmLimits(ctx context.Context, caller kernel.Caller) (protection.State, error) {
	return c.changeProtection(ctx, caller, caller.Wallet, "", audit.LimitsChanged, protection.State.Confirm)
}

// Exclude excludes the caller from play until the given time, or permanently.
func (c *Service) Exclude(ctx context.Context, caller kernel.Caller, until time.Time, forever bool) (protection.State, error) {
	return c.changeProtection(ctx, caller, caller.Wallet, "", audit.PlayerExcluded, c.newExclusion(until, forever))
}

// CoolOff sets a break from play until the given time, which can't be ended early.
func (c *Service) CoolOff(ctx context.Context, caller kernel.Caller, until time.Time) (protection.State, error) {
	return c.changeProtection(ctx, caller, caller.Wallet, "", audit.PlayerCooledOff, func(s protection.State, now time.Time) (protection.State, error) {
		return s.CoolOff(until, now)
	})
}

// AdminProtection returns the restrictions of a player within the caller's scope.
func (c *Service) AdminProtection(ctx context.Context, caller kernel.Caller, w string) (protection.State, error) {
	found, err := c.core.SeenPlayer(ctx, caller, w)
	return found.Protection.At(c.core.Now()), err
}

// AdminSetLimits sets the limits that the operator imposes on a player, with a reason. They
// apply at once, beside the player's own, until the operator lifts them.
func (c *Service) AdminSetLimits(ctx context.Context, caller kernel.Caller, w, reason string, requested []protection.LimitRequest) (protection.State, error) {
	return c.adminProtect(ctx, caller, w, reason, audit.LimitsChanged, c.newLimits(requested, protection.State.Impose))
}

// AdminExclude excludes a player, with a reason.
func (c *Service) AdminExclude(ctx context.Context, caller kernel.Caller, w, reason string, until time.Time, forever bool) (protection.State, error) {
	return c.adminProtect(ctx, caller, w, reason, audit.PlayerExcluded, c.newExclusion(until, forever))
}

// SetFrozen freezes or releases a player's account. Freezing stops play and withdrawals.
func (c *Service) SetFrozen(ctx context.Context, caller kernel.Caller, w, reason string, frozen bool) (protection.State, error) {
	action := audit.PlayerFrozen
	if !frozen {
		action = audit.PlayerReleased
	}
	return c.adminProtect(ctx, caller, w, reason, action, func(s protection.State, _ time.Time) (protection.State, error) {
		return s.Freeze(frozen), nil
	})
}

// changeProtection returns a player's next protection at the given time.
type changeProtection func(protection.State, time.Time) (protection.State, error)

// newExclusion returns a change that refuses exclusions shorter than Settings.ExclusionMin.
func (c *Service) newExclusion(until time.Time, forever bool) changeProtection {
	return func(s protection.State, now time.Time) (protection.State, error) {
		if least := c.core.Settings.ExclusionMin; least > 0 && !forever && until.Before(now.Add(least)) {
			return protection.State{}, fault.Field("until", "must be at least %s from now", least)
		}
		return s.Exclude(until, forever, now)
	}
}

// newLimits returns a change that first refuses tokens that the casino never accepted.
func (c *Service) newLimits(requested []protection.LimitRequest,
	change func(protection.State, []protection.LimitRequest, time.Time) (protection.State, error)) changeProtection {
	return func(s protection.State, now time.Time) (protection.State, error) {
		for _, w := range requested {
			if _, err := c.core.Tokens.Known(w.Token); err != nil {
				return protection.State{}, err
			}
		}
		return change(s, requested, now)
	}
}

func (c *Service) adminProtect(ctx context.Context, caller kernel.Caller, w, reason string, action audit.Action, change changeProtection) (protection.State, error) {
	if _, err := c.core.AuthorizeFor(ctx, caller, rbac.AdminWrite, reason); err != nil {
		return protection.State{}, err
	}
	address, err := wallet.Parse(w)
	if err != nil {
		return protection.State{}, fault.New(fault.NotFound, "no such player")
	}
	return c.changeProtection(ctx, caller, address, reason, action, change)
}

func (c *Service) changeProtection(ctx context.Context, caller kernel.Caller, of wallet.Address, reason string, action audit.Action, change changeProtection) (protection.State, error) {
	now := c.core.Now()
	request := player.ProtectionRequest{
		By: caller.Wallet, Policy: c.core.Policy, Action: action, AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: now, Reason: reason,
		Change: func(s protection.State) (protection.State, error) { return change(s, now) },
	}
	item := player.Item{
		Wallet: of, At: now, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}},
		WhileRestored: action != audit.PlayerReleased, // else player.Protect refuses to loosen a protection
		Decide:        func(v player.View) (player.Change, error) { return player.Protect(v, request) },
	}
	if reason != "" {
		item.Source = player.FromAdmin
		item.Needs.Roles = []wallet.Address{caller.Wallet}
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, item)
	switch {
	case err != nil:
		return protection.State{}, err
	case receipt.Change.Player == nil:
		return protection.State{}, kernel.ErrResultLost
	}
	return receipt.Change.Player.Protection.At(now), nil
}
