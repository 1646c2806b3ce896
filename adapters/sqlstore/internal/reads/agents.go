package reads

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
)

// Agent serves ports.Agents.
func (r *Reads) Agent(ctx context.Context, code string) (agent.Agent, error) {
	return one(ctx, r, "read agent", rows.Agents.Select()+" WHERE a.code = ?", []any{code},
		rows.Agents.Scan, fault.New(fault.NotFound, "no agent %q", code))
}

// Agents serves ports.Agents.
func (r *Reads) Agents(ctx context.Context) ([]agent.Agent, error) {
	return sharedRows(ctx, r, func(ctx context.Context) ([]agent.Agent, error) {
		found := []agent.Agent{}
		err := r.kept(ctx, "list agents", rows.Agents.Select()+" WHERE NOT a.deleted ORDER BY a.code", nil, func(row *sql.Rows) error {
			a, err := rows.Agents.Scan(row)
			found = append(found, a)
			return err
		})
		return found, err
	}, "list agents")
}

// AgentSecret serves ports.Agents.
func (r *Reads) AgentSecret(ctx context.Context, code string) (agent.Secret, error) {
	var box []byte
	missing := fault.New(fault.NotFound, "agent %q has no secret", code)
	err := r.db.One(ctx, "read secret", "SELECT sealed FROM agents WHERE code = ? AND sealed IS NOT NULL", []any{code},
		func(row db.Row) error { return row.Scan(&box) }, missing)
	if err != nil {
		return agent.Secret{}, err
	}
	text, err := r.sealer.Open(box, rows.AgentSecretBinding(code)...)
	if err != nil {
		return agent.Secret{}, db.Wrap("open secret", err)
	}
	return agent.SecretFrom(string(text)), nil
}
