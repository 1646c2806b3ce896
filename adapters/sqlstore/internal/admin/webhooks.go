package admin

import (
	"context"
	"database/sql"
	"errors"
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
	if _, err := tx.ExecContext(ctx, "UPDATE webhooks SET version = version WHERE id = ?", id); err != nil {
		return nil, 0, db.Wrap("lock webhook", err)
	}
	found, err := rows.ScanWebhook(c.sealer)(tx.QueryRowContext(ctx, rows.SelectWebhooks+" WHERE w.id = ? AND w.agent = ?", id, agent))
	if err == nil {
		present = &found
	} else if !errors.Is(err, sql.ErrNoRows) {
		return nil, 0, db.Wrap("read webhook", err)
	}
	err = tx.QueryRowContext(ctx, "SELECT count(*) FROM webhooks WHERE agent = ?", agent).Scan(&count)
	return present, count, db.Wrap("count webhooks", err)
}

func (c *Changes) writeWebhook(ctx context.Context, tx bun.Tx, e webhook.Endpoint, created bool) error {
	if created {
		var one int
		if err := tx.QueryRowContext(ctx, "SELECT 1 FROM agents WHERE code = ?", e.Agent).Scan(&one); err != nil {
			return db.Wrap("find the agent of a webhook", err)
		}
		if _, err := tx.ExecContext(ctx, rows.Webhooks.Insertion(), rows.Webhooks.Values(&e)...); err != nil {
			return db.Wrap("add webhook", err)
		}
	} else if _, err := tx.ExecContext(ctx, rows.Webhooks.Upsert("url", "types", "state", "reason", "cursor", "event_id", "tries", "refused", "unanswered",
		"tried_since", "next_at", "last_status", "last_failure", "last_retry_after", "failing_since", "version", "previous_until", "updated_at"),
		rows.Webhooks.Values(&e)...); err != nil {
		return db.Wrap("write webhook", err)
	}
	current, err := rows.SealWebhookSecret(c.sealer, e.ID, e.Secrets.Current)
	if err != nil {
		return err
	}
	previous, err := rows.SealWebhookSecret(c.sealer, e.ID, e.Secrets.Previous)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE webhooks SET current_secret = ?, previous_secret = ? WHERE id = ?", current, previous, e.ID)
	return db.Wrap("write a webhook's secrets", err)
}

func deleteWebhook(ctx context.Context, tx bun.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM dead_letters WHERE webhook = ?", id); err != nil {
		return db.Wrap("delete dead letters", err)
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM webhooks WHERE id = ?", id)
	return db.Wrap("delete webhook", err)
}

// ClaimWebhook serves ports.WebhookQueue. One statement takes the endpoint, so that
// workers wait for nobody but who has the same one.
func (c *Changes) ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (e webhook.Endpoint, claimed bool, err error) {
	err = c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		leased, err := tx.ExecContext(ctx, `UPDATE webhooks SET worker = ?, until = ?
			WHERE id = ? AND state = 'active' AND (worker = ? OR until <= ?)
				AND EXISTS (SELECT 1 FROM agents AS a WHERE a.code = webhooks.agent AND NOT a.deleted)`, worker, db.Micros(until), id, worker, db.Micros(now))
		if err != nil {
			return db.Wrap("claim webhook", err)
		}
		written, err := leased.RowsAffected()
		if claimed = written == 1; err != nil || !claimed {
			return db.Wrap("claim webhook", err)
		}
		e, err = rows.ScanWebhook(c.sealer)(tx.QueryRowContext(ctx, rows.SelectWebhooks+" WHERE w.id = ?", id))
		return db.Wrap("read webhook", err)
	})
	return e, claimed && err == nil, err
}

// SaveWebhook serves ports.WebhookQueue.
func (c *Changes) SaveWebhook(ctx context.Context, worker string, p ports.WebhookProgress) error {
	e := p.Endpoint
	return c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		saved, err := tx.ExecContext(ctx, `UPDATE webhooks SET state = ?, reason = ?, cursor = ?, event_id = ?, tries = ?, refused = ?, unanswered = ?,
				tried_since = ?, next_at = ?, last_status = ?, last_failure = ?, last_retry_after = ?, failing_since = ?, until = ?
			WHERE id = ? AND worker = ? AND version = ?`, append(rows.WebhookProgress.Values(&e), db.Micros(p.Until), e.ID, worker, e.Version)...)
		if err != nil {
			return db.Wrap("save webhook", err)
		}
		if written, err := saved.RowsAffected(); err != nil || written == 0 {
			return errors.Join(db.Wrap("save webhook", err), webhook.Lost(e.ID))
		}
		if p.Letter != nil {
			_, err = tx.ExecContext(ctx, rows.DeadLetters.Upsert("event_id", "type", "event_at", "body", "tries", "last_status", "last_failure",
				"last_retry_after", "at", "due"), rows.DeadLetters.Values(p.Letter)...)
		}
		if err == nil && p.Settled != "" {
			_, err = tx.ExecContext(ctx, "DELETE FROM dead_letters WHERE webhook = ? AND id = ?", e.ID, p.Settled)
		}
		return db.Wrap("write dead letter", err)
	})
}

// ReleaseWebhook serves ports.WebhookQueue.
func (c *Changes) ReleaseWebhook(ctx context.Context, id, worker string) error {
	return c.tried(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE webhooks SET worker = '', until = 0 WHERE id = ? AND worker = ?", id, worker)
		return db.Wrap("release webhook", err)
	})
}

// ChangeDeadLetter serves ports.DeadLetters.
func (c *Changes) ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide ports.DeadLetterDecision) error {
	return c.administer(ctx, "webhooks", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		const which = " WHERE webhook = ? AND id = ?"
		if _, err := tx.ExecContext(ctx, "UPDATE dead_letters SET due = due"+which, webhookID, id); err != nil {
			return audit.Record{}, db.Wrap("lock dead letter", err)
		}
		present, err := rows.DeadLetters.Scan(tx.QueryRowContext(ctx, rows.DeadLetters.Select()+which, webhookID, id))
		if errors.Is(err, sql.ErrNoRows) {
			return audit.Record{}, fault.New(fault.NotFound, "no dead letter %q", id)
		} else if err != nil {
			return audit.Record{}, db.Wrap("read dead letter", err)
		}
		next, record, err := decide(actor, present)
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.ExecContext(ctx, "UPDATE dead_letters SET due = ?"+which, next.Due, webhookID, id)
		return record, db.Wrap("change dead letter", err)
	})
}
