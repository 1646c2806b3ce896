// Package webhooks stores agents' webhooks and their dead letters.
package webhooks

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/agents"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.Webhooks, ports.WebhookQueue and ports.DeadLetters.
type Store struct{ *change.Changes }

// WebhookRow is a row of webhooks: an agent's endpoint with its secrets, and the worker that
// holds it.
type WebhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`

	ID             string `bun:",pk"`
	Agent          string
	URL            string
	Types          []stream.Type
	State          webhook.State
	Reason         webhook.Reason
	Cursor         stream.Cursor
	EventID        string
	Tries          int
	Refused        int
	Unanswered     int
	TriedSince     time.Time       `bun:",nullzero"`
	NextAt         time.Time       `bun:",notnull"`
	Last           responseColumns `bun:"embed:last_"`
	FailingSince   time.Time       `bun:",nullzero"`
	Version        int64
	PreviousUntil  time.Time `bun:",nullzero"`
	CreatedAt      time.Time
	UpdatedAt      time.Time
	CurrentSecret  []byte
	PreviousSecret []byte
	Worker         string
	Until          time.Time `bun:",notnull"`
}

// responseColumns are the columns of a webhook.Response.
type responseColumns struct {
	Status     int
	Failure    webhook.Failure
	RetryAfter time.Duration
}

// onlyAdmins are the columns that workers don't change.
var onlyAdmins = []string{
	"agent", "url", "types", "version", "previous_until", "created_at", "updated_at", "current_secret", "previous_secret", "worker",
}

// The mappings of rows to endpoints and dead letters. Secrets are stored encrypted.
var (
	endpoints = table.MappingOf[WebhookRow, webhook.Endpoint](map[string]string{"Current": "", "Previous": "", "Count": "Tries", "Since": "TriedSince"})
	letters   = table.MappingOf[DeadLetterRow, webhook.DeadLetter](nil)
)

// sealedRow returns the row of an endpoint, with encrypted secrets and without a worker.
func sealedRow(e *webhook.Endpoint, sealer ports.Sealer) (row WebhookRow, err error) {
	endpoints.Set(&row, e)
	if row.CurrentSecret, err = sealSecret(sealer, e.ID, e.Secrets.Current); err == nil {
		row.PreviousSecret, err = sealSecret(sealer, e.ID, e.Secrets.Previous)
	}
	return row, err
}

// endpoint returns the endpoint of a row, with decrypted secrets.
func (w *WebhookRow) endpoint(sealer ports.Sealer) (e webhook.Endpoint, err error) {
	e = endpoints.Value(w)
	if e.Secrets.Current, err = openSecret(sealer, w.ID, w.CurrentSecret); err == nil {
		e.Secrets.Previous, err = openSecret(sealer, w.ID, w.PreviousSecret)
	}
	return e, err
}

func openSecret(sealer ports.Sealer, id string, box []byte) (agent.Secret, error) {
	if box == nil {
		return agent.Secret{}, nil
	}
	opened, err := sealer.Open(box, webhookBinding(id)...)
	return agent.SecretFrom(string(opened)), db.Wrap("open secret", err)
}

func sealSecret(sealer ports.Sealer, id string, s agent.Secret) ([]byte, error) {
	if s.Reveal() == "" {
		return nil, nil
	}
	box, err := sealer.Seal([]byte(s.Reveal()), webhookBinding(id)...)
	return box, db.Wrap("seal secret", err)
}

var webhooks = table.ModelOf[WebhookRow, WebhookRow]().Without("worker", "until")

// Endpoints returns a view of agents' endpoints; the sealer decrypts their secrets.
func Endpoints(sealer ports.Sealer) table.View[webhook.Endpoint] {
	return table.ViewOf(webhooks, func(w WebhookRow) (webhook.Endpoint, error) { return w.endpoint(sealer) })
}

// webhookBinding binds an encrypted secret to its endpoint.
func webhookBinding(id string) []string { return []string{"webhook secret", id} }

// DeadLetterRow is a row of dead_letters.
type DeadLetterRow struct {
	bun.BaseModel `bun:"table:dead_letters,alias:l"`
	Webhook       string `bun:",pk"`
	ID            string `bun:",pk"`
	EventID       string
	Type          stream.Type
	EventAt       time.Time
	Body          []byte
	Tries         int
	Last          responseColumns `bun:"embed:last_"`
	At            time.Time
	Due           bool
}

// DeadLetters is a view of events that could not be delivered to an endpoint.
var DeadLetters = table.ViewOf(table.ModelOf[DeadLetterRow, DeadLetterRow](), func(l DeadLetterRow) (webhook.DeadLetter, error) { return letters.Value(&l), nil })

// FirstDueLetters is a view of the oldest dead letters to be sent again, one per endpoint w.
var FirstDueLetters = table.NewView[webhook.DeadLetter](DeadLetters.Columns(), `(SELECT d.webhook, min(d.id) AS id FROM dead_letters AS d WHERE d.due GROUP BY d.webhook) AS first
	JOIN webhooks AS w ON w.id = first.webhook
	JOIN dead_letters AS l ON l.webhook = first.webhook AND l.id = first.id`, DeadLetters.Scan)

// freeWebhook selects endpoints that a worker may take.
const freeWebhook = "w.state = 'active' AND w.until <= ? AND EXISTS (SELECT 1 FROM agents AS a WHERE a.code = w.agent AND NOT a.deleted)"

// Webhook implements ports.Webhooks.
func (s *Store) Webhook(ctx context.Context, agent, id string) (webhook.Endpoint, error) {
	return s.endpoints().Where("w.id = ? AND w.agent = ?", id, agent).One(ctx, "read webhook", fault.New(fault.NotFound, "no webhook %q", id))
}

// WebhooksOf implements ports.Webhooks.
func (s *Store) WebhooksOf(ctx context.Context, agent string) ([]webhook.Endpoint, error) {
	return s.endpoints().Where("w.agent = ?", agent).Order("w.id").All(ctx, "read webhooks")
}

// WebhooksDue implements ports.WebhookQueue.
func (s *Store) WebhooksDue(ctx context.Context, now time.Time, after string, limit int) ([]webhook.Endpoint, error) {
	return s.endpoints().Where(freeWebhook, db.Micros(now)).Where("w.next_at <= ? AND w.id > ?", db.Micros(now), after).
		Order("w.id").Limit(limit).All(ctx, "read webhooks")
}

func (s *Store) endpoints() *read.Query[webhook.Endpoint] {
	return read.From(s.Reads, Endpoints(s.Sealer))
}

// DeadLetters implements ports.DeadLetters.
func (s *Store) DeadLetters(ctx context.Context, webhookID string, page ports.Page) (ports.DeadLetterPage, error) {
	l := read.ListOf(DeadLetters, "l.id")
	l.Add("l.webhook = ?", webhookID)
	found, info, err := read.ListPage(ctx, s.Reads, "list dead letters", page, DeadLetters, func(l *webhook.DeadLetter) string { return l.ID }, l)
	return ports.DeadLetterPage{Letters: found, PageInfo: info}, err
}

// DeadLetter implements ports.DeadLetters.
func (s *Store) DeadLetter(ctx context.Context, webhookID, id string) (webhook.DeadLetter, error) {
	return read.From(s.Reads, DeadLetters).Where("l.webhook = ? AND l.id = ?", webhookID, id).
		One(ctx, "read dead letter", fault.New(fault.NotFound, "no dead letter %q", id))
}

// DeadLettersDue implements ports.DeadLetters.
func (s *Store) DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error) {
	return read.From(s.Reads, FirstDueLetters).Where(freeWebhook, db.Micros(now)).Order("w.id").Limit(limit).All(ctx, "read due dead letters")
}

// ChangeWebhook implements ports.Webhooks.
func (s *Store) ChangeWebhook(ctx context.Context, by wallet.Address, agent, id string, decide ports.WebhookDecision) error {
	return s.Administer(ctx, "webhooks", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		present, count, err := s.lockWebhook(ctx, tx, agent, id)
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
		return record, s.writeWebhook(ctx, tx, next.Endpoint, present == nil)
	})
}

// lockWebhook returns an endpoint of an agent, nil if it doesn't exist, and how many the agent
// has. A worker that saves it waits until the transaction ends.
func (s *Store) lockWebhook(ctx context.Context, tx bun.Tx, agent, id string) (present *webhook.Endpoint, count int, err error) {
	var row WebhookRow
	if _, err := tx.NewUpdate().Model(&row).Set("version = version").Where("id = ?", id).Exec(ctx); err != nil {
		return nil, 0, db.Wrap("lock webhook", err)
	}
	there, err := db.Found(tx.NewSelect().Model(&row).Where("w.id = ? AND w.agent = ?", id, agent).Scan(ctx))
	if err != nil {
		return nil, 0, db.Wrap("read webhook", err)
	}
	if there {
		e, err := row.endpoint(s.Sealer)
		if err != nil {
			return nil, 0, err
		}
		present = &e
	}
	n, err := tx.NewSelect().Model((*WebhookRow)(nil)).Where("w.agent = ?", agent).Count(ctx)
	return present, int(n), db.Wrap("count webhooks", err)
}

func (s *Store) writeWebhook(ctx context.Context, tx bun.Tx, e webhook.Endpoint, created bool) error {
	row, err := sealedRow(&e, s.Sealer)
	if err != nil {
		return err
	}
	if !created {
		_, err := tx.NewUpdate().Model(&row).ExcludeColumn("agent", "created_at", "worker", "until").WherePK().Exec(ctx)
		return db.Wrap("write webhook", err)
	}
	if err := tx.NewSelect().Model((*agents.AgentRow)(nil)).Column("code").Where("a.code = ?", e.Agent).Scan(ctx, new(string)); err != nil {
		return db.Wrap("find the agent of a webhook", err)
	}
	_, err = tx.NewInsert().Model(&row).Exec(ctx)
	return db.Wrap("add webhook", err)
}

func deleteWebhook(ctx context.Context, tx bun.Tx, id string) error {
	if _, err := tx.NewDelete().Model((*DeadLetterRow)(nil)).Where("webhook = ?", id).Exec(ctx); err != nil {
		return db.Wrap("delete dead letters", err)
	}
	_, err := tx.NewDelete().Model((*WebhookRow)(nil)).Where("id = ?", id).Exec(ctx)
	return db.Wrap("delete webhook", err)
}

// ClaimWebhook implements ports.WebhookQueue. One statement takes the endpoint, so that workers
// wait only for others that want the same one. Where tables are spread over machines, it can't
// look at agents.
func (s *Store) ClaimWebhook(ctx context.Context, id, worker string, now, until time.Time) (e webhook.Endpoint, claimed bool, err error) {
	err = s.RunUnguarded(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		row := WebhookRow{ID: id, Worker: worker, Until: until}
		served, err := tx.NewSelect().Model((*WebhookRow)(nil)).Join("JOIN agents AS a ON a.code = w.agent").
			Where("w.id = ? AND NOT a.deleted", id).Exists(ctx)
		if err != nil || !served {
			return db.Wrap("find the agent of a webhook", err)
		}
		written, err := change.RowsChanged(tx.NewUpdate().Model(&row).Column("worker", "until").WherePK().
			Where("w.state = 'active' AND (w.worker = ? OR w.until <= ?)", worker, db.Micros(now)).Exec(ctx))
		if claimed = written == 1; err != nil || !claimed {
			return db.Wrap("claim webhook", err)
		}
		if err := tx.NewSelect().Model(&row).WherePK().Scan(ctx); err != nil {
			return db.Wrap("read webhook", err)
		}
		e, err = row.endpoint(s.Sealer)
		return err
	})
	return e, claimed && err == nil, err
}

// SaveWebhook implements ports.WebhookQueue.
func (s *Store) SaveWebhook(ctx context.Context, worker string, p ports.WebhookProgress) error {
	e := p.Endpoint
	return s.RunUnguarded(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		row := WebhookRow{Until: p.Until}
		endpoints.Set(&row, &e)
		written, err := change.RowsChanged(tx.NewUpdate().Model(&row).ExcludeColumn(onlyAdmins...).WherePK().
			Where("worker = ? AND version = ?", worker, e.Version).Exec(ctx))
		switch {
		case err != nil:
			return db.Wrap("save webhook", err)
		case written == 0:
			return webhook.Lost(e.ID)
		}
		if p.Letter != nil {
			var row DeadLetterRow
			letters.Set(&row, p.Letter)
			_, err = tx.NewInsert().Model(&row).On("CONFLICT (webhook, id) DO UPDATE").Exec(ctx)
		}
		if err == nil && p.Settled != "" {
			_, err = tx.NewDelete().Model(&DeadLetterRow{Webhook: e.ID, ID: p.Settled}).WherePK().Exec(ctx)
		}
		return db.Wrap("write dead letter", err)
	})
}

// ReleaseWebhook implements ports.WebhookQueue.
func (s *Store) ReleaseWebhook(ctx context.Context, id, worker string) error {
	return s.RunUnguarded(ctx, "webhook", func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model(&WebhookRow{ID: id}).Column("worker", "until").WherePK().Where("worker = ?", worker).Exec(ctx)
		return db.Wrap("release webhook", err)
	})
}

// ChangeDeadLetter implements ports.DeadLetters.
func (s *Store) ChangeDeadLetter(ctx context.Context, by wallet.Address, webhookID, id string, decide ports.DeadLetterDecision) error {
	return s.Administer(ctx, "webhooks", by, func(ctx context.Context, tx bun.Tx, actor rbac.Assignment) (audit.Record, error) {
		row := DeadLetterRow{Webhook: webhookID, ID: id}
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
		next, record, err := decide(actor, letters.Value(&row))
		if err != nil {
			return audit.Record{}, err
		}
		_, err = tx.NewUpdate().Model(&row).Set("due = ?", next.Due).WherePK().Exec(ctx)
		return record, db.Wrap("change dead letter", err)
	})
}
