package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
)

// Webhooks is a ports.WebhookSite that counts outcomes of messages and times their
// endpoints. The endpoint is not a label, because agents create any number of them.
type Webhooks struct {
	next  ports.WebhookSite
	clock ports.Clock
	sent  *prometheus.CounterVec
	took  prometheus.Histogram
}

var _ ports.WebhookSite = (*Webhooks)(nil)

// outcomes are the label values of a response's meaning.
var outcomes = map[webhook.Outcome]string{
	webhook.Delivered: "delivered", webhook.Refused: "refused", webhook.Unavailable: "unavailable", webhook.IsGone: "gone",
}

// Webhooks returns the site with metrics. Call it once.
func (t *Telemetry) Webhooks(next ports.WebhookSite, clock ports.Clock) (*Webhooks, error) {
	m := t.newMaker()
	w := &Webhooks{
		next: next, clock: clock,
		sent: m.newCounterVec("casino_webhook_deliveries_total", "Tries to send an event to an agent's endpoint, by result: delivered, refused, unavailable or gone.", "result"),
		took: m.newTimer("casino_webhook_duration_seconds", "How long agents' endpoints took to answer."),
	}
	for _, word := range outcomes {
		w.sent.WithLabelValues(word)
	}
	return w, m.err()
}

// Send sends the message and counts its outcome. A cancelled message is not counted.
func (w *Webhooks) Send(ctx context.Context, m webhook.Message) (webhook.Response, error) {
	begin := w.clock.Now()
	response, err := w.next.Send(ctx, m)
	if err == nil {
		w.took.Observe(elapsedSince(w.clock, begin).Seconds())
		w.sent.WithLabelValues(outcomes[response.Outcome()]).Inc()
	}
	return response, err
}
