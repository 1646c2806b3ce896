package app_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/casino-service/casino/app"
)

func TestHealthReportsTheWorstThatMatters(t *testing.T) {
	t.Parallel()
	down := errors.New("away")
	for _, c := range []struct {
		name                     string
		database, limiter, chain error
		want                     app.State
	}{
		{"all well", nil, nil, nil, app.OK},
		{"chain away", nil, nil, down, app.Degraded},
		{"limiter away", nil, down, nil, app.Degraded},
		{"both away", nil, down, down, app.Degraded},
		{"database away", down, nil, nil, app.Down},
		{"everything away", down, down, down, app.Down},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := bare(t, func(d *app.Deps) { d.Settings.Version = "1.2.3" })
			h.Began()
			health := h.Health()
			for name, err := range map[string]error{app.DatabaseCheck: c.database, app.LimiterCheck: c.limiter, app.ChainCheck: c.chain} {
				health.Watch(name, func(context.Context) error { return err })
			}
			// The service doesn't start without its dependencies.
			equal(t, "before the first probe", health.Report().Status, app.OK)
			if _, err := health.Step(h.ctx); err != nil {
				t.Fatal(err)
			}
			// Read often: the report must not depend on the order of a map.
			for range 20 {
				equal(t, "status", health.Report().Status, c.want)
			}
			report := health.Report()
			equal(t, "version", report.Version, "1.2.3")
			equal(t, "chain is down", report.Checks[app.ChainCheck].Status == app.Down, c.chain != nil)
			equal(t, "what isn't configured", report.Checks[app.ProviderCheck].Status, app.Disabled)
		})
	}
}

func TestReadingHealthCallsNothing(t *testing.T) {
	t.Parallel()
	h, asked := bare(t), 0
	h.Began()
	state := errors.New("away")
	h.Health().Watch(app.ChainCheck, func(context.Context) error {
		asked++
		h.clock.Advance(30 * time.Millisecond)
		return state
	})
	for range 2 {
		if _, err := h.Health().Step(h.ctx); err != nil {
			t.Fatal(err)
		}
		check := h.Health().Report().Checks[app.ChainCheck]
		equal(t, "latency", check.Latency, 30*time.Millisecond)
		equal(t, "down", check.Status == app.Down, state != nil)
		state = nil // it comes back
	}
	equal(t, "asked", asked, 2)
	equal(t, "status", h.Health().Report().Status, app.OK)
}

func TestAProbeThatHangsCountsAsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := bare(t)
		h.Health().Watch(app.DatabaseCheck, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		begin := time.Now()
		if _, err := h.Health().Step(h.ctx); err != nil {
			t.Fatal(err)
		}
		equal(t, "given up after", time.Since(begin), 2*time.Second)
		equal(t, "status", h.Health().Report().Status, app.Down)
	})
}

func TestAReportIsACopy(t *testing.T) {
	t.Parallel()
	h := bare(t)
	h.Health().Report().Checks[app.DatabaseCheck] = app.Check{Status: app.Down}
	equal(t, "status", h.Health().Report().Checks[app.DatabaseCheck].Status, app.Disabled)
}
