package app

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// RoleCommands changes roles. It checks no role of the caller: it is for the command
// line and the first start, which hold the database itself.
type RoleCommands struct {
	Roles ports.Roles
	// Agents checks that the agent of a role exists.
	Agents  ports.Agents
	Policy  rbac.Policy
	Clock   ports.Clock
	Entropy ports.Entropy
}

// SeedSuperadmins gives the top role to the wallets when nobody has a role yet, and does
// nothing otherwise.
func (o RoleCommands) SeedSuperadmins(ctx context.Context, wallets []wallet.Address) error {
	present, err := o.Roles.Roles(ctx)
	if err != nil || len(present) > 0 {
		return err
	}
	for _, w := range wallets {
		if err := o.Grant(ctx, w, rbac.Superadmin, ""); err != nil {
			return err
		}
	}
	return nil
}

// Grant gives a wallet a role. An agent that doesn't exist is InvalidAgent.
func (o RoleCommands) Grant(ctx context.Context, w wallet.Address, role, agentCode string) error {
	granted, err := o.Policy.Assign(w, role, agentCode, now(o.Clock))
	if err != nil {
		return err
	}
	if err := knowsAgent(ctx, o.Agents, agentCode); err != nil {
		return err
	}
	return o.Roles.ChangeRole(ctx, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := describeRole(assignmentOf(all, w))
		if err := o.Policy.KeepsTop(all, w, &granted); err != nil {
			return nil, audit.Record{}, err
		}
		return &granted, o.record(audit.RoleGranted, w, before, describeRole(granted), granted.GrantedAt), nil
	})
}

// Revoke removes a wallet's role. The last holder of the top role keeps it.
func (o RoleCommands) Revoke(ctx context.Context, w wallet.Address) error {
	now := now(o.Clock)
	return o.Roles.ChangeRole(ctx, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := describeRole(assignmentOf(all, w))
		if before == "" {
			return nil, audit.Record{}, fault.New(fault.NotFound, "%s has no role", w)
		}
		if err := o.Policy.KeepsTop(all, w, nil); err != nil {
			return nil, audit.Record{}, err
		}
		return nil, o.record(audit.RoleRevoked, w, before, "", now), nil
	})
}

func (o RoleCommands) record(action audit.Action, w wallet.Address, before, after string, at time.Time) audit.Record {
	return audit.Record{
		ID: o.Entropy.ID(), Action: action, Target: string(w), Before: before, After: after, At: at,
	}
}
