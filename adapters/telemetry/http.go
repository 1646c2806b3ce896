package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	metrics "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Exchange is one request and its response. Its fields take few values.
type Exchange struct {
	Method, Route, Code string
	Status              int
	Duration            time.Duration
	// Stray is set if a private peer that is not a trusted proxy forwarded the request.
	Stray bool
}

// HTTP is the metrics and traces of a server.
type HTTP struct {
	telemetry *Telemetry
	took      *prometheus.HistogramVec
	refusals  *prometheus.CounterVec
	stray     prometheus.Counter
}

// HTTP returns the observer of a server. Call it once.
func (t *Telemetry) HTTP() (*HTTP, error) {
	m := t.newMaker()
	h := &HTTP{
		telemetry: t,
		took: m.newTimerVec("http_server_request_duration_seconds", "How long requests took, by method, route and status.",
			"http_request_method", "http_route", "http_response_status_code"),
		refusals: m.newCounterVec("casino_http_refusals_total", "Requests refused, by the code of the refusal.", "code"),
		stray:    m.newCounter("casino_http_stray_forwards_total", "Requests with X-Forwarded-For from a private address that is not a trusted proxy."),
	}
	h.refusals.WithLabelValues("INTERNAL_ERROR")
	return h, m.err()
}

// Wrap traces the handler if tracing is enabled. Traces of callers are linked, not joined:
// outsiders must not decide what is sampled.
func (h *HTTP) Wrap(next http.Handler) http.Handler {
	if !h.telemetry.traced {
		return next
	}
	return otelhttp.NewHandler(next, "request",
		otelhttp.WithMeterProvider(metrics.NewMeterProvider()), otelhttp.WithTracerProvider(h.telemetry.tracers),
		otelhttp.WithPropagators(propagation.TraceContext{}), otelhttp.WithPublicEndpointFn(func(*http.Request) bool { return true }),
		// Without a name the label would be the Host header, which outsiders choose.
		otelhttp.WithServerName("casino"),
	)
}

// Seen records an exchange.
func (h *HTTP) Seen(ctx context.Context, e Exchange) {
	route := e.Route
	if route == "" {
		route = "none"
	}
	h.took.WithLabelValues(e.Method, route, strconv.Itoa(e.Status)).Observe(e.Duration.Seconds())
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetName(e.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.String("casino.code", e.Code))
	}
	if e.Code != "" {
		h.refusals.WithLabelValues(e.Code).Inc()
	}
	if e.Stray {
		h.stray.Inc()
	}
}
