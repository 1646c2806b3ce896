package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
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

// Recovery begins epochs. A database that went back has lost blocks, and seeds whose
// rounds are lost; the next epoch goes on without using any number or seed again.
//
// In an epoch seed pairs of earlier ones take no nonce: a player's first sign-in
// replaces them, so that beginning an epoch costs nothing for each player.
type Recovery interface {
	// BeginEpoch raises the epoch of a control state that is Restored, as decide says,
	// and begins it in each lane: known are the heads that are kept outside the database.
	// Each lane that Writer uses or that known has gets one block, of the new epoch, with
	// a number hashchain.EpochMargin above the greatest that the database or known has,
	// after the database's newest block of the lane, or after none. The decision's record
	// is in one of them. They are returned, sorted by lane.
	//
	// decide gets the present state and returns its Next, Restored or not. A state that
	// isn't Restored is a fault of kind InvalidState, a head that no lane can have one of
	// kind Invalid; a refusal by decide is returned as it is. All change nothing.
	//
	// No item commits from when the epoch is raised until it has begun in each lane, and
	// what began before has ended by then. Where that can't be brought to its end, the
	// state stays Restored, and another BeginEpoch begins the epoch after it.
	BeginEpoch(ctx context.Context, known []hashchain.Head, decide ControlDecision) ([]hashchain.Head, error)
}
