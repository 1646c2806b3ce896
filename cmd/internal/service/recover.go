package service

import (
	"context"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/adapters/workers"
	appdeposits "github.com/casino-service/casino/app/deposits"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// RecoveryChoices are an operator's decisions about a recovery.
type RecoveryChoices struct {
	// Partial recovers although a witness can't be read.
	Partial bool
	// PutBack declares a restore that no witness shows.
	PutBack bool
	// Heads were kept elsewhere.
	Heads []hashchain.Head
}

// RecoveryCore is the part of every profile of `casino recover`. A profile supplies what
// Core needs except the API, a provider and a limiter, and also RecoveryChoices.
var RecoveryCore = fx.Options(machineModule, telemetryModule, storeModule, chainModule, fx.Provide(newRecovery))

// ProductionRecovery returns the profile of `casino recover` with the settings of `casino
// serve`.
func ProductionRecovery(plan settings.Plan, version Version) fx.Option {
	return fx.Options(productionParts(plan, version, telemetry.NoTraces), RecoveryCore)
}

func newRecovery(store *sqlstore.Store, writer *sqlstore.Writers, restoration *apprecovery.Restoration, chain nodes,
	seals ports.Authenticator, rotated ports.RotatedSeals, machine *system.System, known token.Book, chosen RecoveryChoices,
	kept Witnesses) *apprecovery.Recovery {
	return apprecovery.NewRecovery(apprecovery.RecoveryOptions{
		Store: storage{store, writer}, Restoration: restoration, Chain: chain, Seals: seals, Rotated: rotated, Clock: machine, Entropy: machine,
		Policy: rbac.DefaultPolicy(), Restrictions: kept.Restrictions, DrawnAt: system.DrawnAt, Partial: chosen.Partial, PutBack: chosen.PutBack,
		Heads: chosen.Heads,
		Watch: &appdeposits.WatchBeginning{Cursors: store, History: chain, Controls: store, Index: store, Tokens: known},
	})
}

// RunRecovery starts the wired options, calls do with the recovery, and stops again.
func RunRecovery(ctx context.Context, log *slog.Logger, do func(context.Context, *apprecovery.Recovery, *apprecovery.Restoration) error, options ...fx.Option) error {
	var failed error
	err := Run(ctx, log, fx.Options(options...), fx.Invoke(
		func(life fx.Lifecycle, recovery *apprecovery.Recovery, restoration *apprecovery.Restoration, asked StopRequested, down fx.Shutdowner) {
			ended := make(chan struct{})
			life.Append(fx.StartStopHook(
				func() {
					go func() {
						defer close(ended)
						failed = do(asked, recovery, restoration)
						_ = down.Shutdown() // fails only if the stop has begun
					}()
				},
				func() { <-ended },
			))
		}))
	if failed != nil {
		return failed
	}
	return err
}

// Rest sleeps, or returns early if the context ends.
func Rest(ctx context.Context, d time.Duration) { workers.Rest(ctx, d) }
