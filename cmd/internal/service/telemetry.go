package service

import (
	"context"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
)

// telemetryTime is how long a stopping service continues to send traces.
const telemetryTime = time.Second

// telemetryModule provides metrics and traces. The other modules attach its observers, and
// ops serves the metrics.
var telemetryModule = fx.Module("telemetry",
	fx.Provide(newTelemetry, (*telemetry.Telemetry).HTTP, (*telemetry.Telemetry).Callbacks, newBatches, newCalls, newDatabases, newWatch),
)

func newTelemetry(life fx.Lifecycle, held *Held, version Version, traces telemetry.Traces) (*telemetry.Telemetry, error) {
	t, err := telemetry.New(context.Background(), telemetry.Config{Version: string(version), Traces: traces})
	if err != nil {
		return nil, err
	}
	held.Hold(life, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, telemetryTime)
		defer cancel()
		return t.Close(ctx)
	})
	return t, nil
}

func newBatches(t *telemetry.Telemetry, machine *system.System) (*telemetry.Batches, error) {
	return t.Batches(machine)
}

func newDatabases(t *telemetry.Telemetry, machine *system.System) (*telemetry.Databases, error) {
	return t.Databases(machine)
}

func newCalls(t *telemetry.Telemetry, machine *system.System) (*telemetry.Calls, error) {
	return t.Calls(machine)
}

func newWatch(t *telemetry.Telemetry, casino *app.Casino, returns *admin.RTPMonitor, chain nodes, writer *sqlstore.Writers, limiter RequestLimiter,
	machine *system.System) (*telemetry.Watch, error) {
	if err := t.Queue(writer.Waiting); err != nil {
		return nil, err
	}
	if err := t.Limiter(limiter.Alone); err != nil {
		return nil, err
	}
	return t.Watch(telemetry.Watched{
		OperationsStatus: casino.Operations.OperationsStatus, ChainHead: chain.Head, Health: casino.Health().Report, Returns: returns.Returns, Clock: machine,
	})
}

// watchLoop runs the watch until the service stops.
func watchLoop(life fx.Lifecycle, watch *telemetry.Watch, log *slog.Logger) {
	runWorkers(life, log, func() []app.Worker {
		return []app.Worker{{Name: "watch", Interval: telemetry.WatchInterval, Step: watch.Step}}
	})
}

// observeExchanges passes exchanges from the API to the metrics, which are independent
// packages.
func observeExchanges(observed *telemetry.HTTP) func(context.Context, httpapi.Exchange) {
	return func(ctx context.Context, e httpapi.Exchange) {
		observed.Seen(ctx, telemetry.Exchange{
			Method: e.Method, Route: e.Route, Code: e.Code, Status: e.Status, Duration: e.Duration, Stray: e.Stray,
		})
	}
}
