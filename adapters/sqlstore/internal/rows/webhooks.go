package rows

import (
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Webhooks are agents' endpoints, without their secrets and leases.
var Webhooks = table("webhooks", "w",
	text("id", func(e *webhook.Endpoint) *string { return &e.ID }).keyed(),
	text("agent", func(e *webhook.Endpoint) *string { return &e.Agent }),
	text("url", func(e *webhook.Endpoint) *string { return &e.URL }),
	eventTypes("types", func(e *webhook.Endpoint) *[]stream.Type { return &e.Types }),
	text("state", func(e *webhook.Endpoint) *webhook.State { return &e.State }),
	text("reason", func(e *webhook.Endpoint) *webhook.Reason { return &e.Reason }),
	streamCursor("cursor", func(e *webhook.Endpoint) *stream.Cursor { return &e.Cursor }),
	text("event_id", func(e *webhook.Endpoint) *string { return &e.Tries.EventID }),
	integer("tries", func(e *webhook.Endpoint) *int { return &e.Tries.Count }),
	integer("refused", func(e *webhook.Endpoint) *int { return &e.Tries.Refused }),
	integer("unanswered", func(e *webhook.Endpoint) *int { return &e.Tries.Unanswered }),
	optional("tried_since", func(e *webhook.Endpoint) *time.Time { return &e.Tries.Since }),
	orZero("next_at", func(e *webhook.Endpoint) *time.Time { return &e.Tries.NextAt }),
	integer("last_status", func(e *webhook.Endpoint) *int { return &e.Tries.Last.Status }),
	text("last_failure", func(e *webhook.Endpoint) *webhook.Failure { return &e.Tries.Last.Failure }),
	integer("last_retry_after", func(e *webhook.Endpoint) *time.Duration { return &e.Tries.Last.RetryAfter }),
	optional("failing_since", func(e *webhook.Endpoint) *time.Time { return &e.FailingSince }),
	integer("version", func(e *webhook.Endpoint) *int64 { return &e.Version }),
	optional("previous_until", func(e *webhook.Endpoint) *time.Time { return &e.Secrets.PreviousUntil }),
	moment("created_at", func(e *webhook.Endpoint) *time.Time { return &e.CreatedAt }),
	moment("updated_at", func(e *webhook.Endpoint) *time.Time { return &e.UpdatedAt }),
)

// SelectWebhooks is the query of endpoints with their secrets; what narrows them comes
// after it.
var SelectWebhooks = "SELECT " + Webhooks.Columns() + ", w.current_secret, w.previous_secret FROM " + Webhooks.From()

// WebhookProgress are the columns that workers change, in this order.
var WebhookProgress = Webhooks.only("state", "reason", "cursor", "event_id", "tries", "refused", "unanswered", "tried_since", "next_at", "last_status",
	"last_failure", "last_retry_after", "failing_since")

// ScanWebhook reads a row of SelectWebhooks.
func ScanWebhook(sealer ports.Sealer) func(db.Row) (webhook.Endpoint, error) {
	return func(row db.Row) (webhook.Endpoint, error) {
		var current, previous []byte
		e, err := Webhooks.ScanWith(row, &current, &previous)
		if err != nil {
			return e, err
		}
		for box, into := range map[*[]byte]*agent.Secret{&current: &e.Secrets.Current, &previous: &e.Secrets.Previous} {
			if *box == nil {
				continue
			}
			opened, err := sealer.Open(*box, webhookBinding(e.ID)...)
			if err != nil {
				return e, db.Wrap("open secret", err)
			}
			*into = agent.SecretFrom(string(opened))
		}
		return e, nil
	}
}

// SealWebhookSecret is a secret as it is stored, nil for none.
func SealWebhookSecret(sealer ports.Sealer, id string, s agent.Secret) (any, error) {
	if s.Reveal() == "" {
		return nil, nil
	}
	box, err := sealer.Seal([]byte(s.Reveal()), webhookBinding(id)...)
	return box, db.Wrap("seal secret", err)
}

// webhookBinding ties a sealed secret to its endpoint.
func webhookBinding(id string) []string { return []string{"webhook secret", id} }

// DeadLetters are events that endpoints refused for good.
var DeadLetters = table("dead_letters", "l",
	text("webhook", func(l *webhook.DeadLetter) *string { return &l.Webhook }).keyed(),
	text("id", func(l *webhook.DeadLetter) *string { return &l.ID }).keyed(),
	text("event_id", func(l *webhook.DeadLetter) *string { return &l.EventID }),
	text("type", func(l *webhook.DeadLetter) *stream.Type { return &l.Type }),
	moment("event_at", func(l *webhook.DeadLetter) *time.Time { return &l.EventAt }),
	bytes("body", func(l *webhook.DeadLetter) *[]byte { return &l.Body }),
	integer("tries", func(l *webhook.DeadLetter) *int { return &l.Tries }),
	integer("last_status", func(l *webhook.DeadLetter) *int { return &l.Last.Status }),
	text("last_failure", func(l *webhook.DeadLetter) *webhook.Failure { return &l.Last.Failure }),
	integer("last_retry_after", func(l *webhook.DeadLetter) *time.Duration { return &l.Last.RetryAfter }),
	moment("at", func(l *webhook.DeadLetter) *time.Time { return &l.At }),
	boolean("due", func(l *webhook.DeadLetter) *bool { return &l.Due }),
)

// eventTypes are written with blanks between them.
func eventTypes(name string, at func(*webhook.Endpoint) *[]stream.Type) column[webhook.Endpoint] {
	c := text(name, func(*webhook.Endpoint) *string { return nil })
	c.place = func(e *webhook.Endpoint) any { return (*typeList)(at(e)) }
	c.value = func(e *webhook.Endpoint) any {
		all := make([]string, len(*at(e)))
		for i, one := range *at(e) {
			all[i] = string(one)
		}
		return strings.Join(all, " ")
	}
	return c
}

// typeList reads types of events.
type typeList []stream.Type

// Scan implements sql.Scanner.
func (l *typeList) Scan(from any) error {
	read, err := textOf(from)
	for _, one := range strings.Fields(read) {
		*l = append(*l, stream.Type(one))
	}
	return err
}

// streamCursor is a place in the stream of events.
func streamCursor(name string, at func(*webhook.Endpoint) *stream.Cursor) column[webhook.Endpoint] {
	c := text(name, func(*webhook.Endpoint) *string { return nil })
	c.place = func(e *webhook.Endpoint) any { return (*cursorText)(at(e)) }
	c.value = func(e *webhook.Endpoint) any { return at(e).String() }
	return c
}

// cursorText reads such a place.
type cursorText stream.Cursor

// Scan implements sql.Scanner.
func (c *cursorText) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	parsed, err := stream.ParseCursor(read)
	*c = cursorText(parsed)
	return err
}
