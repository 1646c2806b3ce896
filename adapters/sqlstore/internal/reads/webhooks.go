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
	return r.endpoints().where("w.id = ? AND w.agent = ?", id, agent).one(ctx, "read webhook", fault.New(fault.NotFound, "no webhook %q", id))
}

// WebhooksOf serves ports.Webhooks.
func (r *Reads) WebhooksOf(ctx context.Context, agent string) ([]webhook.Endpoint, error) {
	return r.endpoints().where("w.agent = ?", agent).order("w.id").all(ctx, "read webhooks")
}

// WebhooksDue serves ports.WebhookQueue.
func (r *Reads) WebhooksDue(ctx context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error) {
	return r.endpoints().where(freeWebhook, db.Micros(now)).where("w.next_at <= ? AND w.id > ?", db.Micros(now), after).
		order("w.id").limit(limit).all(ctx, "read webhooks")
}

func (r *Reads) endpoints() *query[webhook.Endpoint] { return from(r, rows.Endpoints(r.sealer)) }

// DeadLetters serves ports.DeadLetters.
func (r *Reads) DeadLetters(ctx context.Context, webhookID string, page ports.Page) (ports.DeadLetterPage, error) {
	l := listOf(rows.DeadLetters, "l.id")
	l.add("l.webhook = ?", webhookID)
	found, info, err := listed(ctx, r, "list dead letters", page, rows.DeadLetters, func(l *webhook.DeadLetter) string { return l.ID }, l)
	return ports.DeadLetterPage{Letters: found, PageInfo: info}, err
}

// DeadLetter serves ports.DeadLetters.
func (r *Reads) DeadLetter(ctx context.Context, webhookID, id string) (webhook.DeadLetter, error) {
	return from(r, rows.DeadLetters).where("l.webhook = ? AND l.id = ?", webhookID, id).
		one(ctx, "read dead letter", fault.New(fault.NotFound, "no dead letter %q", id))
}

// DeadLettersDue serves ports.DeadLetters.
func (r *Reads) DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error) {
	return from(r, rows.FirstDueLetters).where(freeWebhook, db.Micros(now)).order("w.id").limit(limit).all(ctx, "read due dead letters")
}
