package admin

import (
	"context"

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
		var row rows.AgentRow
		there, err := db.Found(tx.NewSelect().Model(&row).Where("a.code = ?", code).Scan(ctx))
		if err != nil {
			return audit.Record{}, db.Wrap("read agent", err)
		}
		var present *agent.Agent
		if there {
			present = (*agent.Agent)(&row.Agent)
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
	_, err := tx.NewInsert().Model(rows.Agents.Row(&a)).On("CONFLICT (code) DO UPDATE").
		Set(rows.Excluded("name", "status", "rtp", "share", "site_endpoint", "allowlist", "memo", "deleted", "updated_at")).Exec(ctx)
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
	_, err = tx.NewUpdate().Model(&rows.AgentRow{TokenHash: agent.TokenHash(fresh.Token), Sealed: box}).
		Column("token_hash", "sealed").Where("code = ?", code).Exec(ctx)
	return db.Wrap("write credentials", err)
}
