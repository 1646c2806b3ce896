package recovery

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
)

// ReasonDeclared: whoever put the database back says so; nothing kept outside does.
const ReasonDeclared = "somebody put an older copy back, and says so"

// declaredMargin is how many numbers of a lane are left out where nothing is known of
// what was lost: more than a lane uses in a year of a hundred batches a second.
const declaredMargin = 4_000_000_000

// declared is what somebody who put the database back says.
func (r *Recovery) declared() *control.Restored {
	restored := &control.Restored{At: kernel.Now(r.options.Clock), By: string(r.options.By), Reason: ReasonDeclared}
	if restored.By == "" {
		restored.By = "the command line"
	}
	return restored
}

// declare closes the service by what somebody says, where it wasn't found.
func (r *Recovery) declare(ctx context.Context, restored *control.Restored) error {
	id := r.options.Entropy.ID()
	return r.options.Store.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored != nil {
			return state, nil, nil
		}
		if !r.options.PutBack {
			return state, nil, errOpen
		}
		state.Restored = restored
		return state, &audit.Record{
			ID: id, Action: audit.DatabaseRestored, By: r.options.By, Target: state.Ledger, After: ReasonDeclared, At: restored.At,
		}, nil
	})
}

// beyond is what the next epoch of a lane begins above: what is known of it, and where
// only somebody's word says that something was lost, whatever it may have grown to.
func (r *Recovery) beyond(head hashchain.Head) hashchain.Head {
	if r.report.Restored.Reason == ReasonDeclared {
		head.Seq = min(head.Seq+declaredMargin, hashchain.SeqMax)
	}
	return head
}
