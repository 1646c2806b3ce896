package telemetry

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/casino-service/casino/ports"
)

// Calls is the metrics and traces of calls to the chain's nodes, or of commands to
// Redis.
type Calls struct {
	tracer trace.Tracer
	clock  ports.Clock
	took   metric.Float64Histogram
	failed metric.Int64Counter
	method labels
	span   string
}

// Calls returns the observer of calls to the chain. Call it once.
func (t *Telemetry) Calls(clock ports.Clock) (*Calls, error) {
	return t.calls(clock, &Calls{method: labels{name: "method"}, span: "rpc "}, "casino.rpc", "calls to the chain's nodes", "getHealth")
}

// Redis returns the observer of commands to Redis. Call it once. Neither metrics nor
// traces hold their arguments.
func (t *Telemetry) Redis(clock ports.Clock) (*Calls, error) {
	return t.calls(clock, &Calls{method: labels{name: "command"}, span: "redis "}, "casino.redis", "commands to Redis", "EVALSHA")
}

// calls gives an observer its instruments. The first is the method that is shown to have
// failed never before any has failed.
func (t *Telemetry) calls(clock ports.Clock, c *Calls, name, what, first string) (*Calls, error) {
	m := t.make()
	c.tracer, c.clock = t.tracers.Tracer(scope), clock
	c.took = m.timer(name+".duration", "How long "+what+" took, by "+c.method.name+".")
	c.failed = m.counter(name+".errors", strings.ToUpper(what[:1])+what[1:]+" that failed, by "+c.method.name+".")
	c.failed.Add(context.Background(), 0, c.method.of(first))
	return c, m.err()
}

// Called records a call that begins, and returns what records its end. Methods are names
// from this code base, so they take few values.
func (c *Calls) Called(ctx context.Context, method string) (context.Context, func(error)) {
	begin, label := c.clock.Now(), c.method.of(method)
	ctx, span := c.tracer.Start(ctx, c.span+method, trace.WithSpanKind(trace.SpanKindClient))
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
