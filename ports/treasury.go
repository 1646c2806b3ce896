package ports

import (
	"context"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/treasury"
)

// TreasuryHistory lists what the treasury signed.
type TreasuryHistory interface {
	// Signed lists the finalized transactions that the treasury signed, oldest first,
	// from where a position was reached on; the zero position is the beginning of what
	// the chain keeps. Each was fetched and its signatures were verified: what somebody
	// else sent to the treasury, whatever its memo, is not among them. At most limit of
	// those that name the treasury are looked at, HistoryMax when limit is not from 1 to
	// HistoryMax.
	//
	// A transaction that is finalized when Signed is called is listed from every position
	// that was reached before. One may be listed again from a later position too, because
	// nodes list late: callers tell them apart by signature. A position that Signed
	// didn't make is a fault of kind Invalid. A chain that can't be asked, that disagrees
	// with itself, or that no longer keeps what came after the position, is External:
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
	// ExtendIndex adds movements and moves the position from where the caller found its
	// cursor, in one commit. When somebody else moved it meanwhile nothing is stored, and
	// the fault is of kind InvalidState. Movements that are in it already stay as they
	// are. No signing commit that reads the index runs while it changes.
	ExtendIndex(ctx context.Context, from string, next treasury.Position, movements []treasury.Movement) error
	// Movements lists what carries a withdrawal's id, oldest first.
	Movements(ctx context.Context, withdrawalID string) ([]treasury.Movement, error)
}

// TreasuryReview keeps which movements are explained. Its writes are short transactions.
type TreasuryReview interface {
	// Unexplained lists up to limit movements that are not explained, oldest first. A
	// movement begins unexplained.
	Unexplained(ctx context.Context, after treasury.Place, limit int) ([]treasury.Unexplained, error)
	// Explain keeps why a movement happened. What is explained already stays as it is,
	// and one that isn't in the index is NotFound.
	Explain(ctx context.Context, signature string, explanation treasury.Explanation) error
	// Flag keeps that payouts were paused for an unexplained movement, so that they are
	// paused for it once.
	Flag(ctx context.Context, signature string) error
}

var _ = audit.Record{}
