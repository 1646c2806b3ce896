package ports

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

// DebtReader reads what is owed to players, and the blocks that it must follow from.
type DebtReader interface {
	// Debts returns all that is owed at one moment, and the newest block of each lane at that
	// very moment, sorted by lane: what is owed is what the blocks up to these book. It reads
	// balances: callers add up the blocks before they believe it.
	Debts(ctx context.Context) (solvency.Debts, []hashchain.Head, error)
	// SealedBlocks is LedgerPages.BlocksAfter of blocks with the service's seal: it returns
	// solvency.ErrUnproved at a block without one.
	SealedBlocks(ctx context.Context, after, until []hashchain.Head, visit func(Block) error) error
}

// Solvency keeps what was owed to players at the hours, to prove to each of them that they
// are counted. A snapshot is stored in a short transaction.
type Solvency interface {
	// AddSnapshot stores a snapshot with its audit record and its events, in one commit, and
	// forgets those of hours before keepFrom. When there is one of its hour or a later one
	// nothing is stored, and the fault is of kind InvalidState. While the control state is
	// Restored it is refused with the state's own refusal.
	AddSnapshot(ctx context.Context, s SolvencySnapshot, keepFrom time.Time, record audit.Record, made []event.Event) error
	// Snapshots lists up to limit snapshots, the newest first, without their ledgers.
	Snapshots(ctx context.Context, limit int) ([]SolvencySnapshot, error)
	// SolvencyChunk returns of the snapshot of an hour the chunk that has an owner's leaf in
	// the token's ledger if any has, its number from 0, and the roots of all chunks. It is a
	// fault of kind NotFound where no chunk can have it.
	SolvencyChunk(ctx context.Context, hour time.Time, token money.Token, owner solvency.Hash) (SolvencyChunk, error)
}

// SolvencySnapshot is what was owed at an hour.
type SolvencySnapshot struct {
	// Hour names it; the statement has the very moment.
	Hour time.Time
	// Key is what the salts are made with. It is for nobody but the store and the players
	// that salts are made for.
	Key []byte
	// Signed is the statement.
	Signed checkpoint.Signed
	// Ledgers are one a token.
	Ledgers []solvency.Ledger
}

// SolvencyChunk is a chunk of a ledger.
type SolvencyChunk struct {
	Roots []solvency.Node
	Index int
	Chunk solvency.Chunk
}

// PastBalances reads what balances were. A booking's moment is that of its block. Where
// moments contradict the order of the ledger, because writers' clocks differ, the order
// decides: a balance at a moment is the one after the last booking, in the order of the
// ledger, that was not after the moment.
type PastBalances interface {
	// BalancesAt returns what Players.Balances returned at a moment, of the tokens in which
	// anything was booked by then, sorted by token. It reads rows that have the balance after
	// them: its cost grows with the tokens and games that the wallet has, not with the
	// rounds. Where the rows are not kept any more it is a fault of kind Invalid.
	BalancesAt(ctx context.Context, w wallet.Address, at time.Time) ([]TokenBalance, error)
	// LiabilitiesAt returns the sums of the newest snapshot that was stated by a moment, as
	// the ledger has them, sorted by token: snapshots that Solvency forgot are among them. It
	// is a fault of kind NotFound before the first.
	LiabilitiesAt(ctx context.Context, at time.Time) (Liabilities, error)
}

// Liabilities are what was owed to all players at a moment.
type Liabilities struct {
	At     time.Time
	Tokens []TokenLiabilities
}

// TokenLiabilities are what was owed in a token; Held is the part that withdrawals held.
type TokenLiabilities struct {
	Token     money.Token
	Sum, Held money.Amount
}

// ErrSnapshotThere is what AddSnapshot returns when there is a snapshot of the hour, or of a
// later one.
var ErrSnapshotThere = fault.New(fault.InvalidState, "there is a snapshot of this hour, or of a later one")

// LiabilitiesOf returns what the newest of some events of the kind event.Solvency state, for
// stores.
func LiabilitiesOf(events []event.Event) (Liabilities, error) {
	var newest Liabilities
	for _, e := range events {
		at, token, valid := solvency.ParseEventID(e.ID)
		if !valid || at.Before(newest.At) {
			continue
		}
		if at.After(newest.At) {
			newest = Liabilities{At: at}
		}
		newest.Tokens = append(newest.Tokens, TokenLiabilities{token, money.Amount(e.Number("sum")), money.Amount(e.Number("held"))})
	}
	if newest.Tokens == nil {
		return Liabilities{}, fault.New(fault.NotFound, "no sums of what was owed were stated by then")
	}
	slices.SortFunc(newest.Tokens, func(a, b TokenLiabilities) int { return cmp.Compare(a.Token, b.Token) })
	return newest, nil
}
