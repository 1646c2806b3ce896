package app

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Roles lists the wallets with a role, sorted by wallet. A role bound to an agent sees
// that agent's alone.
func (c *Casino) Roles(ctx context.Context, caller Caller) ([]Identity, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	all, err := c.store.Roles.Roles(ctx)
	if err != nil {
		return nil, err
	}
	seen := make([]Identity, 0, len(all))
	for _, a := range all {
		if own.AgentCode == "" || own.AgentCode == a.AgentCode {
			seen = append(seen, c.identity(a))
		}
	}
	return seen, nil
}

// identity is an assignment with its role. A role that is no longer in the policy has no
// permissions.
func (c *Casino) identity(a rbac.Assignment) Identity {
	role, _ := c.Policy.Role(a.Role)
	return Identity{Assignment: a, Role: role}
}

// RoleOf returns one wallet's role. NotFound when it has none or is outside the caller's
// scope.
func (c *Casino) RoleOf(ctx context.Context, caller Caller, w string) (Identity, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return Identity{}, err
	}
	found, err := c.store.Roles.Role(ctx, wallet.Address(w))
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return Identity{}, err
	case err != nil, own.AgentCode != "" && own.AgentCode != found.AgentCode:
		return Identity{}, fault.New(fault.NotFound, "this wallet has no role")
	}
	return c.identity(found), nil
}

// GrantRole gives a wallet a role. The caller's role must be strictly above both the new
// role and the present one; it is read again in the commit that decides. Granting the
// role that a wallet has keeps the moment it was granted.
func (c *Casino) GrantRole(ctx context.Context, caller Caller, w, role, agentCode string) (Identity, error) {
	if _, err := c.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return Identity{}, err
	}
	address, err := wallet.Parse(w)
	if err != nil {
		return Identity{}, err
	}
	asked, err := c.Policy.Assign(address, role, agentCode, c.now())
	if err != nil {
		return Identity{}, err
	}
	if err := knowsAgent(ctx, c.store.Agents, agentCode); err != nil {
		return Identity{}, err
	}
	asked.GrantedBy = caller.Wallet
	var granted rbac.Assignment
	record := c.record(caller, audit.RoleGranted, w)
	err = c.store.Roles.ChangeRole(ctx, address, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := assignmentOf(all, address)
		if err := c.canChangeRole(all, caller, address, role); err != nil {
			return nil, audit.Record{}, err
		}
		granted = c.Policy.Follow(before, asked)
		if err := c.Policy.KeepsTop(all, address, &granted); err != nil {
			return nil, audit.Record{}, err
		}
		record.Before, record.After = describeRole(before), describeRole(granted)
		return &granted, record, nil
	})
	if err != nil {
		return Identity{}, err
	}
	return c.identity(granted), nil
}

// knowsAgent refuses a code that no agent has; "" is none. A code is never given up, so
// this may be checked before the commit.
func knowsAgent(ctx context.Context, agents ports.Agents, code string) error {
	if code == "" {
		return nil
	}
	_, err := agents.Agent(ctx, code)
	if fault.Is(err, fault.NotFound) {
		return errInvalidAgent
	}
	return err
}

// RevokeRole removes a wallet's role. NotFound when it has none.
func (c *Casino) RevokeRole(ctx context.Context, caller Caller, w string) error {
	if _, err := c.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
		return err
	}
	address := wallet.Address(w)
	record := c.record(caller, audit.RoleRevoked, w)
	return c.store.Roles.ChangeRole(ctx, address, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		before := assignmentOf(all, address)
		if before.Role == "" {
			return nil, audit.Record{}, fault.New(fault.NotFound, "this wallet has no role")
		}
		if err := c.canChangeRole(all, caller, address, ""); err != nil {
			return nil, audit.Record{}, err
		}
		if err := c.Policy.KeepsTop(all, address, nil); err != nil {
			return nil, audit.Record{}, err
		}
		record.Before = describeRole(before)
		return nil, record, nil
	})
}

// canChangeRole checks the policy against the roles as they are under lock. A role bound
// to an agent, in an embedder's policy, can change that agent's roles alone.
func (c *Casino) canChangeRole(all []rbac.Assignment, caller Caller, target wallet.Address, role string) error {
	actor, present := assignmentOf(all, caller.Wallet), assignmentOf(all, target)
	if err := c.Policy.CanGrant(actor, present, role); err != nil {
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

// describeRole describes a role for an audit record.
func describeRole(a rbac.Assignment) string {
	if a.AgentCode == "" {
		return a.Role
	}
	return a.Role + " of " + a.AgentCode
}

// record begins an audit record of what the caller does to a target now.
func (c *Casino) record(caller Caller, action audit.Action, target string) audit.Record {
	return audit.Record{
		ID: c.Entropy.ID(), Action: action, By: caller.Wallet, Target: target, At: c.now(), RequestID: caller.RequestID,
	}
}
