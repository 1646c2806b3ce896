package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Agents stores the agents. Every store has agent.HouseAgent from the beginning. Each
// change is a short transaction with its audit record in the same commit. The Writer
// checks under lock that a player's agent is open.
type Agents interface {
	// Agent returns the agent with a code, even if deleted, or NotFound.
	Agent(ctx context.Context, code string) (agent.Agent, error)
	// Agents lists the agents that aren't deleted, sorted by code.
	Agents(ctx context.Context) ([]agent.Agent, error)
	// AgentSecret returns the secret by which the agent's site knows us, or NotFound if the
	// agent never had one.
	AgentSecret(ctx context.Context, code string) (agent.Secret, error)
	// ChangeAgent reads the role of the admin who makes the change and the agent with the
	// code (nil if the code is free) under lock, calls decide, and stores what it returns.
	// New credentials replace the present ones; nil keeps them. A refusal changes nothing
	// and is returned unchanged. The code never changes, and no two agents share an id.
	ChangeAgent(ctx context.Context, by wallet.Address, code string, decide AgentDecision) error
}

// AgentDecision decides on the next state of an agent. For an actor without a role it
// gets the zero Assignment.
type AgentDecision func(actor rbac.Assignment, present *agent.Agent) (AgentChange, audit.Record, error)

// AgentChange is the next state of an agent. The store keeps the token's hash and the
// sealed secret.
type AgentChange struct {
	Agent       agent.Agent
	Credentials *agent.Credentials
}

// Brandings stores the public branding. A change is a short transaction with its audit
// record in the same commit.
type Brandings interface {
	// Branding returns the present branding, or NotFound before the first change.
	Branding(ctx context.Context) (branding.Branding, error)
	// ChangeBranding reads the role of the admin who makes the change and the present
	// branding (nil before the first change) under lock, calls decide, and stores what it
	// returns. A refusal changes nothing and is returned unchanged.
	ChangeBranding(ctx context.Context, by wallet.Address, decide BrandingDecision) error
}

// BrandingDecision decides on the next branding. For an actor without a role it gets the
// zero Assignment.
type BrandingDecision func(actor rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error)
