package kernel

import (
	"context"
	"errors"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Admit returns the caller with its present role if that role has the permission. Use cases
// called with the result don't read the role again before they decide.
func (c *Kernel) Admit(ctx context.Context, caller Caller, permission rbac.Permission) (Caller, error) {
	caller.role = nil
	assignment, err := c.Authorize(ctx, caller, permission)
	if err == nil {
		caller.role = &assignment
	}
	return caller, err
}

// Authorize returns the caller's role assignment if it has the permission, else a fault of
// kind AdminForbidden. It reads the role now, unless the caller comes from Admit.
func (c *Kernel) Authorize(ctx context.Context, caller Caller, permission rbac.Permission) (rbac.Assignment, error) {
	if caller.role != nil {
		return *caller.role, c.Policy.Check(*caller.role, permission)
	}
	assignment, err := c.Store.Roles.Role(ctx, caller.Wallet)
	if errors.Is(err, rbac.ErrForged) {
		c.Alarms.Raise(ctx, alarm.RolesForged, "roles")
	} else if err == nil {
		c.Alarms.Over(ctx, alarm.RolesForged, "roles")
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return rbac.Assignment{}, err
	}
	return assignment, c.Policy.Check(assignment, permission)
}

// AuthorizeFor is Authorize for actions that need a reason; it checks the reason too.
func (c *Kernel) AuthorizeFor(ctx context.Context, caller Caller, permission rbac.Permission, reason string) (rbac.Assignment, error) {
	own, err := c.Authorize(ctx, caller, permission)
	if err == nil {
		err = CheckReason(reason)
	}
	return own, err
}

// Reauthorize reads the role again. It returns a fault of kind AdminForbidden if the
// permission is gone, or if the role or its scope differs from begun.
func (c *Kernel) Reauthorize(ctx context.Context, caller Caller, permission rbac.Permission, begun rbac.Assignment) error {
	caller.role = nil
	now, err := c.Authorize(ctx, caller, permission)
	if err == nil && (now.Role != begun.Role || now.AgentCode != begun.AgentCode) {
		err = fault.New(fault.AdminForbidden, "the role was changed").With("permission", string(permission))
	}
	return err
}

// Scoped narrows a filter's agent to the role's scope. It reports false if nothing is left,
// because the filter names another agent.
func Scoped(own rbac.Assignment, agent *string) bool {
	if own.AgentCode == "" {
		return true
	}
	asked := *agent
	*agent = own.AgentCode
	return asked == "" || asked == own.AgentCode
}

// Identity describes an admin: the wallet's role assignment, and the role with its level
// and permissions.
type Identity struct {
	rbac.Assignment
	Role rbac.Role
}

// AgentRole returns an error if the admin may not change the agent. Set reaches for changes
// of the destination of the agent's events or money.
func (c *Kernel) AgentRole(actor rbac.Assignment, code string, reaches bool) error {
	if err := c.Policy.Check(actor, rbac.AdminWrite); err != nil {
		return err
	}
	if actor.AgentCode != "" && actor.AgentCode != code {
		return fault.New(fault.NotFound, "no such agent")
	}
	if reaches {
		return c.Policy.Check(actor, rbac.RolesWrite)
	}
	return nil
}

// AgentByID returns an agent that isn't deleted. Ids and codes never change, so it may be
// read outside the commit.
func (c *Kernel) AgentByID(ctx context.Context, id string) (agent.Agent, error) {
	all, err := c.Store.Agents.Agents(ctx)
	if err != nil {
		return agent.Agent{}, err
	}
	for _, a := range all {
		if a.ID == id {
			return a, nil
		}
	}
	return agent.Agent{}, ErrNoAgent(id)
}

// ErrNoAgent returns the fault for an unknown agent id.
func ErrNoAgent(id string) error { return fault.New(fault.NotFound, "no agent %q", id) }

// DescribeAgent describes an agent for an audit record, without its credentials.
func DescribeAgent(a agent.Agent) string {
	text := string(a.Status)
	if a.Deleted {
		text = "deleted"
	}
	text += ", name " + a.Name + ", rtp " + a.RTP.String() + ", percent " + a.Share.String() + ", site " + a.SiteEndpoint + ", from"
	for _, network := range a.IPAllowlist {
		text += " " + network.String()
	}
	return text + ", memo " + a.Memo
}

// AgentOf returns the agent that an event concerns: the one in its rows, which those of
// every round have, or its player's.
func (c *Kernel) AgentOf(ctx context.Context, e *stream.Event) (string, error) {
	if e.Agent != "" || e.Wallet == "" {
		return e.Agent, nil
	}
	p, err := c.Store.Players.Player(ctx, e.Wallet)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	return p.Agent, nil
}

// SeenPlayer returns a player if the caller's scope includes them.
func (c *Kernel) SeenPlayer(ctx context.Context, caller Caller, w string) (player.Player, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return player.Player{}, err
	}
	found, err := c.Store.Players.Player(ctx, wallet.Address(w))
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return player.Player{}, err
	case err != nil, own.AgentCode != "" && own.AgentCode != found.Agent:
		return player.Player{}, fault.New(fault.NotFound, "no such player")
	}
	return found, nil
}

// Identity returns an assignment with its role. A role that is no longer in the policy has
// no permissions.
func (c *Kernel) Identity(a rbac.Assignment) Identity {
	role, _ := c.Policy.Role(a.Role)
	return Identity{Assignment: a, Role: role}
}

// KnowsAgent returns ErrInvalidAgent if no agent has the code; "" names no agent and is
// accepted. Codes are never removed, so this may be checked before the commit.
func KnowsAgent(ctx context.Context, agents ports.Agents, code string) error {
	if code == "" {
		return nil
	}
	_, err := agents.Agent(ctx, code)
	if fault.Is(err, fault.NotFound) {
		return ErrInvalidAgent
	}
	return err
}

// Record returns a new audit record of the caller's action on a target, at the present
// time.
func (c *Kernel) Record(caller Caller, action audit.Action, target string) audit.Record {
	return audit.Record{
		ID: c.Entropy.ID(), Action: action, By: caller.Wallet, Target: target, At: c.Now(), RequestID: caller.RequestID,
	}
}

// ErrInvalidAgent is the fault for an agent code that no agent has.
var ErrInvalidAgent = fault.New(fault.InvalidAgent, "agentCode: no such agent").With("field", "agentCode")

// ConfirmSession returns a fault of kind InvalidToken if the session was ended by a
// sign-out or by the start of an epoch.
func (c *Kernel) ConfirmSession(ctx context.Context, session ports.Session) error {
	known, err := c.Store.Players.Player(ctx, session.Wallet)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return known.Admits(session.IssuedAt)
}

// Confirmed wraps a decision so that it checks the caller's session against the player's
// row, under the lock of that row.
func (c Caller) Confirmed(decide player.Decision) player.Decision {
	if c.Unconfirmed == nil {
		return decide
	}
	return func(v player.View) (player.Change, error) {
		if err := v.Player.Admits(c.Unconfirmed.IssuedAt); err != nil {
			return player.Change{}, err
		}
		if err := v.Control.Admits(c.Unconfirmed.IssuedAt); err != nil {
			return player.Change{}, err
		}
		return decide(v)
	}
}
