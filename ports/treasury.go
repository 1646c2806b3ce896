package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/treasury"
)

// TreasuryHistory lists what the treasury signed.
type TreasuryHistory interface {
	// Signed lists the finalized transactions that the treasury signed, oldest first,
	// from a position on; the zero position is the beginning of what the chain keeps.
	// Each was fetched and its signatures were verified: what somebody else sent to the
	// treasury, whatever its memo, is not among them. At most limit of those that name
	// the treasury are looked at, HistoryMax when limit is not from 1 to HistoryMax.
	//
	// A transaction that is finalized when Signed is called is listed from every position
	// that was returned before. One may be listed again from a later position too,
	// because nodes list late: callers tell them apart by signature. A position that
	// Signed didn't make is a fault of kind Invalid. A chain that can't be asked, whose
	// nodes disagree, or that no longer keeps what came after the position, is External:
	// nothing is ever left out.
	Signed(ctx context.Context, from treasury.Position, limit int) (TreasuryPage, error)
}

// TreasuryPage is a part of the treasury's history.
type TreasuryPage struct {
	Movements []treasury.Movement
	// Next is the position once the movements are kept. Only the last page moves its
	// Slot and At.
	Next treasury.Position
	// More says that there is a next page already.
	More bool
}

// TreasuryIndex keeps what the treasury signed, without a gap. Its writes are short
// transactions.
type TreasuryIndex interface {
	// IndexPosition returns how far the index reaches, zero before it began.
	IndexPosition(ctx context.Context) (treasury.Position, error)
	// ExtendIndex adds movements and moves the position, in one commit, from the cursor
	// that the caller found ("" when there was none). When somebody else moved it
	// meanwhile nothing is stored, and the fault is of kind InvalidState. Movements that
	// are in the index already stay as they are; fresh ones are New. No signing commit
	// that reads the index runs while it changes.
	ExtendIndex(ctx context.Context, from string, next treasury.Position, movements []treasury.Movement) error
	// Movements lists what carries a withdrawal's id, oldest first.
	Movements(ctx context.Context, withdrawalID string) ([]treasury.Movement, error)
}

// TreasuryReview keeps which movements are explained. Its writes are short transactions.
type TreasuryReview interface {
	// MovementsIn lists up to limit movements that are New or Foreign, oldest first; those
	// that are Explained are not listed.
	MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error)
	// MovementState returns the state of the movement of a signature, or NotFound.
	MovementState(ctx context.Context, signature string) (treasury.Movement, treasury.State, error)
	// Review moves a movement from one state to another. When it is not in the first, or
	// doesn't go from there to the second, nothing changes, and the fault is of kind
	// InvalidState.
	Review(ctx context.Context, signature string, from, to treasury.State) error
	// AttemptKnown reports whether the books have an attempt of that signature.
	AttemptKnown(ctx context.Context, signature string) (bool, error)
}

// TreasurySweeps keeps which money of the operator's own is announced to leave the
// treasury. Its writes are short transactions.
type TreasurySweeps interface {
	// AnnounceSweep stores a sweep with its audit record, in one commit.
	AnnounceSweep(ctx context.Context, sweep treasury.Sweep, record audit.Record) error
	// OpenSweeps lists the sweeps that no movement was found for and whose time isn't
	// over at a moment, oldest first.
	OpenSweeps(ctx context.Context, at time.Time) ([]treasury.Sweep, error)
	// LandSweep keeps which movement a sweep was. One that has a movement already is a
	// fault of kind InvalidState.
	LandSweep(ctx context.Context, id, signature string) error
}
