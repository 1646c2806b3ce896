package telemetry

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/casino-service/casino/ports"
)

// Calls records metrics and traces of calls to the chain's nodes, or of commands to Redis.
type Calls struct {
	tracer trace.Tracer
	clock  ports.Clock
	took   *prometheus.HistogramVec
	failed *prometheus.CounterVec
	span   string
}

// Calls returns the observer of calls to the chain. Call it once.
func (t *Telemetry) Calls(clock ports.Clock) (*Calls, error) {
	return t.newCalls(clock, "rpc", "calls to the chain's nodes", "method", "getHealth")
}

// Redis returns the observer of commands to Redis. Call it once. Metrics and traces don't
// contain arguments.
func (t *Telemetry) Redis(clock ports.Clock) (*Calls, error) {
	return t.newCalls(clock, "redis", "commands to Redis", "command", "EVALSHA")
}

// RedisPool exports the pool of connections to Redis. Call it once.
func (t *Telemetry) RedisPool(stats func() *redis.PoolStats) error {
	m := t.newMaker()
	for name, of := range map[string]struct {
		about string
		read  func(*redis.PoolStats) uint32
	}{
		"open":    {"Open connections to Redis, in use and idle.", func(s *redis.PoolStats) uint32 { return s.TotalConns }},
		"idle":    {"Idle connections to Redis.", func(s *redis.PoolStats) uint32 { return s.IdleConns }},
		"waiting": {"Commands that wait for a connection to Redis.", func(s *redis.PoolStats) uint32 { return s.PendingRequests }},
	} {
		m.gaugeFunc("casino_redis_connections_"+name, of.about, func() int64 { return int64(of.read(stats())) })
	}
	m.registerCollector(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "casino_redis_connection_timeouts_total", Help: "Commands that got no connection to Redis in time.",
	}, func() float64 { return float64(stats().Timeouts) }))
	return m.err()
}

// newCalls returns an observer. The failure counter of the method first is exported as zero
// from the start.
func (t *Telemetry) newCalls(clock ports.Clock, name, what, label, first string) (*Calls, error) {
	m := t.newMaker()
	c := &Calls{
		tracer: t.tracers.Tracer(scope), clock: clock, span: name + " ",
		took:   m.newTimerVec("casino_"+name+"_duration_seconds", "How long "+what+" took, by "+label+".", label),
		failed: m.newCounterVec("casino_"+name+"_errors_total", strings.ToUpper(what[:1])+what[1:]+" that failed, by "+label+".", label),
	}
	c.failed.WithLabelValues(first)
	return c, m.err()
}

// Called records the start of a call, and returns the function that records its end.
// Methods are constants of this code, so they take few values.
func (c *Calls) Called(ctx context.Context, method string) (context.Context, func(error)) {
	begin := c.clock.Now()
	ctx, span := c.tracer.Start(ctx, c.span+method, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(err error) {
		defer span.End()
		c.took.WithLabelValues(method).Observe(c.clock.Now().Sub(begin).Seconds())
		if err != nil {
			c.failed.WithLabelValues(method).Inc()
			span.SetStatus(codes.Error, err.Error())
		}
	}
}

// elapsedSince returns the time since the moment, never below zero.
func elapsedSince(clock ports.Clock, moment time.Time) time.Duration {
	return max(0, clock.Now().Sub(moment))
}
