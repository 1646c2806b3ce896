package telemetry_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/uptrace/bun"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/test/fakes"
)

// TestAStatementThatBunWasNotAskedIsTimed: such an event has no start time.
func TestAStatementThatBunWasNotAskedIsTimed(t *testing.T) {
	t.Parallel()
	made, err := telemetry.New(t.Context(), telemetry.Config{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	clock := fakes.NewClock(fakes.Start)
	databases, err := made.Databases(clock)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	hook, event := databases.Observe("read", pool), &bun.QueryEvent{Query: "SELECT 1", QueryTemplate: "SELECT 1"}
	ctx := hook.BeforeQuery(t.Context(), event)
	clock.Advance(7 * time.Millisecond)
	hook.AfterQuery(ctx, event)
	wants(t, metrics(t, made), `go_sql_query_timing_milliseconds_sum{db_operation="SELECT",pool="read"} 7`)
}
