package telemetry_test

import (
	"bytes"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // the driver

	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/test/fakes"
)

// Not parallel: OpenTelemetry's own variables say where traces go.
func TestTracesGoWhereOpenTelemetrysVariablesSay(t *testing.T) {
	received := make(chan []byte, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/traces" || err != nil {
			t.Errorf("the collector was sent %s, %v", r.URL, err)
		}
		received <- body
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_SERVICE_NAME", "casino-under-test")

	made, err := telemetry.New(t.Context(), telemetry.Config{Version: "test", Traces: telemetry.TracesByVariable})
	if err != nil {
		t.Fatal(err)
	}
	observed, err := made.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	calls, err := made.Calls(fakes.NewClock(fakes.Start))
	if err != nil {
		t.Fatal(err)
	}
	commands, err := made.Redis(fakes.NewClock(fakes.Start))
	if err != nil {
		t.Fatal(err)
	}
	databases, err := made.Databases(fakes.NewClock(fakes.Start))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	db := bun.NewDB(pool, sqlitedialect.New()).WithQueryHook(databases.Observe("readers", pool))
	handler := observed.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, done := calls.Called(r.Context(), "getTransaction")
		done(nil)
		if _, err := db.ExecContext(r.Context(), "SELECT ?", "secret-of-the-row"); err != nil {
			t.Error(err)
		}
		_, answered := commands.Called(r.Context(), "EVALSHA")
		answered(nil)
		observed.Seen(r.Context(), telemetry.Exchange{Method: "POST", Route: "/deposit", Status: http.StatusOK})
	}))
	request := httptest.NewRequest(http.MethodPost, "http://casino/casino/deposit", strings.NewReader(`{"secret-of-the-body": 1}`))
	request.Header.Set("Authorization", "Bearer secret-of-the-header")
	request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	handler.ServeHTTP(httptest.NewRecorder(), request)
	wants(t, metrics(t, made), `go_sql_query_timing_milliseconds_count{db_operation="SELECT",pool="readers"} 1`, `go_sql_connections_open{pool="readers"} 1`,
		`http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="200",http_route="/deposit"} 1`)
	if err := made.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := <-received
	for _, want := range []string{"casino-under-test", "POST /deposit", "rpc getTransaction", "redis EVALSHA", "http.route", "SELECT ?", "readers"} {
		if !bytes.Contains(sent, []byte(want)) {
			t.Errorf("%q was not sent", want)
		}
	}
	for _, secret := range []string{"secret-of-the-header", "secret-of-the-body", "secret-of-the-row"} {
		if bytes.Contains(sent, []byte(secret)) {
			t.Errorf("%q was sent", secret)
		}
	}
}
