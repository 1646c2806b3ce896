package telemetry_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/domain/player"
)

// The cost of telemetry: a request through the server's metrics, and an item through the
// counted writer.

func BenchmarkRequest(b *testing.B) {
	made, err := telemetry.New(b.Context(), telemetry.Config{Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	observed, err := made.HTTP()
	if err != nil {
		b.Fatal(err)
	}
	handler := observed.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		observed.Seen(r.Context(), telemetry.Exchange{Method: http.MethodPost, Route: "/play"})
		w.WriteHeader(http.StatusOK)
	}))
	request := httptest.NewRequest(http.MethodPost, "/casino/play", nil)
	b.ReportAllocs()
	for b.Loop() {
		handler.ServeHTTP(discard{header: http.Header{}}, request)
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header            { return d.header }
func (d discard) Write(text []byte) (int, error) { return len(text), nil }
func (d discard) WriteHeader(int)                {}

func BenchmarkWriter(b *testing.B) {
	made, err := telemetry.New(b.Context(), telemetry.Config{Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	writer, err := made.Writer(settled{}, system.Default())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := writer.Commit(b.Context(), player.Item{}); err != nil {
			b.Fatal(err)
		}
	}
}

// settled answers every item with a round.
type settled struct{}

func (settled) Commit(context.Context, player.Item) (player.Receipt, error) {
	return player.Receipt{Change: player.Change{Round: roundOf(5_000, 9_900)}}, nil
}
