package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Agents keeps the agents. Every store has agent.HouseAgent from the
// beginning. Changes are short transactions with their audit record in the same
// commit; whether a player's agent is open is read by the Writer under lock.
type Agents interface {
	// Agent returns the agent of a code, deleted ones too, or NotFound.
	Agent(ctx context.Context, code string) (agent.Agent, error)
	// Agents lists those that aren't deleted, sorted by code.
	Agents(ctx context.Context) ([]agent.Agent, error)
	// AgentSecret returns the secret by which the agent's site knows us, or NotFound
	// when the agent never had one.
	AgentSecret(ctx context.Context, code string) (agent.Secret, error)
	// ChangeAgent runs decide on the role of the admin who changes it and on the agent
	// of the code, nil when the code is free, both read under lock, and stores what it
	// returns; new credentials replace the present ones, nil leaves them. A refusal changes
	// nothing and is returned as it is. The code never changes, and no two agents
	// share an id.
	ChangeAgent(ctx context.Context, by wallet.Address, code string, decide AgentDecision) error
}

// AgentDecision decides on the next state of an agent. The actor without a role is
// the zero Assignment.
type AgentDecision func(actor rbac.Assignment, present *agent.Agent) (AgentChange, audit.Record, error)

// AgentChange is an agent as it is to be. The store keeps the token's hash and the
// secret sealed.
type AgentChange struct {
	Agent       agent.Agent
	Credentials *agent.Credentials
}

// Brandings keeps the public branding. A change is a short transaction with its
// audit record in the same commit.
type Brandings interface {
	// Branding returns the branding as it was changed last, or NotFound before the
	// first change.
	Branding(ctx context.Context) (branding.Branding, error)
	// ChangeBranding runs decide on the role of the admin who changes it and on
	// the present branding, nil before the first change, both read under lock, and
	// stores what it returns. A refusal changes nothing and is returned as it is.
	ChangeBranding(ctx context.Context, by wallet.Address, decide BrandingDecision) error
}

// BrandingDecision decides on the next branding. The actor without a role is the
// zero Assignment.
type BrandingDecision func(actor rbac.Assignment, present *branding.Branding) (branding.Branding, audit.Record, error)
