package app

import (
	"github.com/casino-service/casino/app/alarms"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/receipts"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/app/solvency"
	"github.com/casino-service/casino/app/webhooks"
)

// Extension adds an optional feature to a Casino: its use cases, its workers, and its
// wrappers of ports.
type Extension func(*Casino, Deps)

// Extensions returns every extension. Any of them may be left out: its field of Casino is
// then nil, and package httpapi doesn't serve its routes.
func Extensions() []Extension {
	return []Extension{Alarms, SteppedRounds, AgentSites, Webhooks, Checkpoints, Receipts, HeadLog, Solvency, Restrictions, SharedCrash}
}

// Alarms keeps alarms in the store and lets admins acknowledge them. Without it alarms are
// only logged.
func Alarms(c *Casino, _ Deps) {
	c.Alarms = alarms.New(c.core)
	c.addWorker(kernel.AlarmsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: alarms.AlarmInterval, Step: c.Alarms.AlarmWorker().Step}
	})
}

// SteppedRounds lets games be played step by step.
func SteppedRounds(c *Casino, _ Deps) {
	c.Rounds = rounds.New(c.core, c.Play)
	c.addWorker(kernel.RoundsWorker, func() kernel.Worker {
		return kernel.Worker{Interval: rounds.AbandonInterval, Step: c.Rounds.AbandonWorker().Step}
	})
}

// AgentSites forwards providers' transactions to agents' own sites. It needs Deps.Provider.
func AgentSites(c *Casino, _ Deps) {
	c.Sites = sites.New(c.core, c.Providers)
	if c.core.Provider != nil {
		c.addWorker(kernel.SitesWorker, func() kernel.Worker {
			return kernel.Worker{Interval: sites.DeliveryInterval, Step: c.Sites.DeliveryWorker().Step}
		})
	}
}

// Webhooks sends events to agents' endpoints. It needs Deps.WebhookSite and EventEncoder.
func Webhooks(c *Casino, deps Deps) {
	c.Webhooks = webhooks.New(c.core, c.Events, deps.WebhookSite, deps.EventEncoder)
	if c.Webhooks.SendsWebhooks() {
		c.workers = append(c.workers, worker{kernel.WebhooksWorker, c.Webhooks.WebhookWorkers})
	}
}

// Checkpoints publishes the newest blocks of the ledger for external audits.
func Checkpoints(c *Casino, deps Deps) { c.Audit = audit.New(c.core, deps.Statements) }

// Receipts signs receipts for players who ask for them, if Deps has a signer.
func Receipts(c *Casino, deps Deps) {
	if deps.Receipts != nil {
		c.Receipts = receipts.New(c.core, deps.Receipts)
	}
}

// HeadLog publishes the log of all lanes' block headers, if Deps has a signer of receipts.
func HeadLog(c *Casino, deps Deps) {
	if deps.Receipts == nil {
		return
	}
	c.HeadLog = headlog.New(c.core, deps.Receipts, deps.LogHeads, deps.LogWitnesses)
	c.addWorker(kernel.HeadLogWorker, func() kernel.Worker {
		return kernel.Worker{Interval: headlog.Interval, Step: c.HeadLog.Step}
	})
	if len(deps.LogWitnesses) > 0 {
		c.workers = append(c.workers, worker{kernel.LogWitnessesWorker, c.HeadLog.WitnessWorkers})
	}
	if deps.AnchorChain != nil {
		c.Anchors = c.HeadLog.AnchorOn(deps.AnchorChain, deps.AnchorPeriod)
		c.addWorker(kernel.AnchorsWorker, func() kernel.Worker {
			return kernel.Worker{Interval: headlog.AnchorInterval, Step: c.Anchors.AnchorWorker().Step}
		})
	}
}

// Solvency states each hour what is owed to players and proves it to each of them. It needs
// Settings.SolvencyKeep and Deps.Receipts.
func Solvency(c *Casino, deps Deps) {
	if deps.Settings.SolvencyKeep == 0 || deps.Receipts == nil {
		return
	}
	c.Solvency = solvency.New(c.core, deps.Receipts, deps.Settings.SolvencyKeep)
	c.addWorker(kernel.SolvencyWorker, func() kernel.Worker {
		return kernel.Worker{Interval: solvency.Interval, Step: c.Solvency.Step}
	})
}

// SharedCrash lets all players bet on one crash round. It needs Deps.Beacons.
func SharedCrash(c *Casino, deps Deps) {
	if deps.Beacons != nil {
		c.Crash = sharedcrash.New(c.core, c.Play, c.Events, deps.Beacons, deps.Crash)
		c.addWorker(kernel.CrashWorker, c.Crash.DriverWorker)
		c.addWorker(kernel.CrashAnswersWorker, c.Crash.AnswersWorker)
	}
}

// Restrictions keeps restrictions in Deps.Restrictions, where a recovery reads them.
func Restrictions(c *Casino, deps Deps) {
	recovery.RestrictionKeeper{Places: deps.Restrictions, Controls: c.core.Store.Controls, Logger: c.core.Logger}.Store(&c.core.Store)
}
