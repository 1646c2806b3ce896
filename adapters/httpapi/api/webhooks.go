package api

import (
	"encoding/json"

	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
)

// Webhook is an endpoint of an agent's own that events are sent to. Types are those that it
// hears, none for all that an agent may hear. Cursor is the place up to which it has
// everything, and Next what comes after it where that was tried and not taken. FailingSince
// is when it began to take nothing.
type Webhook struct {
	ID           string        `json:"id"`
	AgentCode    string        `json:"agentCode"`
	URL          string        `json:"url"`
	Types        []stream.Type `json:"types"`
	State        webhook.State `json:"state"`
	Reason       *string       `json:"reason"` // why it is disabled
	Cursor       string        `json:"cursor"` // empty for the beginning
	Next         *WebhookTries `json:"next"`
	FailingSince *int64        `json:"failingSince"`
	// PreviousSecretUntil is when the secret before the present one ends to sign; nil where
	// none does.
	PreviousSecretUntil *int64 `json:"previousSecretUntil"`
	CreatedAt           int64  `json:"createdAt"`
	UpdatedAt           int64  `json:"updatedAt"`
}

// WebhookTries are what became of an event that wasn't taken: so many tries since the first,
// so many of them refused, and the next one. Status is what was answered last, Failure why
// nothing was.
type WebhookTries struct {
	EventID string  `json:"eventId"`
	Tries   int     `json:"tries"`
	Refused int     `json:"refused"`
	Since   int64   `json:"since"`
	NextAt  int64   `json:"nextAt"`
	Status  *int    `json:"status"`
	Failure *string `json:"failure"`
}

// WebhookResponse is one endpoint.
type WebhookResponse struct {
	Webhook Webhook `json:"webhook"`
}

// WebhooksResponse is an agent's endpoints.
type WebhooksResponse struct {
	Webhooks []Webhook `json:"webhooks"`
}

// WebhookSecret is an endpoint with its secret, which is shown once.
type WebhookSecret struct {
	Webhook Webhook `json:"webhook"`
	Secret  string  `json:"secret"`
}

// CreateWebhookRequest makes an endpoint. Without From, the cursor of an event, it begins
// with what is committed from now on; the empty one is the beginning.
type CreateWebhookRequest struct {
	URL   string        `json:"url"`
	Types []stream.Type `json:"types,omitempty"`
	From  *string       `json:"from,omitempty"`
}

// WebhookRequest changes an endpoint; nil fields stay. An empty list of types is all that an
// agent may hear.
type WebhookRequest struct {
	URL   *string        `json:"url,omitempty"`
	Types *[]stream.Type `json:"types,omitempty"`
	State *webhook.State `json:"state,omitempty"`
	From  *string        `json:"from,omitempty"`
}

// DeadLetter is an event that an endpoint refused for good. Event is what was sent, null
// where it was too long to be kept. Due says that it is to be sent again.
type DeadLetter struct {
	ID      string          `json:"id"`
	EventID string          `json:"eventId"`
	Type    stream.Type     `json:"type"`
	EventAt int64           `json:"eventAt"`
	Event   json.RawMessage `json:"event"`
	Tries   int             `json:"tries"`
	Status  *int            `json:"status"`
	Failure *string         `json:"failure"`
	TriedAt int64           `json:"triedAt"`
	Due     bool            `json:"due"`
}

// DeadLetterResponse is one of them.
type DeadLetterResponse struct {
	DeadLetter DeadLetter `json:"deadLetter"`
}

// DeadLetterFilter chooses a page of an endpoint's dead letters.
type DeadLetterFilter struct {
	PageRequest
}

// DeadLetterPage is a page of them, newest first.
type DeadLetterPage struct {
	DeadLetters []DeadLetter `json:"deadLetters"`
	PageInfo    `json:",inline"`
}
