package telemetry

import (
	"context"
	"encoding"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"reflect"

	"github.com/lmittmann/tint"
	"go.opentelemetry.io/otel/trace"
)

// LogConfig configures the log.
type LogConfig struct {
	Level slog.Level
	// JSON writes one JSON object a line, for machines. Otherwise lines are for people;
	// Colour colours them for a terminal.
	JSON, Colour bool
	// RequestID returns the id of the request in the context; "" outside a request.
	RequestID func(context.Context) string
}

// NewLogger returns a logger that adds the ids of the request and the trace to each line.
// It prints only values of types known to be harmless; a struct, a map or bytes might
// contain a secret, so only their type is printed. Of warnings and errors with the same
// message only the first few in ten seconds are written; the rest are counted.
func NewLogger(w io.Writer, config LogConfig) *slog.Logger {
	var lines slog.Handler
	if config.JSON {
		lines = slog.NewJSONHandler(w, &slog.HandlerOptions{Level: config.Level, ReplaceAttr: redactValue})
	} else {
		lines = tint.NewTextHandler(w, &tint.Options{Level: config.Level, NoColor: !config.Colour, ReplaceAttr: redactValue})
	}
	if config.RequestID == nil {
		config.RequestID = func(context.Context) string { return "" }
	}
	return slog.New(&contextual{Handler: newLimited(lines), requestID: config.RequestID})
}

// redactValue replaces a value whose type might contain a secret.
func redactValue(_ []string, attr slog.Attr) slog.Attr {
	attr.Value = attr.Value.Resolve()
	if attr.Value.Kind() == slog.KindAny {
		attr.Value = safeValue(attr.Value.Any())
	}
	return attr
}

// safeValue returns how to log a value of a type other than slog's kinds: its text if the
// type is known, else only its type.
func safeValue(value any) slog.Value {
	switch v := value.(type) {
	case nil:
		return slog.StringValue("<nil>")
	case *slog.Source, slog.Level:
		return slog.AnyValue(v)
	case *url.URL: // its text would show user, path and query, which may contain keys
		return slog.StringValue((&url.URL{Scheme: v.Scheme, Host: v.Host}).String())
	case error:
		return slog.StringValue(v.Error())
	case fmt.Stringer:
		return slog.StringValue(v.String())
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return slog.StringValue(string(text))
		}
	case []string:
		return slog.AnyValue(v)
	}
	switch kind := reflect.ValueOf(value); kind.Kind() {
	case reflect.String:
		return slog.StringValue(kind.String())
	case reflect.Bool:
		return slog.BoolValue(kind.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return slog.Int64Value(kind.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return slog.Uint64Value(kind.Uint())
	default:
		return slog.StringValue(fmt.Sprintf("[%T]", value))
	}
}

// contextual adds the ids in a record's context.
type contextual struct {
	slog.Handler
	requestID func(context.Context) string
}

// Handle writes the record with request_id, unless it has one, and trace_id.
func (h *contextual) Handle(ctx context.Context, record slog.Record) error {
	const requestID = "request_id"
	if id := h.requestID(ctx); id != "" && !hasAttribute(record, requestID) {
		record.AddAttrs(slog.String(requestID, id))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

func hasAttribute(record slog.Record, key string) (found bool) {
	record.Attrs(func(attr slog.Attr) bool {
		found = found || attr.Key == key
		return !found
	})
	return found
}

// WithAttrs returns a handler that adds the attributes to every record.
func (h *contextual) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &contextual{h.Handler.WithAttrs(attrs), h.requestID}
}

// WithGroup returns a handler that puts what follows into a group.
func (h *contextual) WithGroup(name string) slog.Handler {
	return &contextual{h.Handler.WithGroup(name), h.requestID}
}
