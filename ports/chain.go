package ports

import (
	"context"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// DepositReader observes transactions for deposits. It asks; it decides nothing.
type DepositReader interface {
	// Observe returns what the chain says of a transaction, for the rules of
	// domain/deposit. One that was never seen is an Observation with Found
	// false, not an error; a chain that can't be asked is a fault of kind External.
	Observe(ctx context.Context, signature string) (deposit.Observation, error)
	// Treasury returns where deposits of a token arrive.
	Treasury(terms token.Terms) (deposit.Treasury, error)
}

// Payer signs, sends and follows payouts. It keeps nothing: the caller stores
// an attempt before Send.
type Payer interface {
	// Sign builds and signs the transaction that pays the withdrawal, and sends
	// nothing. A payout that can never work is a fault of kind
	// InvalidDestination or AmountOutOfRange; a chain that can't be asked is External.
	Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error)
	// Send hands the stored bytes to the chain. It may be repeated; the bytes
	// can land only once. An error says nothing about whether they landed.
	Send(ctx context.Context, attempt withdrawal.Attempt) error
	// Fate tells what became of the attempt. Dead only when the chain proves
	// that it did not land and never can; whatever can't be told is Unknown.
	Fate(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error)
}

// ChainProbe tells the state of the chain behind the service.
type ChainProbe interface {
	// Genesis returns the chain's genesis hash.
	Genesis(ctx context.Context) (string, error)
	// Holding returns what the treasury holds of a token, finalized, in base units.
	Holding(ctx context.Context, terms token.Terms) (money.Amount, error)
	// Healthy returns nil when the chain answers and is not behind.
	Healthy(ctx context.Context) error
}

// HouseAddresses knows what may never be a withdrawal's destination.
type HouseAddresses interface {
	// TreasuryAddress returns the wallet deposits are sent to.
	TreasuryAddress() string
	// Reserved reports whether the address is the treasury, one of its token
	// accounts, or an accepted mint.
	Reserved(address string) bool
}

// DepositHistory lists what happened where deposits arrive, so that a deposit is
// found that nobody registered.
type DepositHistory interface {
	// Latest returns the cursor after everything that is finalized now: a watcher
	// that begins there sees what comes. A chain that can't be asked is External.
	Latest(ctx context.Context, terms token.Terms) (cursor string, err error)
	// Since lists the finalized transactions that named the treasury's account of
	// the token (its own address for native SOL) after the cursor, oldest first,
	// about limit of them. "" is the beginning of what the chain remembers.
	// Transactions that failed may be left out, everything else is listed whatever
	// it did. A page may repeat some that were listed before its cursor, because
	// nodes learn of transactions late; it leaves none out. An answer that can't be
	// known to be whole is an error of kind External, never a shorter page.
	Since(ctx context.Context, terms token.Terms, cursor string, limit int) (HistoryPage, error)
}

// HistoryPage is a part of an account's history.
type HistoryPage struct {
	Signatures []string // base58 of 64 bytes, oldest first
	// Cursor is where the next page begins; it never goes back. It is opaque text
	// of at most 256 bytes, good for as long as the chain remembers, in any process.
	Cursor string
	// More says that there is a next page already.
	More bool
}
