package recovery

import (
	"context"

	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
)

var _ headlog.Outside = (*Restoration)(nil)

// KeepLogHead implements headlog.Outside. While the database is restored nothing is kept.
func (r *Restoration) KeepLogHead(h witness.Head) {
	r.mu.Lock()
	ledger, closed := r.ledger, r.closed
	r.mu.Unlock()
	if ledger != "" && closed == nil {
		r.keepRecord(witness.Record{Ledger: ledger, Log: h, At: kernel.Now(r.options.Clock)})
	}
}

// LogHeads implements headlog.Outside.
func (r *Restoration) LogHeads(ctx context.Context) (heads []witness.Head) {
	r.mu.Lock()
	ledger := r.ledger
	r.mu.Unlock()
	for _, k := range r.readKept(ctx).kept {
		if k.Ledger == ledger {
			heads = append(heads, k.Log)
		}
	}
	return heads
}

// compareLog adds a kept checkpoint of the public log to the losses of a finding if the
// database's log doesn't have its entries.
func (r *Restoration) compareLog(ctx context.Context, f *finding) error {
	for _, k := range f.kept {
		if k.Ledger != f.state.Ledger || k.Log.Seq == 0 || r.options.Log == nil {
			continue
		}
		if k.Log.After(f.log) {
			f.log = k.Log
		}
		if k.Log.Epoch < f.state.Epoch {
			continue
		}
		root, err := headlog.RootAt(ctx, r.options.Log, k.Log.Seq)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || hashchain.Hash(root) != k.Log.Hash {
			f.lost = append(f.lost, witness.Lost{Kept: k.Log})
			return nil //nolint:nilerr // NotFound means that it is lost
		}
	}
	return nil
}
