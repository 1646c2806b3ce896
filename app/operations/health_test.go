package operations_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/test/apptest"
)

func TestHealthReportsTheWorstThatMatters(t *testing.T) {
	t.Parallel()
	down := errors.New("away")
	for _, c := range []struct {
		name                     string
		database, limiter, chain error
		want                     kernel.State
	}{
		{"all well", nil, nil, nil, kernel.OK},
		{"chain away", nil, nil, down, kernel.Degraded},
		{"limiter away", nil, down, nil, kernel.Degraded},
		{"both away", nil, down, down, kernel.Degraded},
		{"database away", down, nil, nil, kernel.Down},
		{"everything away", down, down, down, kernel.Down},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := bare(t, func(d *app.Deps) { d.Settings.Version = "1.2.3" })
			h.Began()
			health := h.Health()
			for name, err := range map[string]error{kernel.DatabaseCheck: c.database, kernel.LimiterCheck: c.limiter, kernel.ChainCheck: c.chain} {
				health.Watch(name, func(context.Context) error { return err })
			}
			// The service doesn't start without its dependencies.
			apptest.Equal(t, "before the first probe", health.Report().Status, kernel.OK)
			if _, err := health.Step(h.Ctx); err != nil {
				t.Fatal(err)
			}
			// Read often: the report must not depend on the order of a map.
			for range 20 {
				apptest.Equal(t, "status", health.Report().Status, c.want)
			}
			report := health.Report()
			apptest.Equal(t, "version", report.Version, "1.2.3")
			apptest.Equal(t, "chain is down", report.Checks[kernel.ChainCheck].Status == kernel.Down, c.chain != nil)
			apptest.Equal(t, "what isn't configured", report.Checks[kernel.ProviderCheck].Status, kernel.Disabled)
		})
	}
}

func TestReadingHealthCallsNothing(t *testing.T) {
	t.Parallel()
	h, asked := bare(t), 0
	h.Began()
	state := errors.New("away")
	h.Health().Watch(kernel.ChainCheck, func(context.Context) error {
		asked++
		h.Clock.Advance(30 * time.Millisecond)
		return state
	})
	for range 2 {
		if _, err := h.Health().Step(h.Ctx); err != nil {
			t.Fatal(err)
		}
		check := h.Health().Report().Checks[kernel.ChainCheck]
		apptest.Equal(t, "latency", check.Latency, 30*time.Millisecond)
		apptest.Equal(t, "down", check.Status == kernel.Down, state != nil)
		state = nil // it comes back
	}
	apptest.Equal(t, "asked", asked, 2)
	apptest.Equal(t, "status", h.Health().Report().Status, kernel.OK)
}

func TestAProbeThatHangsCountsAsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := bare(t)
		h.Health().Watch(kernel.DatabaseCheck, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		begin := time.Now()
		if _, err := h.Health().Step(h.Ctx); err != nil {
			t.Fatal(err)
		}
		apptest.Equal(t, "given up after", time.Since(begin), 2*time.Second)
		apptest.Equal(t, "status", h.Health().Report().Status, kernel.Down)
	})
}

func TestAReportIsACopy(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.Health().Report().Checks[kernel.DatabaseCheck] = kernel.Check{Status: kernel.Down}
	apptest.Equal(t, "status", h.Health().Report().Checks[kernel.DatabaseCheck].Status, kernel.Disabled)
}
