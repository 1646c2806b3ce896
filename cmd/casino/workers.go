package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/app"
)

// probeRest is how often dependencies are probed.
const probeRest = 5 * time.Second

// workers are the loops of a running service.
type workers struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// startWorkers begins the loops. They end with stop, after the step they are in.
func startWorkers(casino *app.Casino, log *slog.Logger) *workers {
	ctx, cancel := context.WithCancel(context.Background())
	w := &workers{cancel: cancel}
	for _, worker := range []struct {
		name string
		rest time.Duration
		step step
	}{
		{"payouts", app.PayoutRest, casino.PayoutWorker().Step},
		{"deposits", app.DepositRest, casino.DepositWorker().Step},
		{"mints", app.MintRest, casino.MintWorker().Step},
		{"health", probeRest, casino.Health().Step},
	} {
		w.done.Go(func() { loop(ctx, worker.name, log, worker.rest, worker.step) })
	}
	return w
}

func (w *workers) stop() {
	w.cancel()
	w.done.Wait()
}
