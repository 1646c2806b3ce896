package service

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
)

// probeRest is how often dependencies are probed.
const probeRest = 5 * time.Second

// pruneRest is how often expired data is deleted.
const pruneRest = time.Minute

// monthsRest is how often the partitions of the coming months are checked.
const monthsRest = time.Hour

// workersModule is the loops. They begin when everything that they need has begun, and
// end before it ends.
var workersModule = fx.Module("workers",
	fx.Invoke(func(life fx.Lifecycle, casino *app.Casino, returns *app.RTPMonitor, store *sqlstore.Store, clock ports.Clock, log *slog.Logger) {
		var running *workers
		life.Append(fx.StartStopHook(
			func() {
				running = startWorkers(log,
					worker{"payouts", app.PayoutInterval, casino.PayoutWorker().Step},
					worker{"deposits", app.DepositInterval, casino.DepositWorker().Step},
					worker{"watcher", app.WatchInterval, casino.DepositWatcher().Step},
					worker{"treasury", app.TreasuryInterval, casino.Treasury().Step},
					worker{"returns", app.MonitorInterval, returns.Step},
					worker{"mints", app.MintInterval, casino.MintWorker().Step},
					worker{"provider games", app.ProviderSyncInterval, casino.ProviderSync().Step},
					worker{"agents' sites", app.DeliveryInterval, casino.DeliveryWorker().Step},
					worker{"provider log", app.ReconcileInterval, casino.ProviderReconciler().Step},
					worker{"prune", pruneRest, func(ctx context.Context) (bool, error) { return store.Prune(ctx, clock.Now()) }},
					worker{"months", monthsRest, func(ctx context.Context) (bool, error) { return store.MakeMonths(ctx, clock.Now()) }},
					worker{"health", probeRest, casino.Health().Step},
				)
			},
			func() { running.stop() },
		))
	}),
)

// worker is a step that is run in a loop, with a rest when there was nothing to do.
type worker struct {
	name string
	rest time.Duration
	step step
}

// workers are the loops of a running service.
type workers struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// startWorkers begins the loops. They end with stop, after the step they are in.
func startWorkers(log *slog.Logger, all ...worker) *workers {
	ctx, cancel := context.WithCancel(context.Background())
	w := &workers{cancel: cancel}
	for _, each := range all {
		w.done.Go(func() { loop(ctx, each.name, log, each.rest, each.step) })
	}
	return w
}

func (w *workers) stop() {
	w.cancel()
	w.done.Wait()
}
