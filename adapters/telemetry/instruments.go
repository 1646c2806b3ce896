package telemetry

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// maker makes instruments, registers them, and collects what goes wrong. Values of labels
// must be few.
type maker struct {
	registry *prometheus.Registry
	faults   []error
}

func (t *Telemetry) make() *maker { return &maker{registry: t.registry} }

func (m *maker) register(c prometheus.Collector) { m.faults = append(m.faults, m.registry.Register(c)) }

func (m *maker) err() error { return errors.Join(m.faults...) }

func registered[C prometheus.Collector](m *maker, c C) C {
	m.register(c)
	return c
}

func (m *maker) counter(name, about string) prometheus.Counter {
	return registered(m, prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: about}))
}

func (m *maker) counters(name, about, label string) *prometheus.CounterVec {
	return registered(m, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: about}, []string{label}))
}

// gauge shows nothing before it is first set, also without labels.
func (m *maker) gauge(name, about string, labels ...string) gauge {
	return gauge{registered(m, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: about}, labels))}
}

type gauge struct{ vec *prometheus.GaugeVec }

func (g gauge) set(value int64, labels ...string) {
	g.vec.WithLabelValues(labels...).Set(float64(value))
}

// asked is a gauge that is read at each collection.
func (m *maker) asked(name, about string, read func() int64) {
	m.register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: about}, func() float64 { return float64(read()) }))
}

// seconds are the bounds of durations, from a tenth of a millisecond to ten seconds.
var seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// timer is a histogram of durations in seconds.
func (m *maker) timer(name, about string) prometheus.Histogram {
	return m.sizes(name, about, seconds...)
}

func (m *maker) timers(name, about string, labels ...string) *prometheus.HistogramVec {
	return m.timersOf(name, about, seconds, labels...)
}

func (m *maker) timersOf(name, about string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	return registered(m, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: about, Buckets: bounds}, labels))
}

func (m *maker) sizes(name, about string, bounds ...float64) prometheus.Histogram {
	return registered(m, prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: about, Buckets: bounds}))
}
