package app

import (
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/treasury"
)

// worker is work that Workers lists: several of one name where it makes several.
type worker struct {
	name string
	make func() []kernel.Worker
}

// addWorker adds work to what Workers lists.
func (c *Casino) addWorker(name string, make func() kernel.Worker) {
	c.workers = append(c.workers, worker{name, func() []kernel.Worker {
		w := make()
		w.Name = name
		return []kernel.Worker{w}
	}})
}

// addCoreWorkers adds what no casino does without. A provider's are among them where Deps has one.
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
	c.addWorker(kernel.MintsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: deposits.MintInterval, WhileRestored: true, Step: c.Deposits.MintWorker().Step}
	})
	if c.core.Provider != nil {
		c.addWorker(kernel.ProviderGamesWorker, func() kernel.Worker {
			return kernel.Worker{Interval: providers.ProviderSyncInterval, Step: c.Providers.ProviderSync().Step}
		})
		c.addWorker(kernel.ProviderLogWorker, func() kernel.Worker {
			return kernel.Worker{Interval: providers.ReconcileInterval, Step: c.Providers.ProviderReconciler().Step}
		})
	}
	c.addWorker(kernel.LimitsWorker, c.Play.LimitsWorker)
	c.addWorker(kernel.EventsWorker, c.Events.EventsWorker)
	c.addWorker(kernel.HealthWorker, func() kernel.Worker {
		return kernel.Worker{Interval: kernel.ProbeInterval, WhileRestored: true, Step: c.Health().Step}
	})
}

// Workers lists everything that must be repeated while the casino serves, each with how
// long it rests: without them withdrawals stay approved, deposits stay pending, and
// nobody watches the treasury. BeginWatch comes first; package adapters/workers does all
// of it. Each call returns fresh workers: a list is for one set of loops.
//
// GET /health is degraded while one of them has never run.
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

// Began notes that every worker runs, as their first steps do. Whoever starts all loops
// calls it so that health isn't degraded until each of them had its turn.
func (c *Casino) Began() {
	for _, name := range c.workerNames() {
		c.core.Progress.Began(name)
	}
}
