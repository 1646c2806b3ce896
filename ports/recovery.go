package ports

import (
	"context"

	"github.com/casino-service/casino/domain/hashchain"
)

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
