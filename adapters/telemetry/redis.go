package telemetry

import (
	"errors"

	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"
)

// Redis observes a client: its connections and the time of each command. Traces hold no
// arguments of commands.
func (t *Telemetry) Redis(client redis.UniversalClient) error {
	return errors.Join(
		redisotel.InstrumentMetrics(client, redisotel.WithMeterProvider(t.meters)),
		redisotel.InstrumentTracing(client, redisotel.WithTracerProvider(t.tracers),
			redisotel.WithDBStatement(false), redisotel.WithCallerEnabled(false)),
	)
}
