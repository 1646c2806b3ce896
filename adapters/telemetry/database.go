package telemetry

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/uptrace/bun"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/casino-service/casino/ports"
)

// Databases observes connection pools: open connections, waiting callers, and the duration
// of each statement. Traces contain statements without their arguments. Statements that a
// writer sends in pipelines are not included; Batches times those.
type Databases struct {
	telemetry *Telemetry
	clock     ports.Clock
	took      *prometheus.HistogramVec

	mu    sync.Mutex
	pools map[string]*sql.DB
}

// Databases returns the observer of pools. Call it once.
func (t *Telemetry) Databases(clock ports.Clock) (*Databases, error) {
	m := t.newMaker()
	d := &Databases{
		telemetry: t, clock: clock, pools: map[string]*sql.DB{},
		took: m.timersOf("go_sql_query_timing_milliseconds", "How long statements took, by what they begin with.",
			[]float64{.1, .25, .5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000}, "pool", "db_operation"),
	}
	m.registerCollector(d)
	return d, m.err()
}

// Observe observes the pool under a name, and returns the hook for its statements.
func (d *Databases) Observe(pool string, db *sql.DB) bun.QueryHook {
	d.mu.Lock()
	d.pools[pool] = db
	d.mu.Unlock()
	return queries{
		d.clock, d.took.MustCurryWith(prometheus.Labels{"pool": pool}), d.telemetry.tracers.Tracer(scope), attribute.String("pool", pool),
	}
}

// queries times and traces statements.
type queries struct {
	clock  ports.Clock
	took   prometheus.ObserverVec
	tracer trace.Tracer
	pool   attribute.KeyValue
}

// BeforeQuery begins the statement's part of a trace.
func (q queries) BeforeQuery(ctx context.Context, event *bun.QueryEvent) context.Context {
	if event.StartTime.IsZero() { // not called by bun
		event.StartTime = q.clock.Now()
	}
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	ctx, _ = q.tracer.Start(ctx, event.Operation(), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(q.pool, attribute.String("db.query.text", event.QueryTemplate)))
	return ctx
}

// AfterQuery records the statement's duration.
func (q queries) AfterQuery(ctx context.Context, event *bun.QueryEvent) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		if event.Err != nil && !errors.Is(event.Err, sql.ErrNoRows) {
			span.SetStatus(codes.Error, event.Err.Error())
		}
		span.End()
	}
	q.took.WithLabelValues(event.Operation()).Observe(1000 * elapsedSince(q.clock, event.StartTime).Seconds())
}

// poolStat is one statistic of database/sql.
type poolStat struct {
	about *prometheus.Desc
	kind  prometheus.ValueType
	read  func(sql.DBStats) int64
}

var poolNumbers = []poolStat{
	poolStatistic("max_open", "Most connections that may be open.", prometheus.GaugeValue, func(s sql.DBStats) int64 { return int64(s.MaxOpenConnections) }),
	poolStatistic("open", "Open connections, in use and idle.", prometheus.GaugeValue, func(s sql.DBStats) int64 { return int64(s.OpenConnections) }),
	poolStatistic("in_use", "Connections in use.", prometheus.GaugeValue, func(s sql.DBStats) int64 { return int64(s.InUse) }),
	poolStatistic("idle", "Idle connections.", prometheus.GaugeValue, func(s sql.DBStats) int64 { return int64(s.Idle) }),
	poolStatistic("wait_count_total", "How often a connection was waited for.", prometheus.CounterValue, func(s sql.DBStats) int64 { return s.WaitCount }),
	poolStatistic("wait_duration_nanoseconds_total", "How long connections were waited for.", prometheus.CounterValue, func(s sql.DBStats) int64 { return int64(s.WaitDuration) }),
	poolStatistic("closed_max_idle_total", "Connections closed because too many were idle.", prometheus.CounterValue, func(s sql.DBStats) int64 { return s.MaxIdleClosed }),
	poolStatistic("closed_max_idle_time_total", "Connections closed because they were idle for too long.", prometheus.CounterValue, func(s sql.DBStats) int64 { return s.MaxIdleTimeClosed }),
	poolStatistic("closed_max_lifetime_total", "Connections closed because of their age.", prometheus.CounterValue, func(s sql.DBStats) int64 { return s.MaxLifetimeClosed }),
}

func poolStatistic(name, about string, kind prometheus.ValueType, read func(sql.DBStats) int64) poolStat {
	return poolStat{prometheus.NewDesc("go_sql_connections_"+name, about, []string{"pool"}, nil), kind, read}
}

// Describe lists the metrics of pools.
func (d *Databases) Describe(to chan<- *prometheus.Desc) {
	for _, n := range poolNumbers {
		to <- n.about
	}
}

// Collect reads the statistics of each pool.
func (d *Databases) Collect(to chan<- prometheus.Metric) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for pool, db := range d.pools {
		now := db.Stats()
		for _, n := range poolNumbers {
			to <- prometheus.MustNewConstMetric(n.about, n.kind, float64(n.read(now)), pool)
		}
	}
}
