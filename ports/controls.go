package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
)

// Controls stores the control state, which every commit of Writer reads.
//
// Writer's decisions see it as player.View.Control. While it is Restored, Writer refuses
// every item without WhileRestored with the state's refusal; an item whose unique key is
// held still gets its stored answer. Players.Player treats sessions issued before the
// epoch began as ended.
type Controls interface {
	// State returns the present control state.
	State(ctx context.Context) (control.State, error)
	// ChangeControl reads the control state under lock, calls decide, and stores what it
	// returns with its audit record in the same commit; without a record it stores nothing.
	// A refusal by decide, or of a state by control.CheckWithin, changes nothing and is
	// returned unchanged. Only Recovery raises the epoch.
	//
	// After ChangeControl returns nil, even if it stored nothing, every commit that saw an
	// earlier state has ended. If one doesn't end in time, the change is in force and the
	// fault is Unavailable with Details["outcome"] "unknown".
	ChangeControl(ctx context.Context, decide ControlDecision) error
}

// ControlDecision decides on the next control state. It may run more than once. A nil
// record means that nothing changes.
type ControlDecision func(now control.State) (control.State, *audit.Record, error)

// Recovery begins epochs. A restored database has lost blocks, and seeds of lost rounds;
// the next epoch reuses no number and no seed.
//
// Seed pairs of earlier epochs take no nonce in it: the first sign-in of a player
// replaces them, so beginning an epoch doesn't cost time for each player.
type Recovery interface {
	// BeginEpoch raises the epoch of a Restored control state, as decide says, and begins
	// it in each lane. known holds the heads that are kept outside the database. Each lane
	// that Writer uses or known names gets one block of the new epoch. Its number is
	// hashchain.EpochMargin above the greatest in the database or known, and it follows the
	// database's newest block of the lane, if any. One of the blocks has decide's record.
	// BeginEpoch returns them, sorted by lane.
	//
	// decide gets the present state and returns its Next, Restored or not. A state that
	// isn't Restored is InvalidState, a head that no lane can have is Invalid, and a
	// refusal by decide is returned unchanged. None of them changes anything.
	//
	// No item commits between raising the epoch and its beginning in each lane; earlier
	// commits have ended by then. If BeginEpoch fails in between, the state stays Restored,
	// and the next call begins the following epoch.
	BeginEpoch(ctx context.Context, known []hashchain.Head, decide ControlDecision) ([]hashchain.Head, error)
}
