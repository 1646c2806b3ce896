// Package telemetry reports how the service is doing: structured logs without secrets,
// metrics in the Prometheus format, and traces.
//
// Only commands import it. They attach its observers to the other adapters: HTTP, the
// database, Redis, calls to the chain, the writer, payouts and balances. The service never
// waits for it; a metric that can't be read is left out.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope is the name of this package's spans.
const scope = "github.com/casino-service/casino"

// Config names the reporting service, and says whether it sends traces.
type Config struct {
	// Version is the version of the service.
	Version string
	// Traces are sent by OTLP over HTTP to the endpoint in OpenTelemetry's variables
	// (OTEL_EXPORTER_OTLP_ENDPOINT and others).
	Traces Traces
}

// Traces says which traces of requests and background work are kept.
type Traces int

// The zero value is NoTraces. TracesByVariable leaves the choice to OTEL_TRACES_SAMPLER.
const (
	NoTraces Traces = iota
	TracesSampled
	TracesByVariable
)

// sampled is the default fraction of traces kept. Most requests are bets, which tracing
// must not slow down.
const sampled = 0.01

// TracesWanted returns the setting in OpenTelemetry's variables, or an error that names
// variables with unsupported values. getenv is os.Getenv.
func TracesWanted(getenv func(string) string) (Traces, error) {
	var faults []error
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if protocol := getenv(name); protocol != "" && protocol != "http/protobuf" {
			faults = append(faults, fmt.Errorf("%s: only http/protobuf is supported, not %q", name, protocol))
		}
	}
	chosen := getenv("OTEL_TRACES_EXPORTER")
	if chosen != "" && chosen != "otlp" && chosen != "none" {
		faults = append(faults, fmt.Errorf("OTEL_TRACES_EXPORTER: must be otlp or none, not %q", chosen))
	}
	if err := errors.Join(faults...); err != nil {
		return NoTraces, err
	}
	asked := chosen == "otlp" || getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	switch {
	case !asked || chosen == "none" || getenv("OTEL_SDK_DISABLED") == "true":
		return NoTraces, nil
	case getenv("OTEL_TRACES_SAMPLER") != "":
		return TracesByVariable, nil
	}
	return TracesSampled, nil
}

// LogFailures makes the process log failures of telemetry itself, such as a collector
// that can't be reached, instead of printing them.
func LogFailures(log *slog.Logger) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("telemetry could not be reported", "error", err.Error())
	}))
}

// Telemetry is one service's metrics and traces. It is safe for concurrent use.
type Telemetry struct {
	registry *prometheus.Registry
	tracers  trace.TracerProvider
	traced   bool
	close    func(context.Context) error
}

// New returns the telemetry of a service. It makes no connection.
func New(ctx context.Context, config Config) (*Telemetry, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "casino"), attribute.String("service.version", config.Version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
	)
	if err != nil {
		return nil, fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	registry.MustRegister(targetInfo(about))
	t := &Telemetry{
		registry: registry, tracers: noop.NewTracerProvider(),
		close: func(context.Context) error { return nil },
	}
	if config.Traces == NoTraces {
		return t, nil
	}
	sender, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("telemetry: traces: %w", err)
	}
	options := []sdktrace.TracerProviderOption{sdktrace.WithBatcher(sender), sdktrace.WithResource(about)}
	if config.Traces == TracesSampled {
		options = append(options, sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(sampled))))
	}
	tracers := sdktrace.NewTracerProvider(options...)
	t.tracers, t.traced, t.close = tracers, true, tracers.Shutdown
	return t, nil
}

// targetInfo returns a metric that describes the reporting service.
func targetInfo(about *resource.Resource) prometheus.Collector {
	labels := prometheus.Labels{}
	for _, key := range []attribute.Key{"service.name", "service.version"} {
		value, _ := about.Set().Value(key)
		labels[strings.ReplaceAll(string(key), ".", "_")] = value.AsString()
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "target_info", Help: "Who reports.", ConstLabels: labels}, func() float64 { return 1 })
}

// Handler serves GET /metrics in the Prometheus text format.
func (t *Telemetry) Handler() http.Handler {
	return promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Close sends what is pending, until the context ends, and stops.
func (t *Telemetry) Close(ctx context.Context) error { return t.close(ctx) }
