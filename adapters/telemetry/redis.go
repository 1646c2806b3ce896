package telemetry

import (
	"fmt"

	"github.com/redis/go-redis/extra/redisotel/v9"
	"github.com/redis/go-redis/v9"
)

// Redis observes a client: its connections, and each command's time. Traces hold
// commands without their arguments, which name clients' addresses.
func (t *Telemetry) Redis(client *redis.Client) error {
	if err := redisotel.InstrumentMetrics(client, redisotel.WithMeterProvider(t.meters)); err != nil {
		return fmt.Errorf("telemetry: Redis: %w", err)
	}
	if err := redisotel.InstrumentTracing(client, redisotel.WithTracerProvider(t.tracers), redisotel.WithDBStatement(false)); err != nil {
		return fmt.Errorf("telemetry: Redis: %w", err)
	}
	return nil
}
