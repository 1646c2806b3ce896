package telemetry

import (
	"context"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Exchange is one request and its response. Its fields take few values.
type Exchange struct {
	Method, Route, Code string
	// Stray is set when the request was forwarded by a private peer that is no trusted
	// proxy.
	Stray bool
}

// HTTP is the metrics and traces of a server.
type HTTP struct {
	telemetry *Telemetry
	refusals  metric.Int64Counter
	stray     metric.Int64Counter
	code      labels
}

// HTTP returns the observer of a server. Call it once.
func (t *Telemetry) HTTP() (*HTTP, error) {
	m := t.make()
	h := &HTTP{
		telemetry: t, code: labels{name: "code"},
		refusals: m.counter("casino.http.refusals", "Requests refused, by the code of the refusal."),
		stray:    m.counter("casino.http.stray_forwards", "Requests with X-Forwarded-For from a private address that is no trusted proxy."),
	}
	h.stray.Add(context.Background(), 0)
	h.refusals.Add(context.Background(), 0, h.code.of("INTERNAL_ERROR"))
	return h, m.err()
}

// Wrap observes the handler. Traces that callers began are linked, not joined: outsiders
// must not decide what is sampled.
func (h *HTTP) Wrap(next http.Handler) http.Handler {
	return otelhttp.NewHandler(next, "request",
		otelhttp.WithMeterProvider(h.telemetry.meters), otelhttp.WithTracerProvider(h.telemetry.tracers),
		otelhttp.WithPublicEndpointFn(func(*http.Request) bool { return true }),
		// Without a name the label would be the Host header, which outsiders choose.
		otelhttp.WithServerName("casino"),
	)
}

// Seen records an exchange of a wrapped handler.
func (h *HTTP) Seen(ctx context.Context, e Exchange) {
	route := e.Route
	if route == "" {
		route = "none"
	}
	if labels, ok := otelhttp.LabelerFromContext(ctx); ok {
		labels.Add(attribute.String("http.route", route))
	}
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetName(e.Method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.String("casino.code", e.Code))
	}
	if e.Code != "" {
		h.refusals.Add(ctx, 1, h.code.of(e.Code))
	}
	if e.Stray {
		h.stray.Add(ctx, 1)
	}
}
