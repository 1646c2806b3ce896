package app

import (
	"slices"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/app/treasury"
)

// Workers lists everything that must be repeated while the casino serves, each with how
// long it rests: without them withdrawals stay approved, deposits stay pending, and
// nobody watches the treasury. BeginWatch comes first; package adapters/workers does all
// of it. What sends webhooks, or serves a provider, is among them where Deps has what it needs.
// Each call returns fresh workers: a list is for one set of loops.
//
// GET /health is degraded while one of them has never run.
func (c *Casino) Workers() []kernel.Worker {
	all := []kernel.Worker{
		{Name: kernel.PayoutsWorker, Interval: deposits.PayoutInterval, Step: c.Payouts.PayoutWorker().Step},
		{Name: kernel.DepositsWorker, Interval: deposits.DepositInterval, Step: c.Deposits.DepositWorker().Step},
		{Name: kernel.WatcherWorker, Interval: deposits.WatchInterval, Step: c.Deposits.DepositWatcher().Step},
		{Name: kernel.TreasuryWorker, Interval: treasury.TreasuryInterval, WhileRestored: true, Step: c.Treasury.Treasury().Step},
		{Name: kernel.ReturnsWorker, Interval: admin.MonitorInterval, WhileRestored: true, Step: c.Admin.RTPMonitor().Step},
		{Name: kernel.MintsWorker, Interval: deposits.MintInterval, WhileRestored: true, Step: c.Deposits.MintWorker().Step},
		{Name: kernel.ProviderGamesWorker, Interval: providers.ProviderSyncInterval, Step: c.Providers.ProviderSync().Step},
		{Name: kernel.SitesWorker, Interval: providers.DeliveryInterval, Step: c.Providers.DeliveryWorker().Step},
		{Name: kernel.ProviderLogWorker, Interval: providers.ReconcileInterval, Step: c.Providers.ProviderReconciler().Step},
		{Name: kernel.RoundsWorker, Interval: rounds.AbandonInterval, Step: c.Rounds.AbandonWorker().Step},
		c.Events.EventsWorker(),
		{Name: kernel.AlarmsWorker, Interval: operations.AlarmInterval, Step: c.Operations.AlarmWorker().Step},
		{Name: kernel.HealthWorker, Interval: kernel.ProbeInterval, WhileRestored: true, Step: c.Health().Step},
	}
	all = append(all, c.Webhooks.WebhookWorkers()...)
	needed := c.workersNeeded()
	return slices.DeleteFunc(all, func(w kernel.Worker) bool { return !slices.Contains(needed, w.Name) })
}

// workersNeeded are the names of the workers that have something to do, in the order of
// Workers.
func (c *Casino) workersNeeded() []string {
	needed := []string{kernel.PayoutsWorker, kernel.DepositsWorker, kernel.WatcherWorker, kernel.TreasuryWorker, kernel.ReturnsWorker, kernel.MintsWorker}
	if c.core.Provider != nil {
		needed = append(needed, kernel.ProviderGamesWorker, kernel.SitesWorker, kernel.ProviderLogWorker)
	}
	needed = append(needed, kernel.RoundsWorker, kernel.EventsWorker)
	if c.Webhooks.SendsWebhooks() {
		needed = append(needed, kernel.WebhooksWorker)
	}
	return append(needed, kernel.AlarmsWorker, kernel.HealthWorker)
}

// Began notes that every worker runs, as their first steps do. Whoever starts all loops
// calls it so that health isn't degraded until each of them had its turn.
func (c *Casino) Began() {
	for _, name := range c.workersNeeded() {
		c.core.Progress.Began(name)
	}
}

// workersCheck is degraded while a worker never ran, or the watch of a token has not begun.
func (c *Casino) workersCheck() kernel.Check {
	return c.core.Progress.Check(c.workersNeeded(), c.core.Tokens)
}
