package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	limiter "github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/adapters/witness/redis"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/ports"
)

// witnessAge is how old the newest kept head of a running service may be, as in the alert
// CasinoUnwitnessed.
const witnessAge = 5 * time.Minute

// checkWitnesses compares the database with the heads that are kept outside it.
func (d *doctor) checkWitnesses(ctx context.Context) []Finding {
	const name = "witness"
	if d.plan.StateDir == "" {
		return skipped(name, "there is no state folder", "Set CASINO_STATE_DIR.")
	}
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		seals := sealer.NewAuthenticator(d.plan.Seeds)
		all := []recovery.NamedWitness{{Name: "file", Witness: file.ReadOnly(service.HeadsFolder(d.plan.StateDir), seals)}}
		if d.plan.Redis != "" {
			client, err := limiter.Open(d.plan.Redis.Reveal(), d.CheckTimeout)
			if err != nil {
				return fault(name, err, "Correct CASINO_REDIS_URL."), nil
			}
			defer func() { _ = client.Close() }() // it was only read
			all = append(all, recovery.NamedWitness{Name: "redis", Witness: redis.New(client, seals)})
		}
		state, err := store.State(ctx)
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, w := range all {
			found = append(found, d.checkWitness(ctx, w, state.Ledger)...)
		}
		known, err := recovery.NewRestoration(recovery.RestorationOptions{
			Memory: memory.New(), Witnesses: all, Controls: store, Blocks: store, Checkpoints: store, Origins: store, Log: store,
			Clock: d.machine, Entropy: d.machine, Logger: slog.New(slog.DiscardHandler),
		}).Known(ctx)
		switch {
		case err != nil:
			return append(found, fault(name, err, "Give this database the state folder and the Redis that belong to it.")...), nil
		case len(known.Lost) > 0:
			return append(found, fault(name, fmt.Errorf("the database lacks %s, which is kept outside it, and has %s: it is an older copy", known.Lost[0].From(), known.Lost[0].To()),
				"Follow docs/operations/restore.md; casino recover prints the plan.")...), nil
		}
		return found, nil
	})
}

// checkWitness reads one witness.
func (d *doctor) checkWitness(ctx context.Context, w recovery.NamedWitness, ledger string) []Finding {
	name := "witness " + w.Name
	kept, err := w.Kept(ctx)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return warning(name, "it can't be read: "+err.Error(), "Make it readable for the service's user.")
	}
	for _, r := range kept.Records {
		if r.Ledger != ledger {
			continue
		}
		age := d.Machine.Now().Sub(r.At).Round(time.Second)
		found := fmt.Sprintf("the newest head was kept %s ago, of %d lanes", age, len(r.Heads))
		switch {
		case kept.Spoiled > 0:
			return warning(name, fmt.Sprintf("%s; %d records were not written by this service", found, kept.Spoiled), "Find out who writes there; give CASINO_SEED_KEYS every key that was used.")
		case d.running.Load() && age > witnessAge:
			return warning(name, found, "Do what docs/operations/alerts-service.md says of CasinoUnwitnessed.")
		}
		return ok(name, "%s", found)
	}
	return warning(name, "it keeps no head of this database", "Start casino serve, which fills it; before that nothing shows whether the database is an older copy.")
}

// checkLog reads the newest checkpoints of the public log, and asks whether its witnesses can
// be reached.
func (d *doctor) checkLog(ctx context.Context) []Finding {
	const name = "log"
	if d.plan.Receipts == nil {
		return skipped(name, "there is no public log without receipt keys", "Set CASINO_RECEIPT_KEYS for receipts and the public log.")
	}
	return d.withStore(name, func(store *sqlstore.Store) ([]Finding, error) {
		kept, err := store.KeptLogCheckpoints(ctx, "")
		if err != nil {
			return nil, err
		}
		newest := map[string]ports.LogCheckpoint{} // by witness
		for _, c := range kept {
			if c.At.After(newest[c.Witness].At) {
				newest[c.Witness] = c
			}
		}
		found := ok(name, "no checkpoint was signed yet")
		if c := newest[""]; !c.At.IsZero() {
			found = ok(name, "the newest checkpoint has %d entries and was signed %s ago", c.Size, d.Machine.Now().Sub(c.At).Round(time.Second))
		}
		for _, w := range d.plan.Witnesses {
			found = append(found, d.checkLogWitness(ctx, w, newest[w.Name()], newest[""])...)
		}
		return found, nil
	})
}

// checkLogWitness asks a witness of the log, and compares its newest cosignature with the
// newest checkpoint.
func (d *doctor) checkLogWitness(ctx context.Context, w ports.LogWitness, cosigned, signed ports.LogCheckpoint) []Finding {
	name := "log witness"
	if prober, is := w.(interface{ Probe(context.Context) error }); is {
		if err := prober.Probe(ctx); err != nil {
			return fault(name, err, "Correct its URL in CASINO_LOG_WITNESSES, or ask its operator.")
		}
	}
	age := d.Machine.Now().Sub(cosigned.At).Round(time.Second)
	switch {
	case signed.At.IsZero():
		return ok(name, "%s answers, nothing was signed yet", w.Name())
	case cosigned.At.IsZero():
		return warning(name, w.Name()+" answers and has cosigned nothing", "Give its operator the log's keys of GET /public/keys.")
	case signed.At.Sub(cosigned.At) > witnessAge:
		return warning(name, fmt.Sprintf("%s cosigned %d of %d entries, the last %s ago", w.Name(), cosigned.Size, signed.Size, age), "Do what docs/operations/alarms.md says of public_log.")
	}
	return ok(name, "%s answers, it cosigned %d of %d entries, the last %s ago", w.Name(), cosigned.Size, signed.Size, age)
}
