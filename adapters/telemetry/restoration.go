package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/casino-service/casino/app"
)

// Restoration shows whether the database was found to have gone back, and how old what
// each witness keeps is. Call it once.
func (t *Telemetry) Restoration(status func() app.RestorationStatus) error {
	m := t.make()
	m.asked("casino.restored", "1 while the database is found to have gone back to an older copy: the service only reads then.", func() int64 {
		return oneIf(status().Restored != nil)
	})
	_, err := t.meter.Int64ObservableGauge("casino.witness.age", metric.WithUnit("s"),
		metric.WithDescription("How long ago a witness outside the database last kept all that there was to keep."),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			for _, w := range status().Witnesses {
				o.Observe(int64(w.Age.Seconds()), metric.WithAttributes(attribute.String("witness", w.Name)))
			}
			return nil
		}))
	m.faults = append(m.faults, err)
	return m.err()
}
