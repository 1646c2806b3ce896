package ports

import (
	"context"

	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/webhook"
)

// WebhookSite sends messages to endpoints that agents chose.
//
// Send makes one try: a POST of the body as it is, as application/cloudevents+json, with the
// three headers of Standard Webhooks. Whatever comes of it is a response, and never an
// error: the status, or why there is none. A redirect is a response like any other and isn't
// followed. An address that isn't on the public internet is not connected to, whatever its
// name led to before. An endpoint that answers nothing is TimedOut within a bounded time, one
// that answers without end has answered its status. Retry-After is read as seconds and as a
// moment. Of what is answered nothing else is kept. The error is that of ctx, which ended before there was an answer:
// nobody knows then whether the endpoint has the message.
type WebhookSite interface {
	// Send makes one try.
	Send(ctx context.Context, m webhook.Message) (webhook.Response, error)
}

// EventEncoder writes events as those who listen get them.
type EventEncoder interface {
	// EncodeEvent returns the JSON of an event of the ledger with this id: an object, the same
	// whenever the event is written.
	EncodeEvent(ledger string, e stream.Event) ([]byte, error)
}
