package sharedcrash

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
)

// nextChain returns the chain of the next round and its last round, nil if no chain of the epoch
// has a hash left. A driver that had lost its lease may have added chains: the one that is played
// goes on, and they follow it.
func (d *Driver) nextChain(ctx context.Context, epoch int64) (next *crash.Commitment, last *crash.Round, err error) {
	chains, err := d.c.core.Store.CrashChains.CrashChains(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range chains {
		if chains[i].Epoch != epoch {
			break
		}
		rounds, err := d.c.core.Store.CrashRounds.CrashRounds(ctx, chains[i].Chain, 0, 1)
		if err != nil {
			return nil, nil, err
		}
		if len(rounds) > 0 {
			if rounds[0].Number < chains[i].Length {
				next, last = &chains[i], &rounds[0]
			}
			break
		}
		next = &chains[i]
	}
	return next, last, nil
}

// newChain makes a chain and publishes its commitment.
func (d *Driver) newChain(ctx context.Context, epoch int64) (bool, error) {
	rule, err := d.c.beacons.BeaconRule(ctx)
	if err != nil {
		return false, err
	}
	rule.Delay, rule.Window = d.c.rules.Delay, d.c.rules.Window
	secrets, err := crash.NewChain(fairness.NewServerSeed(d.c.core.Entropy.Seed()), d.c.rules.Length, wayPointsEvery)
	if err != nil {
		return false, err
	}
	made := crash.Commitment{Chain: d.c.core.Entropy.ID(), Epoch: epoch, Terminal: secrets.Terminal, Length: secrets.Length, Beacon: rule}
	return true, d.c.core.Store.CrashChains.AddCrashChain(ctx, made, secrets, audit.Record{
		ID: d.c.core.Entropy.ID(), Action: audit.CrashChained, Target: made.Chain, After: made.Terminal, At: d.c.core.Now(),
	})
}
