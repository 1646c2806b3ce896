package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Deposits reads deposit claims.
type Deposits interface {
	// Claim returns the wallet's claim of one token of one transaction, or NotFound.
	Claim(ctx context.Context, w wallet.Address, ref deposit.Ref) (deposit.Claim, error)
	// ClaimsOf lists all claims of one token of one transaction, sorted by id.
	ClaimsOf(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error)
	// PendingClaims lists up to limit pending claims with ids after the given one, oldest
	// first. Workers continue as with WithdrawalsIn.
	PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error)
}

// DepositCursors stores the progress of the chain watchers. Its writes are short
// transactions.
type DepositCursors interface {
	// Cursor returns the progress of a token's watcher, or NotFound before it began.
	Cursor(ctx context.Context, token money.Token) (deposit.WatchProgress, error)
	// Advance moves the cursor from the one that the caller found ("" if there was none),
	// stores the new state, and parks the transactions found, in one commit. If another
	// watcher moved the cursor, it stores nothing and returns a fault of kind InvalidState.
	// Transactions that are parked already don't change.
	Advance(ctx context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error
}

// ParkedDeposits stores the transactions that a chain watcher found and could not
// credit. Its writes are short transactions.
type ParkedDeposits interface {
	// Park stores the new state of a parked transaction, or parks a new one.
	Park(ctx context.Context, p deposit.Parked) error
	// Unpark removes a settled transaction. It is no error if none is parked.
	Unpark(ctx context.Context, ref deposit.Ref) error
	// Parked returns one parked transaction, or NotFound.
	Parked(ctx context.Context, ref deposit.Ref) (deposit.Parked, error)
	// ParkedDue lists up to limit parked Pending transactions with a next try due by now,
	// longest due first.
	ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error)
}

// UnbookedDeposits compares the transactions on chain with the bookings.
type UnbookedDeposits interface {
	// ParkedIn lists up to limit parked transactions of a status, in the order they were
	// found.
	ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error)
	// Unbooked returns the sum of the parked transactions' amounts by token. It leaves out
	// transactions credited since and tokens without any.
	Unbooked(ctx context.Context) (map[money.Token]money.Total, error)
	// Booked reports whether a transaction was booked, as a deposit or as capital.
	Booked(ctx context.Context, ref deposit.Ref) (bool, error)
}

// Unclaimed lists deposits of wallets that never signed in.
type Unclaimed interface {
	// UnclaimedBalances lists unclaimed balances above zero in descending order of wallet
	// and token. The cursor is the wallet, a space and the token.
	UnclaimedBalances(ctx context.Context, filter UnclaimedFilter, page Page) (UnclaimedPage, error)
}

// UnclaimedFilter narrows the list; zero fields don't.
type UnclaimedFilter struct {
	Wallet wallet.Address
	Token  money.Token
}

// UnclaimedPage is a page of unclaimed balances.
type UnclaimedPage struct {
	Balances []UnclaimedBalance
	PageInfo
}

// UnclaimedBalance is a wallet's unclaimed amount of a token, above zero, in base units.
type UnclaimedBalance struct {
	Wallet wallet.Address
	TokenBalance
}
