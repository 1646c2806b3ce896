package service

import (
	"log/slog"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/workers"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/ports"
)

// workersModule runs the loops. They start after everything that they need, and end before
// it.
var workersModule = fx.Module("workers",
	fx.Invoke(func(life fx.Lifecycle, casino *app.Casino, store *sqlstore.Store,
		restored *recovery.Restoration, witnesses Witnesses, screening Screening, clock ports.Clock, log *slog.Logger) {
		runWorkers(life, log, func() []app.Worker {
			all := append(casino.Workers(), store.Workers(clock)...)
			casino.Began()
			all = append(restored.Guard(all...), restored.Workers()...)
			for _, w := range witnesses.All {
				all = append(all, app.Worker{Name: "witness " + w.Name, Interval: flushRest, Step: restored.Flushing(w.Name, w.Flush)})
			}
			return append(all, screening.Workers...)
		})
	}),
)

// runWorkers runs workers while the service runs.
func runWorkers(life fx.Lifecycle, log *slog.Logger, list func() []app.Worker) {
	var running *workers.Running
	life.Append(fx.StartStopHook(
		func() (err error) {
			running, err = workers.Start(log, list()...)
			return err
		},
		func() { running.Stop() },
	))
}
