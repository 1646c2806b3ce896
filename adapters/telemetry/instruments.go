package telemetry

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// maker creates and registers instruments, and collects errors. Labels must have few
// values.
type maker struct {
	registry *prometheus.Registry
	faults   []error
}

func (t *Telemetry) newMaker() *maker { return &maker{registry: t.registry} }

func (m *maker) registerCollector(c prometheus.Collector) {
	m.faults = append(m.faults, m.registry.Register(c))
}

func (m *maker) err() error { return errors.Join(m.faults...) }

func registerOnce[C prometheus.Collector](m *maker, c C) C {
	m.registerCollector(c)
	return c
}

func (m *maker) newCounter(name, about string) prometheus.Counter {
	return registerOnce(m, prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: about}))
}

func (m *maker) newCounterVec(name, about, label string) *prometheus.CounterVec {
	return registerOnce(m, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: about}, []string{label}))
}

// newGauge returns a gauge that is not exported before it is first set, even without
// labels.
func (m *maker) newGauge(name, about string, labels ...string) gauge {
	return gauge{registerOnce(m, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: about}, labels))}
}

type gauge struct{ vec *prometheus.GaugeVec }

func (g gauge) setValue(value int64, labels ...string) {
	g.vec.WithLabelValues(labels...).Set(float64(value))
}

// gaugeFunc registers a gauge that is read at each collection.
func (m *maker) gaugeFunc(name, about string, read func() int64) {
	m.registerCollector(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: about}, func() float64 { return float64(read()) }))
}

// seconds are the buckets of durations, from a tenth of a millisecond to ten seconds.
var seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newTimer returns a histogram of durations in seconds.
func (m *maker) newTimer(name, about string) prometheus.Histogram {
	return m.newSizeHistogram(name, about, seconds...)
}

func (m *maker) newTimerVec(name, about string, labels ...string) *prometheus.HistogramVec {
	return m.timersOf(name, about, seconds, labels...)
}

func (m *maker) timersOf(name, about string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	return registerOnce(m, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: about, Buckets: bounds}, labels))
}

func (m *maker) newSizeHistogram(name, about string, bounds ...float64) prometheus.Histogram {
	return registerOnce(m, prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: about, Buckets: bounds}))
}
