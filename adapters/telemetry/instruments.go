package telemetry

import (
	"errors"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// maker makes instruments and collects their errors.
type maker struct {
	meter  metric.Meter
	faults []error
}

func (t *Telemetry) make() *maker { return &maker{meter: t.meter} }

func (m *maker) counter(name, about string) metric.Int64Counter {
	made, err := m.meter.Int64Counter(name, metric.WithDescription(about))
	m.faults = append(m.faults, err)
	return made
}

func (m *maker) gauge(name, about string, options ...metric.Int64GaugeOption) metric.Int64Gauge {
	made, err := m.meter.Int64Gauge(name, append(options, metric.WithDescription(about))...)
	m.faults = append(m.faults, err)
	return made
}

// timer is a histogram of durations in seconds.
func (m *maker) timer(name, about string) metric.Float64Histogram {
	made, err := m.meter.Float64Histogram(name, metric.WithDescription(about), metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(seconds...))
	m.faults = append(m.faults, err)
	return made
}

func (m *maker) sizes(name, about string, bounds ...float64) metric.Int64Histogram {
	made, err := m.meter.Int64Histogram(name, metric.WithDescription(about), metric.WithExplicitBucketBoundaries(bounds...))
	m.faults = append(m.faults, err)
	return made
}

// asked is a gauge that is read at each collection.
func (m *maker) asked(name, about string, read func() int64, options ...metric.Int64ObservableGaugeOption) {
	_, err := m.meter.Int64ObservableGauge(name, append(options, metric.WithDescription(about),
		metric.WithInt64Callback(observe(read)))...)
	m.faults = append(m.faults, err)
}

func (m *maker) err() error { return errors.Join(m.faults...) }

// labels holds the attribute sets of one label, each made once: making one costs more
// than counting with it. Its values must be few.
type labels struct {
	name string
	made sync.Map // of metric.MeasurementOption by value
}

// of returns the attribute set of a value.
func (l *labels) of(value string) metric.MeasurementOption {
	if known, ok := l.made.Load(value); ok {
		option, _ := known.(metric.MeasurementOption)
		return option
	}
	option := metric.WithAttributeSet(attribute.NewSet(attribute.String(l.name, value)))
	l.made.Store(value, option)
	return option
}
