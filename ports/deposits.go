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
	// ClaimsOf lists everybody's claims of one token of one transaction, sorted by id.
	ClaimsOf(ctx context.Context, ref deposit.Ref) ([]deposit.Claim, error)
	// PendingClaims lists up to limit pending claims whose id is after the given one,
	// oldest first, for a worker that walks them as in WithdrawalsIn.
	PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error)
}

// DepositCursors keeps how far the watchers of the chain have read. Its writes are short
// transactions.
type DepositCursors interface {
	// Cursor returns how far the watcher of a token has read, or NotFound before it
	// began.
	Cursor(ctx context.Context, token money.Token) (deposit.WatchProgress, error)
	// Advance moves the cursor from where the caller found it ("" when there was
	// none), stores the new state, and parks the transactions it met on the way, in
	// one commit. When another watcher moved it meanwhile nothing is stored, and the
	// fault is of kind InvalidState. Transactions that are parked already stay as they are.
	Advance(ctx context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error
}

// ParkedDeposits keeps the transactions that a watcher of the chain met and could
// not credit. Its writes are short transactions.
type ParkedDeposits interface {
	// Park stores the new state of a parked transaction, or parks a new one.
	Park(ctx context.Context, p deposit.Parked) error
	// Unpark removes a transaction that was dealt with. One that isn't parked is no error.
	Unpark(ctx context.Context, ref deposit.Ref) error
	// Parked returns one parked transaction, or NotFound.
	Parked(ctx context.Context, ref deposit.Ref) (deposit.Parked, error)
	// ParkedDue lists up to limit parked transactions of status Pending whose
	// next try is due by now, those due longest first.
	ParkedDue(ctx context.Context, now time.Time, limit int) ([]deposit.Parked, error)
}

// UnbookedDeposits reads what of the transactions on chain is booked.
type UnbookedDeposits interface {
	// ParkedIn lists up to limit parked transactions of a status, those found first
	// first.
	ParkedIn(ctx context.Context, status deposit.Status, limit int) ([]deposit.Parked, error)
	// Unbooked returns, for each token, the sum of what parked transactions brought.
	// Those that were credited meanwhile are left out, and so are tokens without any.
	Unbooked(ctx context.Context) (map[money.Token]money.Total, error)
	// Booked reports whether a transaction was booked, as somebody's deposit or as capital.
	Booked(ctx context.Context, ref deposit.Ref) (bool, error)
}

// Unclaimed lists what arrived for wallets that never signed in.
type Unclaimed interface {
	// UnclaimedBalances lists unclaimed balances above zero, by wallet and then token, the
	// greatest first. The cursor is the wallet, a space and the token.
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

// UnclaimedBalance is what a wallet has unclaimed of a token, above zero, in base units.
type UnclaimedBalance struct {
	Wallet wallet.Address
	TokenBalance
}
