package admin

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// ChangeWebhook serves ports.Webhooks.
func (c *Changes) ChangeWebhook(ctx context.Context, by wallet.Address, agent, id string, decide ports.WebhookDecision) error {
	return c.administer(ctx, "webhooks", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		present, count, err := c.lockWebhook(ctx, tx, agent, id)
		if err != nil {
			return audit.Record{}, err
		}
		next, record, err := decide(actor, present, count)
		if err != nil {
			return audit.Record{}, err
		}
		if next.Deleted && present != nil {
			return record, deleteWebhook(ctx, tx, id)
		}
		if next.Endpoint.ID != id || next.Endpoint.Agent != agent || next.Deleted {
			return audit.Record{}, db.Defect("webhook %q may not change its id or its agent", id)
		}
		next.Endpoint.Version = 1
		if present != nil {
			next.Endpoint.Version = present.Version + 1
		}
		return record, c.writeWebhook(ctx, tx, next.Endpoint, present == nil)
	})
}

// lockWebhook reads an endpoint of an agent, nil where there is none, and how many the agent
// has. A worker that saves it waits until the transaction ends.
func (c *Changes) lockWebhook(ctx context.Context, tx bun.Tx, agent, id string) (present *webhook.Endpoint, count int, err error) {
	var row rows.WebhookRow
	if _, err := tx.NewUpdate().Model(&row).Set("version = version").Where("id = ?", id).Exec(ctx); err != nil {
		return nil, 0, db.Wrap("lock webhook", err)
	}
	there, err := db.Found(tx.NewSelect().Model(&row).Where("w.id = ? AND w.agent = ?", id, agent).Scan(ctx))
	if err != nil {
		return nil, 0, db.Wrap("read webhook", err)
	}
	if there {
		e, err := row.Endpoint(c.sealer)
		if err != nil {
			return nil, 0, err
		}
		present = &e
	}
	n, err := tx.NewSelect().Model((*rows.WebhookRow)(nil)).Where("w.agent = ?", agent).Count(ctx)
	return present, int(n), db.Wrap("count webhooks", err)
}

func (c *Changes) writeWebhook(ctx context.Context, tx bun.Tx, e webhook.Endpoint, created bool) error {
	row, err := rows.WebhookRowOf(&e, c.sealer)
	if err != nil {
		return err
	}
	if !created {
		_, err := tx.NewUpdate().Model(&row).ExcludeColumn("agent", "created_at", "worker", "until").WherePK().Exec(ctx)
		return db.Wrap("write webhook", err)
	}
	if err := tx.NewSelect().Model((*rows.AgentRow)(nil)).Column("code").Where("a.code = ?", e.Agent).Scan(ctx, new(string)); err != nil {
		return db.Wrap("find the agent of a webhook", err)
	}
	_, err = tx.NewInsert().Model(&row).Exec(ctx)
	return db.Wrap("add webhook", err)
}

func deleteWebhook(ctx context.Context, tx bun.Tx, id string) error {
	if _, err := tx.NewDelete().Model((*rows.DeadLetterRow)(nil)).Where("webhook = ?", id).Exec(ctx); err != nil {
		return db.Wrap("delete dead letters", err)
	}
	_, err := tx.NewDelete().Model((*rows.WebhookRow)(nil)).Where("id = ?", id).Exec(ctx)
	return db.Wrap("delete webhook", err)
}

// ClaimWebhook serves ports.WebhookQueue. One statement takes the endpoint, so that
// workers wait for nobody but who has the same one.
func (c *Changes) ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (e webhook.Endpoint, claimed bool, err error) {
	err = c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		row := rows.WebhookRow{ID: id, Worker: worker, Until: until}
		written, err := changed(tx.NewUpdate().Model(&row).Column("worker", "until").WherePK().
			Where("w.state = 'active' AND (w.worker = ? OR w.until <= ?)", worker, db.Micros(now)).
			Where("EXISTS (SELECT 1 FROM agents AS a WHERE a.code = w.agent AND NOT a.deleted)").Exec(ctx))
		if claimed = written == 1; err != nil || !claimed {
			return db.Wrap("claim webhook", err)
		}
		if err := tx.NewSelect().Model(&row).WherePK().Scan(ctx); err != nil {
			return db.Wrap("read webhook", err)
		}
		e, err = row.Endpoint(c.sealer)
		return err
	})
	return e, claimed && err == nil, err
}

// SaveWebhook serves ports.WebhookQueue.
func (c *Changes) SaveWebhook(ctx context.Context, worker string, p ports.WebhookProgress) error {
	e := p.Endpoint
	return c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		written, err := changed(tx.NewUpdate().Model(&rows.WebhookWork{ID: e.ID, WebhookProgress: rows.ProgressOf(&e), Until: p.Until}).WherePK().
			Where("worker = ? AND version = ?", worker, e.Version).Exec(ctx))
		switch {
		case err != nil:
			return db.Wrap("save webhook", err)
		case written == 0:
			return webhook.Lost(e.ID)
		}
		if p.Letter != nil {
			row := rows.DeadLetterRowOf(p.Letter)
			_, err = tx.NewInsert().Model(&row).On("CONFLICT (webhook, id) DO UPDATE").Exec(ctx)
		}
		if err == nil && p.Settled != "" {
			_, err = tx.NewDelete().Model(&rows.DeadLetterRow{Webhook: e.ID, ID: p.Settled}).WherePK().Exec(ctx)
		}
		return db.Wrap("write dead letter", err)
	})
}

// ReleaseWebhook serves ports.WebhookQueue.
func (c *Changes) ReleaseWebhook(ctx context.Context, id, worker string) error {
	return c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model(&rows.WebhookRow{ID: id}).Column("worker", "until").WherePK().Where("worker = ?", worker).Exec(ctx)
		return db.Wrap("release webhook", err)
	})
}

// ChangeDeadLetter serves ports.DeadLetters.
func (c *Changes) ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide ports.DeadLetterDecision) error {
	return c.administer(ctx, "webhooks", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		row := rows.DeadLetterRow{Webhook: webhookID, ID: id}
		if _, err := tx.NewUpdate().Model(&row).Set("due = due").WherePK().Exec(ctx); err != nil {
			return audit.Record{}, db.Wrap("lock dead letter", err)
		}
		there, err := db.Found(tx.NewSelect().Model(&row).WherePK().Scan(ctx))
		switch {
		case err != nil:
			return audit.Record{}, db.Wrap("read dead letter", err)
		case !there:
			return audit.Record{}, fault.New(fault.NotFound, "no dead letter %q", id)
		}
		next, record, err := decide(actor, row.Letter())
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.NewUpdate().Model(&row).Set("due = ?", next.Due).WherePK().Exec(ctx)
		return record, db.Wrap("change dead letter", err)
	})
}
