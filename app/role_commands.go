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

// RoleCommands changes roles by the word of whoever runs the service: the command
// line and the first start, which hold the database itself and so need no role.
type RoleCommands struct {
	Roles ports.Roles
	// Agents tells whether the agent of a role is there.
	Agents  ports.Agents
	Policy  rbac.Policy
	Clock   ports.Clock
	Entropy ports.Entropy
}

// SeedSuperadmins gives the top role to the wallets when nobody has a role yet;
// in any other table it does nothing.
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

// Grant gives a wallet a role. An agent that isn't there is InvalidAgent.
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

// Revoke takes a wallet's role away; the last of the top role stays.
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
