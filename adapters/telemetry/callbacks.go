package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// Callbacks counts rejected calls to the provider's callback address.
type Callbacks struct {
	refused *prometheus.CounterVec
}

// Callbacks returns the observer of callbacks. Call it once.
func (t *Telemetry) Callbacks() (*Callbacks, error) {
	m := t.newMaker()
	c := &Callbacks{
		refused: m.newCounterVec("casino_provider_refused_total", "Provider callbacks rejected before they were processed: malformed, too_large, credentials, address or too_many.", "reason"),
	}
	c.refused.WithLabelValues("credentials")
	return c, m.err()
}

// Refused counts a rejected callback. The reason takes few values.
func (c *Callbacks) Refused(_ context.Context, reason string) {
	c.refused.WithLabelValues(reason).Inc()
}
