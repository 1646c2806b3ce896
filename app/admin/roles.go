package admin

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Roles lists the wallets with a role, sorted by wallet. A role bound to an agent sees only
// the roles of that agent.
func (c *Service) Roles(ctx context.Context, caller kernel.Caller) ([]kernel.Identity, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	all, err := c.core.Store.Roles.Roles(ctx)
	if err != nil {
		return nil, err
	}
	seen := make([]kernel.Identity, 0, len(all))
	for _, a := range all {
		if own.AgentCode == "" || own.AgentCode == a.AgentCode {
			seen = append(seen, c.core.Identity(a))
		}
	}
	return seen, nil
}

// RoleOf returns a wallet's role, or NotFound if it has none or is outside the caller's
// scope.
func (c *Service) RoleOf(ctx context.Context, caller kernel.Caller, w string) (kernel.Identity, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return kernel.Identity{}, err
	}
	found, err := c.core.Store.Roles.Role(ctx, wallet.Address(w))
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return kernel.Identity{}, err
	case err != nil, own.AgentCode != "" && own.AgentCode != found.AgentCode:
		return kernel.Identity{}, fault.New(fault.NotFound, "this wallet has no role")
	}
	return c.core.Identity(found), nil
}

// GrantRole gives a wallet a role. The caller's role must be strictly above both the new
// and the present role; it is read again in the commit. Granting the role that a wallet
// already has keeps the time of its grant.
func (c *Service) GrantRole(ctx context.Context, caller kernel.Caller, w, role, agentCode string) (kernel.Identity, error) {
	if _, err := c.core.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return kernel.Identity{}, err
	}
	address, err := wallet.Parse(w)
	if err != nil {
		return kernel.Identity{}, err
	}
	asked, err := c.core.Policy.Assign(address, role, agentCode, c.core.Now())
	if err != nil {
		return kernel.Identity{}, err
	}
	if err := kernel.KnowsAgent(ctx, c.core.Store.Agents, agentCode); err != nil {
		return kernel.Identity{}, err
	}
	asked.GrantedBy = caller.Wallet
	var granted rbac.Assignment
	record := c.core.Record(caller, audit.RoleGranted, w)
	err = c.core.Store.Roles.ChangeRole(ctx, address, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := assignmentOf(all, address)
		if err := c.canChangeRole(all, caller, address, role); err != nil {
			return nil, audit.Record{}, err
		}
		granted = c.core.Policy.Follow(before, asked)
		if err := c.core.Policy.KeepsTop(all, address, &granted); err != nil {
			return nil, audit.Record{}, err
		}
		record.Before, record.After = DescribeRole(before), DescribeRole(granted)
		return &granted, record, nil
	})
	if err != nil {
		return kernel.Identity{}, err
	}
	return c.core.Identity(granted), nil
}

// RevokeRole removes a wallet's role, or returns NotFound if it has none.
func (c *Service) RevokeRole(ctx context.Context, caller kernel.Caller, w string) error {
	if _, err := c.core.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return err
	}
	address := wallet.Address(w)
	record := c.core.Record(caller, audit.RoleRevoked, w)
	return c.core.Store.Roles.ChangeRole(ctx, address, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := assignmentOf(all, address)
		if before.Role == "" {
			return nil, audit.Record{}, fault.New(fault.NotFound, "this wallet has no role")
		}
		if err := c.canChangeRole(all, caller, address, ""); err != nil {
			return nil, audit.Record{}, err
		}
		if err := c.core.Policy.KeepsTop(all, address, nil); err != nil {
			return nil, audit.Record{}, err
		}
		record.Before = DescribeRole(before)
		return nil, record, nil
	})
}

// canChangeRole checks the policy against the roles read under lock. A role bound to an
// agent, which an embedder's policy may have, can't change roles.
func (c *Service) canChangeRole(all []rbac.Assignment, caller kernel.Caller, target wallet.Address, role string) error {
	actor, present := assignmentOf(all, caller.Wallet), assignmentOf(all, target)
	if err := c.core.Policy.CanGrant(actor, present, role); err != nil {
		return err
	}
	if actor.AgentCode != "" {
		return fault.New(fault.Forbidden, "a role bound to an agent can't grant roles")
	}
	return nil
}

func assignmentOf(all []rbac.Assignment, w wallet.Address) rbac.Assignment {
	for _, a := range all {
		if a.Wallet == w {
			return a
		}
	}
	return rbac.Assignment{}
}

// DescribeRole describes a role for an audit record.
func DescribeRole(a rbac.Assignment) string {
	if a.AgentCode == "" {
		return a.Role
	}
	return a.Role + " of " + a.AgentCode
}
