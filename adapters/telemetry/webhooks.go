package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Webhooks is a ports.WebhookSite that counts what became of messages, and how long
// endpoints took. Which endpoint it was is no label: there are as many as agents make.
type Webhooks struct {
	next  ports.WebhookSite
	clock ports.Clock
	sent  *prometheus.CounterVec
	took  prometheus.Histogram
}

var _ ports.WebhookSite = (*Webhooks)(nil)

// outcomes are the words of what a response means.
var outcomes = map[webhook.Outcome]string{
	webhook.Delivered: "delivered", webhook.Refused: "refused", webhook.Unavailable: "unavailable", webhook.IsGone: "gone",
}

// Webhooks returns the site, counted. Call it once.
func (t *Telemetry) Webhooks(next ports.WebhookSite, clock ports.Clock) (*Webhooks, error) {
	m := t.newMaker()
	w := &Webhooks{
		next: next, clock: clock,
		sent: m.newCounterVec("casino_webhook_deliveries_total", "Tries to send an event to an agent's endpoint, by what came of it: delivered, refused, unavailable or gone.", "result"),
		took: m.newTimer("casino_webhook_duration_seconds", "How long agents' endpoints took to answer."),
	}
	for _, word := range outcomes {
		w.sent.WithLabelValues(word)
	}
	return w, m.err()
}

// Send sends the message and counts what came of it. One that was given up counts as none.
func (w *Webhooks) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	begin := w.clock.Now()
	response, err := w.next.Send(ctx, m)
	if err == nil {
		w.took.Observe(elapsedSince(w.clock, begin).Seconds())
		w.sent.WithLabelValues(outcomes[response.Outcome()]).Inc()
	}
	return response, err
}
