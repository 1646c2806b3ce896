package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/casino-service/casino/app/recovery"
)

// Restoration exports whether the database was found to be older than a witness, and the
// age of each witness's records. Call it once.
func (t *Telemetry) Restoration(status func() recovery.RestorationStatus) error {
	m := t.newMaker()
	m.gaugeFunc("casino_restored", "1 while the database is found to be restored from an older copy: the service is then read-only.", func() int64 {
		return oneIf(status().Restored != nil)
	})
	m.registerCollector(witnessAges{status, prometheus.NewDesc("casino_witness_age_seconds",
		"How long ago a witness outside the database last kept all that there was to keep.", []string{"witness"}, nil)})
	return m.err()
}

// witnessAges computes the ages at each collection, because an earlier value would be too
// small.
type witnessAges struct {
	status func() recovery.RestorationStatus
	about  *prometheus.Desc
}

// Describe names the metric.
func (w witnessAges) Describe(to chan<- *prometheus.Desc) { to <- w.about }

// Collect reads the age of each witness.
func (w witnessAges) Collect(to chan<- prometheus.Metric) {
	for _, witness := range w.status().Witnesses {
		to <- prometheus.MustNewConstMetric(w.about, prometheus.GaugeValue, witness.Age.Truncate(time.Second).Seconds(), witness.Name)
	}
}
