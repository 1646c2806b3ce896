package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// RoleCommands changes roles without checking the caller's role. It is for the command line
// and the first start, which have access to the database itself.
type RoleCommands struct {
	Roles ports.Roles
	// Lists is the sealed list that Accept accepts; nil if there is none.
	Lists interface {
		Accept(ctx context.Context, record func(now rbac.List) audit.Record) (accepted bool, err error)
	}
	// Agents checks that the agent of a role exists.
	Agents ports.Agents
	// Withdrawals tells whether a withdrawal was ever requested; nil means never.
	Withdrawals ports.Withdrawals
	Policy      rbac.Policy
	Clock       ports.Clock
	Entropy     ports.Entropy
}

// SeedSuperadmins gives the top role to the wallets if no wallet has a role yet. The roles
// are founding roles unless a withdrawal was already requested. A forged or older list is
// not an empty list: then it does nothing and returns nil, so that the service can start
// for players before the list is repaired.
func (o RoleCommands) SeedSuperadmins(ctx context.Context, wallets []wallet.Address) error {
	present, err := o.Roles.Roles(ctx)
	if errors.Is(err, rbac.ErrForged) {
		return nil
	}
	if err != nil || len(present) > 0 {
		return err
	}
	late, err := o.hasWithdrawals(ctx)
	if err != nil {
		return err
	}
	for _, w := range wallets {
		if err := o.grantRole(ctx, w, rbac.Superadmin, "", !late); err != nil {
			return err
		}
	}
	return nil
}

// Grant gives a wallet a role. A role that allows no more than the present one keeps the
// time of the present grant. It returns InvalidAgent if the agent doesn't exist.
func (o RoleCommands) Grant(ctx context.Context, w wallet.Address, role, agentCode string) error {
	return o.grantRole(ctx, w, role, agentCode, false)
}

// Found gives a wallet a founding role, which counts as old and has no granting admin. It
// returns InvalidState once a withdrawal was ever requested.
func (o RoleCommands) Found(ctx context.Context, w wallet.Address, role, agentCode string) error {
	late, err := o.hasWithdrawals(ctx)
	switch {
	case err != nil:
		return err
	case late:
		return fault.New(fault.InvalidState, "founding roles must be granted before the first withdrawal request: grant the role without --founding").
			With("status", "founded")
	}
	return o.grantRole(ctx, w, role, agentCode, true)
}

// hasWithdrawals reports whether a withdrawal was ever requested.
func (o RoleCommands) hasWithdrawals(ctx context.Context) (bool, error) {
	if o.Withdrawals == nil {
		return false, nil
	}
	for _, status := range withdrawal.Statuses() {
		if found, err := o.Withdrawals.WithdrawalsIn(ctx, status, "", 1); err != nil || len(found) > 0 {
			return true, err
		}
	}
	return false, nil
}

func (o RoleCommands) grantRole(ctx context.Context, w wallet.Address, role, agentCode string, founding bool) error {
	asked, err := o.Policy.Assign(w, role, agentCode, kernel.Now(o.Clock))
	if err != nil {
		return err
	}
	if err := kernel.KnowsAgent(ctx, o.Agents, agentCode); err != nil {
		return err
	}
	asked.Founding = founding
	return o.Roles.ChangeRole(ctx, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := assignmentOf(all, w)
		granted := o.Policy.Follow(before, asked)
		if err := o.Policy.KeepsTop(all, w, &granted); err != nil {
			return nil, audit.Record{}, err
		}
		return &granted, o.newRecord(audit.RoleGranted, w, DescribeRole(before), DescribeRole(granted), asked.GrantedAt), nil
	})
}

// Revoke removes a wallet's role. The last holder of the top role can't lose it.
func (o RoleCommands) Revoke(ctx context.Context, w wallet.Address) error {
	now := kernel.Now(o.Clock)
	return o.Roles.ChangeRole(ctx, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := DescribeRole(assignmentOf(all, w))
		if before == "" {
			return nil, audit.Record{}, fault.New(fault.NotFound, "%s has no role", w)
		}
		if err := o.Policy.KeepsTop(all, w, nil); err != nil {
			return nil, audit.Record{}, err
		}
		return nil, o.newRecord(audit.RoleRevoked, w, before, "", now), nil
	})
}

// Accept accepts the database's list of roles although a later version is known. It reports
// false if no later version is known.
func (o RoleCommands) Accept(ctx context.Context) (bool, error) {
	at := kernel.Now(o.Clock)
	return o.Lists.Accept(ctx, func(list rbac.List) audit.Record {
		return o.newRecord(audit.RolesAccepted, "", fmt.Sprintf("version %d", list.Version), "on the command line", at)
	})
}

func (o RoleCommands) newRecord(action audit.Action, w wallet.Address, before, after string, at time.Time) audit.Record {
	return audit.Record{
		ID: o.Entropy.ID(), Action: action, Target: string(w), Before: before, After: after, At: at,
	}
}
