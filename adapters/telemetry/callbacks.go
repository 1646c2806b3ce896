package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/metric"
)

// Callbacks is the metrics of what comes to the provider's address and isn't the
// provider's.
type Callbacks struct {
	refused metric.Int64Counter
	reason  labels
}

// Callbacks returns the observer of callbacks. Call it once.
func (t *Telemetry) Callbacks() (*Callbacks, error) {
	m := t.make()
	c := &Callbacks{
		reason:  labels{name: "reason"},
		refused: m.counter("casino.provider.refused", "Provider callbacks turned away before they were looked at: malformed, too_large, credentials, address or too_many."),
	}
	c.refused.Add(context.Background(), 0, c.reason.of("credentials"))
	return c, m.err()
}

// Refused counts a callback that was turned away. The reason takes few values.
func (c *Callbacks) Refused(ctx context.Context, reason string) {
	c.refused.Add(ctx, 1, c.reason.of(reason))
}
