package recovery

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

// crashLease is for how long a recovery has the lease of the worker of shared crash rounds.
const crashLease = time.Minute

// errCrashDriven is returned while a worker of the copy still has the lease.
var errCrashDriven = fault.New(fault.Unavailable, "a worker has the lease of the crash rounds, which ends within seconds: try again")

// recoverCrashRounds marks the open shared crash rounds, whose later events and cash-outs may be
// lost. The worker of an opened service ends them. Bets and points of the lost time may be known,
// so a round that takes bets is cancelled, and the other ones keep their beacon's height.
func (r *Recovery) recoverCrashRounds(ctx context.Context) error {
	store := r.options.Store
	rounds, err := store.OpenCrashRounds(ctx)
	if err != nil || len(rounds) == 0 {
		return err
	}
	lease, has, err := store.LeaseCrash(ctx, "recovery", 0, kernel.Now(r.options.Clock), crashLease)
	if err != nil {
		return err
	}
	if !has {
		return errCrashDriven
	}
	for _, open := range rounds {
		hash, err := store.CrashHash(ctx, open.Chain, open.Number)
		if err != nil {
			return err
		}
		if err := store.ChangeCrashRound(ctx, lease.Fence, open.Chain, open.Number, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
			recovered, err := now.Recover(hash)
			return ports.CrashChange{Round: recovered, At: kernel.Now(r.options.Clock)}, err
		}); err != nil {
			return err
		}
	}
	_, _, err = store.LeaseCrash(ctx, "recovery", lease.Fence, kernel.Now(r.options.Clock), 0)
	return err
}
