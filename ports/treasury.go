package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/treasury"
)

// TreasuryHistory lists the transactions that the treasury signed.
type TreasuryHistory interface {
	// Signed lists the finalized transactions that the treasury signed, oldest first, after
	// a position; the zero position is the beginning of the chain's history. It fetches
	// each and verifies its signatures, so transactions that others sent to the treasury,
	// with any memo, are left out. It looks at no more than limit transactions that name
	// the treasury, HistoryMax if limit isn't from 1 to HistoryMax.
	//
	// A transaction that is finalized when Signed is called is listed from every position
	// that was returned before. It may be listed again from a later position, because nodes
	// list late: callers deduplicate by signature. A position that Signed didn't return is
	// Invalid. If the chain can't be queried, its nodes disagree, or it no longer keeps the
	// history after the position, the fault is External: nothing is ever left out.
	Signed(ctx context.Context, from treasury.Position, limit int) (TreasuryPage, error)
}

// TreasuryPage is a page of the treasury's history.
type TreasuryPage struct {
	Movements []treasury.Movement
	// Next is the position to use once the movements are stored. Only the last page changes
	// its Slot and At.
	Next treasury.Position
	// More reports that there is a next page already.
	More bool
}

// TreasuryIndex stores all transactions that the treasury signed, without gaps. Its
// writes are short transactions.
type TreasuryIndex interface {
	// IndexPosition returns the end of the index, zero before it began.
	IndexPosition(ctx context.Context) (treasury.Position, error)
	// ExtendIndex adds movements and moves the position, in one commit, from the cursor
	// that the caller found ("" if there was none). If the cursor has moved, it stores
	// nothing and the fault is InvalidState. Movements already in the index don't change;
	// added ones are New. It waits for signing commits that read the index.
	ExtendIndex(ctx context.Context, from string, next treasury.Position, movements []treasury.Movement) error
	// Movements lists the movements that carry a withdrawal's id, oldest first.
	Movements(ctx context.Context, withdrawalID string) ([]treasury.Movement, error)
}

// TreasuryReview stores the states of movements. Its writes are short transactions.
type TreasuryReview interface {
	// MovementsIn lists up to limit New or Foreign movements, oldest first; Explained ones
	// can't be listed.
	MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error)
	// MovementState returns the movement with a signature and its state, or NotFound.
	MovementState(ctx context.Context, signature string) (treasury.Movement, treasury.State, error)
	// Review moves a movement from one state to another. If it isn't in the first state, or
	// the step isn't allowed, nothing changes and the fault is InvalidState.
	Review(ctx context.Context, signature string, from, to treasury.State) error
	// AttemptKnown reports whether the store has an attempt with that signature.
	AttemptKnown(ctx context.Context, signature string) (bool, error)
}

// TreasurySweeps stores announced sweeps of the operator's own money. Its writes are
// short transactions.
type TreasurySweeps interface {
	// AnnounceSweep stores a sweep with its audit record, in one commit.
	AnnounceSweep(ctx context.Context, sweep treasury.Sweep, record audit.Record) error
	// OpenSweeps lists the sweeps without a movement that haven't expired at a moment,
	// oldest first.
	OpenSweeps(ctx context.Context, at time.Time) ([]treasury.Sweep, error)
	// LandSweep stores the movement of a sweep. A sweep that has one already is a fault of
	// kind InvalidState.
	LandSweep(ctx context.Context, id, signature string) error
}
