package telemetry_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/casino-service/casino/adapters/telemetry"
)

// line logs once and returns the JSON line as it was written.
func line(t *testing.T, ctx context.Context, config telemetry.LogConfig, attrs ...any) (string, map[string]any) {
	t.Helper()
	var out bytes.Buffer
	config.JSON = true
	telemetry.NewLogger(&out, config).InfoContext(ctx, "something", attrs...)
	fields := map[string]any{}
	if err := json.Unmarshal(out.Bytes(), &fields); err != nil {
		t.Fatalf("%q: %v", out.String(), err)
	}
	return out.String(), fields
}

func TestValuesThatMightHoldASecretShowTheirType(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	type session struct{ Token string }
	withKey, err := url.Parse("https://user:hunter2@node.example/hunter2?key=hunter2")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]any{
		"a struct": session{secret}, "a pointer to one": &session{secret}, "a map": map[string]string{"token": secret},
		"a header": http.Header{"Authorization": {secret}}, "bytes": []byte(secret), "an array": [1]string{secret},
		"a private key": ed25519.NewKeyFromSeed(bytes.Repeat([]byte(secret[:4]), 8)),
		"a URL":         withKey, "a function": func() string { return secret },
		"a group": slog.GroupValue(slog.Any("inner", session{secret})),
	} {
		if text, _ := line(t, t.Context(), telemetry.LogConfig{}, "value", value); strings.Contains(text, secret) || strings.Contains(text, "aHVudGVy") {
			t.Errorf("%s is shown: %s", name, text)
		}
	}
	if text, _ := line(t, t.Context(), telemetry.LogConfig{}, "url", withKey); !strings.Contains(text, "https://node.example") {
		t.Errorf("of a URL nothing is left: %s", text)
	}
}

func TestHarmlessValuesAreShown(t *testing.T) {
	t.Parallel()
	type status string
	for want, value := range map[string]any{
		`"open"`: status("open"), `"no route"`: errors.New("no route"), `"10.0.0.1"`: netip.MustParseAddr("10.0.0.1"),
		`7`: 7, `true`: true, `["a","b"]`: []string{"a", "b"}, `"<nil>"`: nil, `1500000000`: 1500 * time.Millisecond, `9`: uint8(9),
	} {
		if text, _ := line(t, t.Context(), telemetry.LogConfig{}, "value", value); !strings.Contains(text, `"value":`+want) {
			t.Errorf("%v is not shown as %s: %s", value, want, text)
		}
	}
}

func TestLinesCarryTheIdsOfTheirRequestAndTrace(t *testing.T) {
	t.Parallel()
	type key struct{}
	config := telemetry.LogConfig{RequestID: func(ctx context.Context) string {
		id, _ := ctx.Value(key{}).(string)
		return id
	}}
	ctx := trace.ContextWithSpanContext(context.WithValue(t.Context(), key{}, "request-1"), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2},
	}))
	if _, fields := line(t, ctx, config); fields["request_id"] != "request-1" || fields["trace_id"] != "01000000000000000000000000000000" {
		t.Errorf("fields: %v", fields)
	}
	if text, _ := line(t, ctx, config, "request_id", "its own"); strings.Count(text, "request_id") != 1 {
		t.Errorf("the id is there twice: %s", text)
	}
	if _, fields := line(t, t.Context(), config); fields["request_id"] != nil || fields["trace_id"] != nil {
		t.Errorf("outside of a request: %v", fields)
	}
}

func TestLinesForPeopleHideTheSame(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := telemetry.NewLogger(&out, telemetry.LogConfig{Level: slog.LevelWarn}).With("part", "test").WithGroup("g")
	log.Info("too quiet")
	log.Warn("loud", "secret", []byte("hunter2"), "error", errors.New("broken"))
	if text := out.String(); strings.Contains(text, "quiet") || strings.Contains(text, "hunter2") ||
		!strings.Contains(text, "loud") || !strings.Contains(text, "broken") || !strings.Contains(text, "part=test") {
		t.Errorf("written: %s", text)
	}
}
