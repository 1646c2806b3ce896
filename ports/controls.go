package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
)

// Controls keeps the control state, which every commit of Writer reads.
//
// Writer's decisions see it as player.View.Control. While it is Restored, Writer
// refuses every item without WhileRestored with the state's own refusal, except that
// an item whose unique key is held gets the answer that is kept. Players.Player counts
// every session as ended that was issued before the epoch began.
type Controls interface {
	// State returns the present control state.
	State(ctx context.Context) (control.State, error)
	// ChangeControl runs decide on the control state, read under lock, and stores what
	// it returns with its audit record in the same commit; without a record nothing is
	// stored. A refusal by decide changes nothing and is returned as it is; so is a
	// state that control.CheckWithin refuses: Recovery alone raises the epoch.
	//
	// After ChangeControl returned nil, whether it stored something or not, no commit
	// that saw an earlier state is still to come. Where one has not ended in time, the
	// change is in force all the same, and the answer is Unavailable with
	// Details["outcome"] "unknown".
	ChangeControl(ctx context.Context, decide ControlDecision) error
}

// ControlDecision decides on the next control state from the present one. It may be
// run more than once. A nil record says that there is nothing to change.
type ControlDecision func(now control.State) (control.State, *audit.Record, error)
