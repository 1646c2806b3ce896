package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// DepositReader observes transactions for deposits. It decides nothing.
type DepositReader interface {
	// Observe returns what the chain shows of a transaction, for the rules of
	// domain/deposit. One that was never seen is an Observation with Found
	// false, not an error; a chain that can't be asked is a fault of kind External.
	Observe(ctx context.Context, signature string) (deposit.Observation, error)
	// Treasury returns where deposits of a token arrive.
	Treasury(terms token.Terms) (deposit.Treasury, error)
}

// DepositTransactions builds the transactions that pay deposits, for players to sign.
type DepositTransactions interface {
	// DepositTransaction returns the transaction by which a wallet pays an amount to where
	// deposits of the token arrive. The wallet alone signs it, and pays its fee. Once it is
	// finalized it is that wallet's deposit of the amount.
	//
	// Nothing is sent, and what the wallet holds isn't asked: one that can't pay has a
	// transaction that fails. It can land until its last valid height, and two for the same
	// may be one transaction, which lands once. A chain that can't be asked is External.
	DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error)
}

// DepositHistory lists the transactions that may be deposits, so that those which
// nobody claimed are found too.
type DepositHistory interface {
	// Since lists finalized transactions that touched where deposits of the token
	// arrive, oldest first, from the cursor on; the cursor "" is the beginning of
	// what the chain keeps. At most limit are listed, HistoryMax when limit is not
	// from 1 to HistoryMax. What is listed may be anything that names the account:
	// payouts, failed transactions, other people's business.
	//
	// A transaction that is finalized when Since is called is listed from every
	// cursor that was returned before it was finalized. One may be listed again
	// from a later cursor too, because nodes list late: callers tell them apart by
	// signature. A cursor that Since didn't make is a fault of kind Invalid; a chain
	// that can't be asked, or no longer keeps what came after the cursor, is External.
	Since(ctx context.Context, terms token.Terms, cursor string, limit int) (HistoryPage, error)
}

// HistoryMax is how many transactions a page of history lists at most.
const HistoryMax = 1000

// HistoryPage is a part of a history.
type HistoryPage struct {
	Entries []HistoryEntry
	// Next is the cursor to go on from once the entries are dealt with, never empty.
	Next string
	// More says that the page is full and there is a next one already.
	More bool
}

// HistoryEntry is one transaction of a history.
type HistoryEntry struct {
	Signature string // base58 of 64 bytes
	Slot      uint64
	Failed    bool // it landed with an error
}

// Mints reads what tokens are on chain, so that one whose rules changed is noticed.
type Mints interface {
	// Mint returns the token's mint, finalized. One that does not exist, or is no
	// mint, is the zero Mint, not an error; native SOL's has the program
	// token.System and 9 decimals. A chain that can't be asked is a fault of kind External.
	Mint(ctx context.Context, terms token.Terms) (token.Mint, error)
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
	// Outcome returns what became of the attempt. It is Dead only when the chain proves
	// that it did not land and never can, as of the outcome's slot, and Unknown when
	// nothing can be proved.
	Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error)
}

// ChainProbe reads the state of the chain behind the service.
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

// ChainHead reads how far the chain is, and what time it has there.
type ChainHead interface {
	// Head returns the newest finalized slot, and when its block was made by the chain's
	// own clock, in whole seconds. What is finalized later has a greater slot. A chain
	// that can't be asked is a fault of kind External.
	Head(ctx context.Context) (slot uint64, made time.Time, err error)
}

// ChainHeights reads until when what was signed may land.
type ChainHeights interface {
	// Heights returns the last block height at which a transaction that is signed until
	// now can land, and the newest height that is finalized. Whatever was signed by then
	// has landed, finalized, or never will, once the finalized height is beyond the
	// other. A chain that can't be asked is a fault of kind External.
	Heights(ctx context.Context) (Heights, error)
}

// Heights are heights of blocks of a chain.
type Heights struct {
	LastValid uint64
	Finalized uint64
}
