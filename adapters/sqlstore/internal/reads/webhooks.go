package reads

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// freeWebhook is an endpoint that a worker may have.
const freeWebhook = "w.state = 'active' AND w.until <= ? AND EXISTS (SELECT 1 FROM agents AS a WHERE a.code = w.agent AND NOT a.deleted)"

// Webhook serves ports.Webhooks.
func (r *Reads) Webhook(ctx context.Context, agent, id string) (webhook.Endpoint, error) {
	return one(ctx, r, "read webhook", rows.Webhooks.Select()+" WHERE w.id = ? AND w.agent = ?", []any{id, agent},
		r.scanWebhook, fault.New(fault.NotFound, "no webhook %q", id))
}

// WebhooksOf serves ports.Webhooks.
func (r *Reads) WebhooksOf(ctx context.Context, agent string) ([]webhook.Endpoint, error) {
	return r.webhooks(ctx, "WHERE w.agent = ? ORDER BY w.id", agent)
}

// WebhooksDue serves ports.WebhookQueue.
func (r *Reads) WebhooksDue(ctx context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error) {
	return r.webhooks(ctx, "WHERE "+freeWebhook+" AND w.next_at <= ? AND w.id > ? ORDER BY w.id LIMIT ?", db.Micros(now), db.Micros(now), after, limit)
}

func (r *Reads) webhooks(ctx context.Context, which string, arguments ...any) ([]webhook.Endpoint, error) {
	return every(ctx, r, "read webhooks", rows.Webhooks.Select()+" "+which, arguments, r.scanWebhook)
}

func (r *Reads) scanWebhook(row db.Row) (webhook.Endpoint, error) {
	w, err := rows.Webhooks.Scan(row)
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return w.Endpoint(r.sealer)
}

// DeadLetters serves ports.DeadLetters.
func (r *Reads) DeadLetters(ctx context.Context, webhookID string, page ports.Page) (ports.DeadLetterPage, error) {
	l := list{columns: rows.DeadLetters.Columns(), from: rows.DeadLetters.From(), id: "l.id"}
	l.add("l.webhook = ?", webhookID)
	found, info, err := listed(ctx, r, "list dead letters", page, rows.ScanDeadLetter, func(l *webhook.DeadLetter) string { return l.ID }, l)
	return ports.DeadLetterPage{Letters: found, PageInfo: info}, err
}

// DeadLetter serves ports.DeadLetters.
func (r *Reads) DeadLetter(ctx context.Context, webhookID, id string) (webhook.DeadLetter, error) {
	return one(ctx, r, "read dead letter", rows.DeadLetters.Select()+" WHERE l.webhook = ? AND l.id = ?", []any{webhookID, id},
		rows.ScanDeadLetter, fault.New(fault.NotFound, "no dead letter %q", id))
}

// DeadLettersDue serves ports.DeadLetters.
func (r *Reads) DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error) {
	return every(ctx, r, "read due dead letters", `SELECT `+rows.DeadLetters.Columns()+`
		FROM (SELECT d.webhook, min(d.id) AS id FROM dead_letters AS d WHERE d.due GROUP BY d.webhook) AS first
		JOIN webhooks AS w ON w.id = first.webhook
		JOIN dead_letters AS l ON l.webhook = first.webhook AND l.id = first.id
		WHERE `+freeWebhook+` ORDER BY w.id LIMIT ?`, []any{db.Micros(now), limit}, rows.ScanDeadLetter)
}
