package service_test

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"testing"

	"github.com/casino-service/casino/cmd/internal/service"
)

// TestMemoryHasALimit: garbage of a flood is collected before it grows to five times as
// much, unless Go's own limit is set.
func TestMemoryHasALimit(t *testing.T) {
	before, own := debug.SetMemoryLimit(-1), int64(123<<20)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for _, each := range []struct {
		environment string
		want        int64
	}{{"", 512 << 20}, {"123MiB", own}} {
		t.Setenv("GOMEMLIMIT", each.environment)
		debug.SetMemoryLimit(own) // as Go does at the start
		done, end := context.WithCancel(t.Context())
		end()
		if err := service.Run(done, slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
			t.Fatal(err)
		}
		if got := debug.SetMemoryLimit(-1); got != each.want {
			t.Errorf("GOMEMLIMIT=%q: %d bytes, want %d", each.environment, got, each.want)
		}
	}
}
