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
