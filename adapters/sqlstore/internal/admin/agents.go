package admin

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ChangeAgent serves ports.Agents.
func (c *Changes) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	return c.administer(ctx, "agents", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		var present *agent.Agent
		found, err := rows.Agents.Scan(tx.QueryRowContext(ctx, rows.Agents.Select()+" WHERE a.code = ?", code))
		if err == nil {
			present = &found
		} else if !errors.Is(err, sql.ErrNoRows) {
			return audit.Record{}, db.Wrap("read agent", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		if next.Agent.Code != code || present != nil && next.Agent.ID != present.ID {
			return audit.Record{}, db.Defect("agent %q may not change its code or its id", code)
		}
		if err := writeAgent(ctx, tx, next.Agent); err != nil {
			return audit.Record{}, err
		}
		return record, c.writeCredentials(ctx, tx, code, next.Credentials)
	})
}

func writeAgent(ctx context.Context, tx bun.Tx, a agent.Agent) error {
	_, err := tx.ExecContext(ctx, rows.Agents.Upsert("name", "status", "rtp", "share", "site_endpoint", "allowlist", "memo", "deleted",
		"updated_at"), rows.Agents.Values(&a)...)
	return db.Wrap("write agent", err)
}

func (c *Changes) writeCredentials(ctx context.Context, tx bun.Tx, code string, fresh *agent.Credentials) error {
	if fresh == nil {
		return nil
	}
	box, err := c.sealer.Seal([]byte(fresh.Secret.Reveal()), rows.AgentSecretBinding(code)...)
	if err != nil {
		return db.Wrap("seal secret", err)
	}
	_, err = tx.ExecContext(ctx, "UPDATE agents SET token_hash = ?, sealed = ? WHERE code = ?", agent.TokenHash(fresh.Token), box, code)
	return db.Wrap("write credentials", err)
}
