package service

import (
	"context"
	"errors"
	"log/slog"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/ops"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// opsModule serves the operations address. Its server starts before the API's and ends
// after it, so that it can report a start or a stop in progress.
var opsModule = fx.Module("ops",
	fx.Provide(func() *ops.Readiness { return &ops.Readiness{} }),
	fx.Invoke(func(life fx.Lifecycle, open OpsListener, ready *ops.Readiness, metrics *telemetry.Telemetry, casino *app.Casino,
		log *slog.Logger, down fx.Shutdowner) {
		server := ops.NewServer(ops.New(ops.Config{
			Ready: func() error { return errors.Join(ready.Ready(), databaseUp(casino)) }, Metrics: metrics.Handler(),
		}), log)
		life.Append(fx.StartStopHook(
			func() { Serve(server, open, log, down) },
			func(context.Context) error { return server.Close() },
		))
	}),
	fx.Invoke(watchLoop),
)

// readinessModule comes last: readiness opens after everything else and closes first.
var readinessModule = fx.Module("readiness",
	fx.Invoke(func(life fx.Lifecycle, ready *ops.Readiness, held *Held, flags settings.Serve) {
		life.Append(fx.StartStopHook(ready.Open, ready.Close))
		held.putOff(flags.LameDuck, ready.Close)
	}),
)

func databaseUp(casino *app.Casino) error {
	if casino.Health().Report().Status == kernel.Down {
		return errors.New("the database can't be used: it doesn't answer, takes no writes, or has another version's schema")
	}
	return nil
}
