package app

import (
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/reports"
	"github.com/casino-service/casino/app/treasury"
)

// worker names a kind of work and makes its workers, which may be several.
type worker struct {
	name string
	make func() []kernel.Worker
}

// addWorker adds a worker to those that Workers lists.
func (c *Casino) addWorker(name string, make func() kernel.Worker) {
	c.workers = append(c.workers, worker{name, func() []kernel.Worker {
		w := make()
		w.Name = name
		return []kernel.Worker{w}
	}})
}

// addCoreWorkers adds the workers of the core, and those of the provider if there is one.
func (c *Casino) addCoreWorkers() {
	c.addWorker(kernel.PayoutsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: deposits.PayoutInterval, Step: c.Payouts.PayoutWorker().Step}
	})
	c.addWorker(kernel.DepositsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: deposits.DepositInterval, Step: c.Deposits.DepositWorker().Step}
	})
	c.addWorker(kernel.WatcherWorker, func() kernel.Worker {
		return kernel.Worker{Interval: deposits.WatchInterval, Step: c.Deposits.DepositWatcher().Step}
	})
	c.addWorker(kernel.TreasuryWorker, func() kernel.Worker {
		return kernel.Worker{Interval: treasury.TreasuryInterval, WhileRestored: true, Step: c.Treasury.Treasury().Step}
	})
	c.addWorker(kernel.ReturnsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: admin.MonitorInterval, WhileRestored: true, Step: c.Admin.RTPMonitor().Step}
	})
	c.addWorker(kernel.PlayCountWorker, func() kernel.Worker {
		return kernel.Worker{Interval: reports.CountInterval, WhileRestored: true, Step: c.Reports.CountPlay}
	})
	c.addWorker(kernel.MintsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: deposits.MintInterval, WhileRestored: true, Step: c.Deposits.MintWorker().Step}
	})
	if c.core.Provider != nil {
		c.addWorker(kernel.ProviderGamesWorker, func() kernel.Worker {
			return kernel.Worker{Interval: providers.ProviderSyncInterval, Step: c.Providers.ProviderSync().Step}
		})
	}
	if c.core.Provider != nil && !c.core.Provider.LaunchOnly {
		c.addWorker(kernel.ProviderLogWorker, func() kernel.Worker {
			return kernel.Worker{Interval: providers.ReconcileInterval, Step: c.Providers.ProviderReconciler().Step}
		})
	}
	if c.core.Screening.HasFiles() {
		c.addWorker(kernel.ScreenerFilesWorker, func() kernel.Worker {
			return kernel.Worker{Interval: kernel.ScreenerFilesInterval, Step: c.core.Screening.RecordFiles}
		})
	}
	c.addWorker(kernel.LimitsWorker, c.Play.LimitsWorker)
	c.addWorker(kernel.EventsWorker, c.Events.EventsWorker)
	c.addWorker(kernel.HealthWorker, func() kernel.Worker {
		return kernel.Worker{Interval: kernel.ProbeInterval, WhileRestored: true, Step: c.Health().Step}
	})
}

// Workers returns all work that must be repeated while the casino serves. Without it
// withdrawals stay approved, deposits stay pending, and the treasury isn't compared with
// the chain. Call BeginWatch first; package adapters/workers does both. Each call returns
// new workers, for one set of loops.
//
// GET /health is degraded until each of them has run.
func (c *Casino) Workers() []kernel.Worker {
	var all []kernel.Worker
	for _, w := range c.workers {
		all = append(all, w.make()...)
	}
	return all
}

func (c *Casino) workerNames() []string {
	names := make([]string, len(c.workers))
	for i, w := range c.workers {
		names[i] = w.name
	}
	return names
}

// Began marks every worker as running. Call it after starting all loops, so that health
// isn't degraded until each loop has made its first step.
func (c *Casino) Began() {
	for _, name := range c.workerNames() {
		c.core.Progress.Began(name)
	}
}
