package telemetry

import (
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/extra/bunotel"
	"github.com/uptrace/opentelemetry-go-extra/otelsql"
	"go.opentelemetry.io/otel/attribute"
)

// Database observes a pool of connections: how many are open, how many wait, and each
// statement's time. Traces hold statements without their arguments. What a writer sends
// in pipelines is not included: Batches times it.
func (t *Telemetry) Database(pool string, db *bun.DB) *bun.DB {
	name := attribute.String("pool", pool)
	otelsql.ReportDBStatsMetrics(db.DB, otelsql.WithMeterProvider(t.meters), otelsql.WithAttributes(name))
	return db.WithQueryHook(withoutInit{bunotel.NewQueryHook(
		bunotel.WithAttributes(name), bunotel.WithMeterProvider(t.meters), bunotel.WithTracerProvider(t.tracers),
	)})
}

// withoutInit hides the hook's Init, which would report the pool a second time to a
// provider that nobody reads.
type withoutInit struct{ bun.QueryHook }
