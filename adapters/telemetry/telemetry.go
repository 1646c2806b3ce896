// Package telemetry shows how the service is doing: structured logs that hold no secret,
// metrics in the Prometheus format, and traces.
//
// Commands import it and attach its observers to the other adapters: HTTP, the database,
// Redis, calls to the chain, the writer, and what must be watched of money and payouts.
// Nothing else imports it, and nothing waits for it: a metric that can't be read is left
// out.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope is the name of this package's instruments.
const scope = "github.com/casino-service/casino"

// Config says who reports, and whether traces are sent.
type Config struct {
	// Version is the version of the service.
	Version string
	// Traces enables traces by OTLP over HTTP, to where OpenTelemetry's own variables
	// say (OTEL_EXPORTER_OTLP_ENDPOINT and others).
	Traces bool
}

// TracesWanted reports whether OpenTelemetry's own variables ask for traces, or an error
// that names those which ask for something unsupported. getenv is os.Getenv.
func TracesWanted(getenv func(string) string) (bool, error) {
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
		return false, err
	}
	if getenv("OTEL_SDK_DISABLED") == "true" || chosen == "none" {
		return false, nil
	}
	return chosen == "otlp" || getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" ||
		getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "", nil
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
	meters   metric.MeterProvider
	tracers  trace.TracerProvider
	meter    metric.Meter
	close    []func(context.Context) error
}

// New returns the telemetry of a service. It makes no connection.
func New(ctx context.Context, config Config) (*Telemetry, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo())
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "casino"), attribute.String("service.version", config.Version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
	)
	if err != nil {
		return nil, fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(about), sdkmetric.WithView(views...))
	t := &Telemetry{
		registry: registry, meters: meters, tracers: noop.NewTracerProvider(),
		meter: meters.Meter(scope), close: []func(context.Context) error{meters.Shutdown},
	}
	if !config.Traces {
		return t, nil
	}
	sender, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: traces: %w", err), t.Close(ctx))
	}
	tracers := sdktrace.NewTracerProvider(sdktrace.WithBatcher(sender), sdktrace.WithResource(about))
	t.tracers, t.close = tracers, append(t.close, tracers.Shutdown)
	return t, nil
}

// seconds are the bounds of durations, from a tenth of a millisecond to ten seconds.
var seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// views give the instruments of libraries suitable bounds, and limit the values of their
// labels.
var views = []sdkmetric.View{
	sdkmetric.NewView(
		sdkmetric.Instrument{Name: "http.server.request.duration"},
		sdkmetric.Stream{Aggregation: sdkmetric.AggregationExplicitBucketHistogram{Boundaries: seconds}},
	),
	sdkmetric.NewView(
		sdkmetric.Instrument{Name: "http.server.*.body.size"},
		sdkmetric.Stream{Aggregation: sdkmetric.AggregationDrop{}},
	),
}

// Handler serves GET /metrics in the Prometheus text format.
func (t *Telemetry) Handler() http.Handler {
	return promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Close sends what is pending, until the context ends, and stops.
func (t *Telemetry) Close(ctx context.Context) error {
	var all []error
	for _, end := range t.close {
		all = append(all, end(ctx))
	}
	return errors.Join(all...)
}
