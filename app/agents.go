package app

import (
	"context"
	"net/netip"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// Agents lists the agents, sorted by code. A role bound to an agent sees that one alone.
func (c *Casino) Agents(ctx context.Context, caller Caller) ([]agent.Agent, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	all, err := c.store.Agents.Agents(ctx)
	if err != nil {
		return nil, err
	}
	seen := make([]agent.Agent, 0, len(all))
	for _, a := range all {
		if own.AgentCode == "" || own.AgentCode == a.Code {
			seen = append(seen, a)
		}
	}
	return seen, nil
}

// AgentRequest holds the fields of an agent that are to be set. Nil fields keep their
// value, or take their default when the agent is created.
type AgentRequest struct {
	Name         *string
	Status       *agent.Status
	RTP, Share   *agent.Percent
	SiteEndpoint *string // empty for no site of its own
	IPAllowlist  *[]netip.Prefix
	Memo         *string
}

// reaches reports whether the request sets what only the top role may set: where
// requests with secrets go, and whose requests are accepted.
func (w AgentRequest) reaches() bool { return w.SiteEndpoint != nil || w.IPAllowlist != nil }

func (w AgentRequest) applied(a agent.Agent) agent.Agent {
	set(&a.Name, w.Name)
	set(&a.Status, w.Status)
	set(&a.RTP, w.RTP)
	set(&a.Share, w.Share)
	set(&a.SiteEndpoint, w.SiteEndpoint)
	set(&a.IPAllowlist, w.IPAllowlist)
	set(&a.Memo, w.Memo)
	return a
}

func set[T any](into, value *T) {
	if value != nil {
		*into = *value
	}
}

// CreateAgent makes an agent and returns its credentials, which are never shown again. A
// code that is or was in use is DuplicatedAgent.
func (c *Casino) CreateAgent(ctx context.Context, caller Caller, code string, w AgentRequest) (agent.Agent, agent.Credentials, error) {
	if err := c.mayChangeAgents(ctx, caller, w); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	now := c.now()
	made := w.applied(agent.Agent{
		ID: c.Entropy.ID(), Code: code, Status: agent.Active, RTP: agent.RTPDefault, CreatedAt: now, UpdatedAt: now,
	})
	if err := c.soundAgent(made); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	if err := c.publicSite(ctx, w, made); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	credentials := agent.NewCredentials(c.Entropy.Seed(), c.Entropy.Seed())
	record := c.record(caller, audit.AgentCreated, code)
	record.After = describeAgent(made)
	err := c.store.Agents.ChangeAgent(ctx, caller.Wallet, code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		if err := c.agentRole(actor, "", w.reaches()); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		if present != nil {
			return ports.AgentChange{}, audit.Record{}, fault.New(fault.DuplicatedAgent, "agentCode: %q is taken", code).With("field", "agentCode")
		}
		return ports.AgentChange{Agent: made, Credentials: &credentials}, record, nil
	})
	return made, credentials, err
}

// soundAgent refuses what an agent can't be.
func (c *Casino) soundAgent(a agent.Agent) error {
	if c.Settings.LocalSites {
		return a.CheckLocal()
	}
	return a.Check()
}

// publicSite refuses a new site of the agent whose host leads inside. One that only
// development takes, on this machine, is not looked up.
func (c *Casino) publicSite(ctx context.Context, w AgentRequest, a agent.Agent) error {
	if w.SiteEndpoint == nil || a.Check() != nil {
		return nil //nolint:nilerr // it is refused with every other fault of the agent
	}
	return c.publicHostOf(ctx, "siteEndpoint", a.SiteEndpoint)
}

// ChangeAgent changes an agent's fields. The house agent can't be blocked.
func (c *Casino) ChangeAgent(ctx context.Context, caller Caller, id string, w AgentRequest) (agent.Agent, error) {
	return c.changeAgent(ctx, caller, id, w, audit.AgentChanged, nil)
}

// DeleteAgent closes an agent for ever: its code stays taken, and its players are
// treated as those of a blocked agent. The house agent can't be deleted. An agent whose
// prepaid accounts hold or reserve anything is InvalidState.
func (c *Casino) DeleteAgent(ctx context.Context, caller Caller, id string) error {
	if _, err := c.Authorize(ctx, caller, rbac.AdminWrite); err != nil {
		return err
	}
	found, err := c.agentByID(ctx, id)
	if err != nil {
		return err
	}
	funds, err := c.store.AgentFunds.FundsOf(ctx, found.Code)
	if err != nil {
		return err
	}
	for _, line := range funds {
		if line.Balance != 0 || line.Reserved != 0 {
			return fault.New(fault.InvalidState, "the agent's prepaid account in %s is not settled", line.Token).With("status", "funded")
		}
	}
	_, err = c.changeAgent(ctx, caller, id, AgentRequest{}, audit.AgentDeleted, nil)
	return err
}

// RotateCredentials gives an agent new credentials, which are never shown again. The old
// ones stop working at once.
func (c *Casino) RotateCredentials(ctx context.Context, caller Caller, id string) (agent.Agent, agent.Credentials, error) {
	made := agent.NewCredentials(c.Entropy.Seed(), c.Entropy.Seed())
	changed, err := c.changeAgent(ctx, caller, id, AgentRequest{}, audit.CredentialsRotated, &made)
	return changed, made, err
}

func (c *Casino) changeAgent(ctx context.Context, caller Caller, id string, w AgentRequest, action audit.Action,
	credentials *agent.Credentials) (agent.Agent, error) {
	reaches := w.reaches() || credentials != nil
	if err := c.mayChangeAgents(ctx, caller, w); err != nil {
		return agent.Agent{}, err
	}
	if reaches {
		if _, err := c.Authorize(ctx, caller, rbac.RolesWrite); err != nil {
			return agent.Agent{}, err
		}
	}
	found, err := c.agentByID(ctx, id)
	if err != nil {
		return agent.Agent{}, err
	}
	if err := c.publicSite(ctx, w, w.applied(found)); err != nil {
		return agent.Agent{}, err
	}
	record := c.record(caller, action, found.Code)
	var next agent.Agent
	err = c.store.Agents.ChangeAgent(ctx, caller.Wallet, found.Code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		if err := c.agentRole(actor, found.Code, reaches); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		if present == nil || present.Deleted {
			return ports.AgentChange{}, audit.Record{}, errNoAgent(id)
		}
		next = w.applied(*present)
		next.UpdatedAt = record.At
		next.Deleted = action == audit.AgentDeleted
		if err := c.soundAgent(next); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		record.Before, record.After = describeAgent(*present), describeAgent(next)
		return ports.AgentChange{Agent: next, Credentials: credentials}, record, nil
	})
	return next, err
}

// mayChangeAgents is the first check of the caller's role; agentRole is the one that
// counts, under lock.
func (c *Casino) mayChangeAgents(ctx context.Context, caller Caller, w AgentRequest) error {
	if _, err := c.Authorize(ctx, caller, rbac.AdminWrite); err != nil {
		return err
	}
	if w.reaches() {
		_, err := c.Authorize(ctx, caller, rbac.RolesWrite)
		return err
	}
	return nil
}

func (c *Casino) agentRole(actor rbac.Assignment, code string, reaches bool) error {
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

// agentByID returns an agent that isn't deleted. Ids and codes never change, so this may
// be read outside the commit.
func (c *Casino) agentByID(ctx context.Context, id string) (agent.Agent, error) {
	all, err := c.store.Agents.Agents(ctx)
	if err != nil {
		return agent.Agent{}, err
	}
	for _, a := range all {
		if a.ID == id {
			return a, nil
		}
	}
	return agent.Agent{}, errNoAgent(id)
}

func errNoAgent(id string) error { return fault.New(fault.NotFound, "no agent %q", id) }

// describeAgent describes an agent for an audit record, without credentials.
func describeAgent(a agent.Agent) string {
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
