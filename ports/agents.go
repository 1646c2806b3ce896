package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
)

// Agents keeps the operators. Every store has agent.HouseAgent from the
// beginning. Changes are short transactions with their audit record in the same
// commit; whether a player's agent is open is read by the Writer under lock.
type Agents interface {
	// Agent returns the agent of a code, deleted ones too, or NotFound.
	Agent(ctx context.Context, code string) (agent.Agent, error)
	// Agents lists those that aren't deleted, sorted by code.
	Agents(ctx context.Context) ([]agent.Agent, error)
	// AgentSecret returns what the agent is sent to know us by, or NotFound when it
	// never had one.
	AgentSecret(ctx context.Context, code string) (agent.Secret, error)
	// ChangeAgent runs decide on the role of whoever changes it and on the agent of
	// the code, nil when the code is free, both read under lock, and stores what it
	// returns; credentials replace those before, nil ones stay. A refusal changes
	// nothing and is returned as it is. The code never changes, and the id of one
	// agent is nobody else's.
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
