package admin

import (
	"context"
	"net/netip"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// Agents lists the agents, sorted by code. A role bound to an agent sees only that agent.
func (c *Service) Agents(ctx context.Context, caller kernel.Caller) ([]agent.Agent, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	all, err := c.core.Store.Agents.Agents(ctx)
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

// AgentRequest holds the fields of an agent to set. Nil fields keep their value, or get
// their default when the agent is created.
type AgentRequest struct {
	Name         *string
	Status       *agent.Status
	RTP, Share   *agent.Percent
	SiteEndpoint *string // empty if the agent has no site
	IPAllowlist  *[]netip.Prefix
	Memo         *string
}

// needsTopRole reports whether the request sets a field that needs the top role: the
// destination of requests with secrets, or the addresses from which requests are accepted.
func (w AgentRequest) needsTopRole() bool { return w.SiteEndpoint != nil || w.IPAllowlist != nil }

func (w AgentRequest) applyTo(a agent.Agent) agent.Agent {
	Set(&a.Name, w.Name)
	Set(&a.Status, w.Status)
	Set(&a.RTP, w.RTP)
	Set(&a.Share, w.Share)
	Set(&a.SiteEndpoint, w.SiteEndpoint)
	Set(&a.IPAllowlist, w.IPAllowlist)
	Set(&a.Memo, w.Memo)
	return a
}

// Set sets the target if value isn't nil.
func Set[T any](into, value *T) {
	if value != nil {
		*into = *value
	}
}

// CreateAgent creates an agent and returns its credentials, which are never shown again. It
// returns DuplicatedAgent if the code is or was in use.
func (c *Service) CreateAgent(ctx context.Context, caller kernel.Caller, code string, w AgentRequest) (agent.Agent, agent.Credentials, error) {
	if err := c.mayChangeAgents(ctx, caller, w.needsTopRole()); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	now := c.core.Now()
	made := w.applyTo(agent.Agent{
		ID: c.core.Entropy.ID(), Code: code, Status: agent.Active, RTP: agent.RTPDefault, CreatedAt: now, UpdatedAt: now,
	})
	if err := c.soundAgent(made); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	if err := c.publicSite(ctx, w, made); err != nil {
		return agent.Agent{}, agent.Credentials{}, err
	}
	credentials := agent.NewCredentials(c.core.Entropy.Seed(), c.core.Entropy.Seed())
	record := c.core.Record(caller, audit.AgentCreated, code)
	record.After = kernel.DescribeAgent(made)
	err := c.core.Store.Agents.ChangeAgent(ctx, caller.Wallet, code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		if err := c.core.AgentRole(actor, "", w.needsTopRole()); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		if present != nil {
			return ports.AgentChange{}, audit.Record{}, fault.New(fault.DuplicatedAgent, "agentCode: %q is taken", code).With("field", "agentCode")
		}
		return ports.AgentChange{Agent: made, Credentials: &credentials}, record, nil
	})
	return made, credentials, err
}

// soundAgent checks an agent's fields.
func (c *Service) soundAgent(a agent.Agent) error {
	if c.core.Settings.LocalSites {
		return a.CheckLocal()
	}
	return a.Check()
}

// publicSite refuses a new site of the agent if its host isn't on the public internet.
// Sites that only development accepts are not looked up.
func (c *Service) publicSite(ctx context.Context, w AgentRequest, a agent.Agent) error {
	if w.SiteEndpoint == nil || a.Check() != nil {
		return nil //nolint:nilerr // soundAgent reports this with the other faults of the agent
	}
	return c.core.PublicHostOf(ctx, "siteEndpoint", a.SiteEndpoint)
}

// ChangeAgent changes an agent's fields. The house agent can't be blocked.
func (c *Service) ChangeAgent(ctx context.Context, caller kernel.Caller, id string, w AgentRequest) (agent.Agent, error) {
	return c.changeAgent(ctx, caller, id, w, audit.AgentChanged, nil)
}

// DeleteAgent closes an agent permanently: its code stays taken, and its players are
// treated like those of a blocked agent. The house agent can't be deleted. If a prepaid
// account of the agent holds or reserves money, it returns InvalidState.
func (c *Service) DeleteAgent(ctx context.Context, caller kernel.Caller, id string) error {
	_, err := c.changeAgent(ctx, caller, id, AgentRequest{}, audit.AgentDeleted, nil)
	return err
}

// checkSettled returns InvalidState if a prepaid account of the agent holds or reserves
// money.
func (c *Service) checkSettled(ctx context.Context, code string) error {
	funds, err := c.core.Store.AgentFunds.FundsOf(ctx, code)
	for _, line := range funds {
		if line.Balance != 0 || line.Reserved != 0 {
			return fault.New(fault.InvalidState, "the agent's prepaid account in %s is not settled", line.Token).With("status", "funded")
		}
	}
	return err
}

// RotateCredentials gives an agent new credentials, which are never shown again. The old
// credentials stop working at once.
func (c *Service) RotateCredentials(ctx context.Context, caller kernel.Caller, id string) (agent.Agent, agent.Credentials, error) {
	made := agent.NewCredentials(c.core.Entropy.Seed(), c.core.Entropy.Seed())
	changed, err := c.changeAgent(ctx, caller, id, AgentRequest{}, audit.CredentialsRotated, &made)
	return changed, made, err
}

func (c *Service) changeAgent(ctx context.Context, caller kernel.Caller, id string, w AgentRequest, action audit.Action,
	credentials *agent.Credentials) (agent.Agent, error) {
	reaches := w.needsTopRole() || credentials != nil
	if err := c.mayChangeAgents(ctx, caller, reaches); err != nil {
		return agent.Agent{}, err
	}
	found, err := c.core.AgentByID(ctx, id)
	if err == nil && action == audit.AgentDeleted {
		err = c.checkSettled(ctx, found.Code)
	}
	if err != nil {
		return agent.Agent{}, err
	}
	if err := c.publicSite(ctx, w, w.applyTo(found)); err != nil {
		return agent.Agent{}, err
	}
	record := c.core.Record(caller, action, found.Code)
	var next agent.Agent
	err = c.core.Store.Agents.ChangeAgent(ctx, caller.Wallet, found.Code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		if err := c.core.AgentRole(actor, found.Code, reaches); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		if present == nil || present.Deleted {
			return ports.AgentChange{}, audit.Record{}, kernel.ErrNoAgent(id)
		}
		next = w.applyTo(*present)
		next.UpdatedAt = record.At
		next.Deleted = action == audit.AgentDeleted
		if err := c.soundAgent(next); err != nil {
			return ports.AgentChange{}, audit.Record{}, err
		}
		record.Before, record.After = kernel.DescribeAgent(*present), kernel.DescribeAgent(next)
		return ports.AgentChange{Agent: next, Credentials: credentials}, record, nil
	})
	return next, err
}

// mayChangeAgents checks the caller's role early. AgentRole repeats the check under lock
// and decides.
func (c *Service) mayChangeAgents(ctx context.Context, caller kernel.Caller, reaches bool) error {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminWrite)
	if err == nil && reaches {
		err = c.core.Policy.Check(own, rbac.RolesWrite)
	}
	return err
}
