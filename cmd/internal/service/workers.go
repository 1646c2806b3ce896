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
	fx.Invoke(func(life fx.Lifecycle, casino *app.Casino, returns *app.RTPMonitor, store *sqlstore.Store,
		restored *app.Restoration, witnesses Witnesses, clock ports.Clock, log *slog.Logger) {
		var running *workers
		life.Append(fx.StartStopHook(
			func() {
				all := []worker{
					{"payouts", app.PayoutInterval, restored.WhileOpen(casino.PayoutWorker().Step)},
					{"deposits", app.DepositInterval, restored.WhileOpen(casino.DepositWorker().Step)},
					{"watcher", app.WatchInterval, restored.WhileOpen(casino.DepositWatcher().Step)},
					{"treasury", app.TreasuryInterval, casino.Treasury().Step},
					{"returns", app.MonitorInterval, returns.Step},
					{"mints", app.MintInterval, casino.MintWorker().Step},
					{"provider games", app.ProviderSyncInterval, restored.WhileOpen(casino.ProviderSync().Step)},
					{"agents' sites", app.DeliveryInterval, restored.WhileOpen(casino.DeliveryWorker().Step)},
					{"provider log", app.ReconcileInterval, restored.WhileOpen(casino.ProviderReconciler().Step)},
					{"prune", pruneRest, restored.WhileOpen(func(ctx context.Context) (bool, error) { return store.Prune(ctx, clock.Now()) })},
					{"months", monthsRest, func(ctx context.Context) (bool, error) { return store.MakeMonths(ctx, clock.Now()) }},
					{"health", probeRest, casino.Health().Step},
					{"heads", app.CompareInterval, restored.Step},
					{"restored", app.PublishInterval, restored.Publish},
				}
				for _, w := range witnesses.All {
					all = append(all, worker{"witness " + w.Name, flushRest, restored.Flushing(w.Name, w.Flush)})
				}
				running = startWorkers(log, all...)
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
