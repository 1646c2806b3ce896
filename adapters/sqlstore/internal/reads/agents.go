package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
)

// Agent serves ports.Agents.
func (r *Reads) Agent(ctx context.Context, code string) (agent.Agent, error) {
	return from(r, rows.Agents).where("a.code = ?", code).one(ctx, "read agent", fault.New(fault.NotFound, "no agent %q", code))
}

// Agents serves ports.Agents.
func (r *Reads) Agents(ctx context.Context) ([]agent.Agent, error) {
	return sharedRows(ctx, r, func(ctx context.Context) ([]agent.Agent, error) {
		return from(r, rows.Agents).where("NOT a.deleted").order("a.code").kept(ctx, "list agents")
	}, "list agents")
}

// AgentSecret serves ports.Agents.
func (r *Reads) AgentSecret(ctx context.Context, code string) (agent.Secret, error) {
	box, err := from(r, rows.AgentSecrets).where("a.code = ? AND a.sealed IS NOT NULL", code).
		one(ctx, "read secret", fault.New(fault.NotFound, "agent %q has no secret", code))
	if err != nil {
		return agent.Secret{}, err
	}
	text, err := r.sealer.Open(box, rows.AgentSecretBinding(code)...)
	if err != nil {
		return agent.Secret{}, db.Wrap("open secret", err)
	}
	return agent.SecretFrom(string(text)), nil
}
