package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/casino-service/casino/ports"
)

// Calls is the metrics and traces of calls to the chain's nodes.
type Calls struct {
	tracer trace.Tracer
	clock  ports.Clock
	took   metric.Float64Histogram
	failed metric.Int64Counter
	method labels
}

// Calls returns the observer of calls to the chain. Call it once.
func (t *Telemetry) Calls(clock ports.Clock) (*Calls, error) {
	m := t.make()
	c := &Calls{
		tracer: t.tracers.Tracer(scope), clock: clock, method: labels{name: "method"},
		took:   m.timer("casino.rpc.duration", "How long calls to the chain's nodes took, by method."),
		failed: m.counter("casino.rpc.errors", "Calls to the chain's nodes that failed, by method."),
	}
	c.failed.Add(context.Background(), 0, c.method.of("getHealth"))
	return c, m.err()
}

// Called records a call that begins, and returns what records its end. Methods are names
// from this code base, so they take few values.
func (c *Calls) Called(ctx context.Context, method string) (context.Context, func(error)) {
	begin, label := c.clock.Now(), c.method.of(method)
	ctx, span := c.tracer.Start(ctx, "rpc "+method, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(err error) {
		defer span.End()
		c.took.Record(ctx, c.clock.Now().Sub(begin).Seconds(), label)
		if err != nil {
			c.failed.Add(ctx, 1, label)
			span.SetStatus(codes.Error, err.Error())
		}
	}
}

// since is how long ago a time was, never below zero.
func since(clock ports.Clock, moment time.Time) time.Duration {
	return max(0, clock.Now().Sub(moment))
}
