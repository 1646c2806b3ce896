package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is the result of a load. Rates count successful answers within the measured time;
// latencies include every request and count from when it was due.
type Result struct {
	BaseURL   string    `json:"baseUrl"`
	Version   string    `json:"version"`
	Mix       string    `json:"mix"`
	Clients   int       `json:"clients"`
	Players   int       `json:"players"`
	Rate      float64   `json:"rate"` // 0: as fast as answers come
	Seconds   float64   `json:"seconds"`
	Requests  int64     `json:"requests"`
	Sent      int64     `json:"sent"`     // including the warm-up
	Answered  int64     `json:"answered"` // successful answers to measured requests, in time or later
	PerSecond float64   `json:"perSecond"`
	Latency   Latency   `json:"latency"`
	Kinds     []Kind    `json:"kinds"`
	Failures  []Failure `json:"failures"`
	// Bad is the number of impossible answers; BadExamples describes some.
	Bad         int64    `json:"bad"`
	BadExamples []string `json:"badExamples"`
	// NotSent is the number of requests of a rate that became due too late to be sent.
	NotSent int64 `json:"notSent"`
	// CPUMicros is the client's processor time per request, 0 if unknown.
	CPUMicros float64 `json:"clientCpuMicros"`
	// Heard is nil without listeners.
	Heard *Heard `json:"heard,omitempty"`

	whole *hdrhistogram.Histogram
}

// Latency is a distribution in milliseconds.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// Kind is the result for one kind of request.
type Kind struct {
	Kind      string  `json:"kind"`
	Requests  int64   `json:"requests"`
	PerSecond float64 `json:"perSecond"`
	Latency   Latency `json:"latency"`
}

// Failure counts one type of failed request. Status 0 means no answer.
type Failure struct {
	Kind   string `json:"kind"`
	Status int    `json:"status"`
	Code   string `json:"code"`
	Count  int64  `json:"count"`
}

// resultAt returns the result at a moment.
func (t *tally) resultAt(now time.Time) Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to.Before(now) {
		now = t.to
	}
	r := Result{
		Sent: t.sent, Seconds: max(0, now.Sub(t.from).Seconds()), Bad: t.bad, BadExamples: slices.Clone(t.examples), Failures: []Failure{},
		whole: hdrhistogram.New(1, latencyMax.Microseconds(), digits),
	}
	var well int64
	for _, k := range t.kinds {
		r.whole.Merge(k.latency)
		r.Requests += k.requests
		well += k.well
		r.Answered += k.answered
		r.Kinds = append(r.Kinds, Kind{k.kind, k.requests, perSecond(k.well, r.Seconds), latencyOf(k.latency)})
	}
	r.PerSecond, r.Latency = perSecond(well, r.Seconds), latencyOf(r.whole)
	for what, count := range t.failures {
		r.Failures = append(r.Failures, Failure{what.kind, what.status, what.code, count})
	}
	slices.SortFunc(r.Failures, func(a, b Failure) int {
		return cmp.Or(-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Kind, b.Kind), a.Status-b.Status, cmp.Compare(a.Code, b.Code))
	})
	return r
}

func perSecond(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

func latencyOf(h *hdrhistogram.Histogram) Latency {
	at := func(quantile float64) float64 { return float64(h.ValueAtQuantile(quantile)) / 1000 }
	return Latency{Mean: h.Mean() / 1000, P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Max: float64(h.Max()) / 1000}
}

// failedRequests returns the number of failed requests.
func (r Result) failedRequests() (n int64) {
	for _, f := range r.Failures {
		n += f.Count
	}
	return n
}

// Line describes the progress of a load on one line.
func (p Progress) Line() string {
	if p.Since < 0 {
		return fmt.Sprintf("warming up, %s left", (-p.Since).Round(time.Second))
	}
	r := p.Result
	return fmt.Sprintf("%.0f of %.0f s: %.0f/s, p50 %.1f ms, p99 %.1f ms, %d failed, %d bad",
		r.Seconds, p.Of.Seconds(), r.PerSecond, r.Latency.P50, r.Latency.P99, r.failedRequests(), r.Bad)
}

// Print writes the result as text.
func (r Result) Print(w io.Writer) error {
	var b strings.Builder
	how := "each as soon as the one before is answered"
	if r.Rate > 0 {
		how = fmt.Sprintf("at %g requests a second", r.Rate)
	}
	fmt.Fprintf(&b, "%s, version %s: %d clients, %d players, %s, %.1f s\n\n", r.BaseURL, r.Version, r.Clients, r.Players, how, r.Seconds)
	fmt.Fprintf(&b, "%-28s %10s %10s %9s %9s %9s %9s %9s\n", "", "requests", "per second", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "max ms")
	line := func(name string, requests int64, rate float64, l Latency) {
		fmt.Fprintf(&b, "%-28s %10d %10.1f %9.2f %9.2f %9.2f %9.2f %9.2f\n", name, requests, rate, l.P50, l.P90, l.P99, l.P999, l.Max)
	}
	for _, k := range r.Kinds {
		line(k.Kind, k.Requests, k.PerSecond, k.Latency)
	}
	if len(r.Kinds) > 1 {
		line("all", r.Requests, r.PerSecond, r.Latency)
	}
	fmt.Fprintln(&b)
	for _, f := range r.Failures {
		status := fmt.Sprint(f.Status)
		if f.Status == 0 {
			status = "no answer:"
		}
		fmt.Fprintf(&b, "%d × %s failed: %s %s\n", f.Count, f.Kind, status, f.Code)
	}
	if r.NotSent > 0 {
		fmt.Fprintf(&b, "%d requests were due and could not be sent in time: more clients, or a service that is too slow for the rate\n", r.NotSent)
	}
	if h := r.Heard; h != nil {
		fmt.Fprintf(&b, "%d listened: of %d bets %d were not heard; after the answer p50 %.1f ms, p99 %.1f ms, at most %.1f ms\n",
			h.Listeners, h.Bets, h.Missing, h.Latency.P50, h.Latency.P99, h.Latency.Max)
	}
	for _, example := range r.BadExamples {
		fmt.Fprintln(&b, "bad:", example)
	}
	fmt.Fprintf(&b, "%d failed, %d bad answers; a request cost this side %.0f µs of processor\n", r.failedRequests(), r.Bad, r.CPUMicros)
	_, err := io.WriteString(w, b.String())
	return err
}

// ticksPerHalf is the resolution of a printed distribution; 5 is the usual value.
const ticksPerHalf = 5

// Slower returns the number of requests that took longer.
func (r Result) Slower(than time.Duration) (n int64) {
	for _, bar := range r.whole.Distribution() {
		if bar.From > than.Microseconds() {
			n += bar.Count
		}
	}
	return n
}

// PrintHistogram writes the distribution of all latencies in milliseconds, in the format of
// HdrHistogram's plotters.
func (r Result) PrintHistogram(w io.Writer) error {
	_, err := r.whole.PercentilesPrint(w, ticksPerHalf, 1000)
	return err
}
