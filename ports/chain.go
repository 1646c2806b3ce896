package ports

import (
	"context"
	"crypto/ed25519"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// DepositReader reads transactions that may be deposits. It decides nothing.
type DepositReader interface {
	// Observe returns what the chain shows of a transaction, for the rules of
	// domain/deposit. An unknown transaction is an Observation with Found false, not an
	// error. If the chain can't be queried, the fault is External.
	Observe(ctx context.Context, signature string) (deposit.Observation, error)
	// Treasury returns the addresses that receive deposits of a token.
	Treasury(terms token.Terms) (deposit.Treasury, error)
}

// DepositTransactions builds the transactions that pay deposits, for players to sign, and
// reads what the players can pay.
type DepositTransactions interface {
	// DepositTransaction returns a transaction by which the wallet deposits an amount of
	// the token. Only the wallet signs it, and it pays the fee. Once finalized it is that
	// wallet's deposit of the amount.
	//
	// It sends nothing and doesn't check the wallet's funds: without funds the transaction
	// fails on chain. It can land up to its last valid height. Two calls with the same
	// arguments may return the same transaction, which lands once. If the chain can't be
	// queried, the fault is External.
	DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error)
	// Funds returns the finalized balance in base units from which such a transaction pays:
	// the wallet's lamports, or its associated token account. An account that doesn't exist
	// holds 0. If the chain can't be queried, the fault is External.
	Funds(ctx context.Context, of wallet.Address, terms token.Terms) (money.Amount, error)
}

// DepositHistory lists the transactions that may be deposits, so that unclaimed ones are
// found too.
type DepositHistory interface {
	// Since lists finalized transactions that name the deposit account of the token, oldest
	// first, after the cursor; "" starts at the beginning of the chain's history. It lists
	// at most limit entries, HistoryMax if limit isn't from 1 to HistoryMax. Entries may be
	// anything that names the account: payouts, failed transactions, unrelated ones.
	//
	// A transaction that is finalized when Since is called is listed from every cursor that
	// was returned before it was finalized. It may be listed again from a later cursor,
	// because nodes list late: callers deduplicate by signature. A cursor that Since didn't
	// return is Invalid. If the chain can't be queried, or no longer keeps the history
	// after the cursor, the fault is External.
	Since(ctx context.Context, terms token.Terms, cursor string, limit int) (HistoryPage, error)
}

// HistoryMax is the largest number of transactions on a page of history.
const HistoryMax = 1000

// HistoryPage is a part of a history.
type HistoryPage struct {
	Entries []HistoryEntry
	// Next is the cursor after the entries, never empty.
	Next string
	// More reports that the page is full and there is a next one already.
	More bool
}

// HistoryEntry is one transaction of a history.
type HistoryEntry struct {
	Signature string // base58 of 64 bytes
	Slot      uint64
	Failed    bool // it landed with an error
}

// Mints reads tokens' mints on chain, so that changed rules are noticed.
type Mints interface {
	// Mint returns the token's finalized mint. An address that doesn't exist or is no mint
	// gives the zero Mint, not an error. Native SOL has the program token.System and 9
	// decimals. If the chain can't be queried, the fault is External.
	Mint(ctx context.Context, terms token.Terms) (token.Mint, error)
}

// Payer signs, sends and tracks payouts. It stores nothing: the caller stores an attempt
// before Send.
type Payer interface {
	// Sign builds and signs the transaction that pays the withdrawal, without sending it. A
	// payout that can never work is a fault of kind InvalidDestination or AmountOutOfRange.
	// If the chain can't be queried, the fault is External.
	Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error)
	// Send sends the stored bytes to the chain. Repeating it is safe: the bytes can land
	// only once. After an error they may have landed or not.
	Send(ctx context.Context, attempt withdrawal.Attempt) error
	// Outcome returns the state of the attempt on chain. It is Dead only if the chain
	// proves, as of the outcome's slot, that the attempt did not land and never can, and
	// Unknown if nothing can be proved.
	Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error)
}

// ChainProbe reads the state of the chain used by the service.
type ChainProbe interface {
	// Genesis returns the chain's genesis hash.
	Genesis(ctx context.Context) (string, error)
	// Holding returns the treasury's finalized holding of a token in base units.
	Holding(ctx context.Context, terms token.Terms) (money.Amount, error)
	// Healthy returns nil if the chain answers and is not behind.
	Healthy(ctx context.Context) error
}

// HouseAddresses knows the addresses that must not be a withdrawal's destination.
type HouseAddresses interface {
	// TreasuryAddress returns the wallet deposits are sent to.
	TreasuryAddress() string
	// Reserved reports whether the address is the treasury, one of its token
	// accounts, or an accepted mint.
	Reserved(address string) bool
}

// ChainHead reads the newest finalized slot and its time.
type ChainHead interface {
	// Head returns the newest finalized slot, and its block's time by the chain's own
	// clock, in whole seconds. Whatever is finalized later has a greater slot. If the chain
	// can't be queried, the fault is External.
	Head(ctx context.Context) (slot uint64, made time.Time, err error)
}

// ChainHeights reads the heights that bound when a signed transaction can still land.
type ChainHeights interface {
	// Heights returns the last block height at which a transaction signed until now can
	// land, and the newest finalized height. Once the finalized height is above the other,
	// every transaction signed by then has landed and is finalized, or never will land. If
	// the chain can't be queried, the fault is External.
	Heights(ctx context.Context) (Heights, error)
}

// Heights are block heights of a chain.
type Heights struct {
	LastValid uint64
	Finalized uint64
}

// Memos writes texts on chain and reads them, so that anyone can see when a text was there.
type Memos interface {
	// Key returns the address that signs and pays, and its public key.
	Key() (address string, key ed25519.PublicKey)
	// SignMemo signs a transaction with the text as its only memo, and sends nothing. If the
	// chain can't be queried, the fault is External.
	SignMemo(ctx context.Context, text string) (SignedMemo, error)
	// SendMemo sends the signed bytes. Repeating it is safe: they land only once. After an
	// error they may have landed or not.
	SendMemo(ctx context.Context, m SignedMemo) error
	// ReadMemo returns the only memo of a finalized transaction that succeeded. The fault is
	// NotFound if there is none, and External if the chain can't be queried. Of a signed memo
	// NotFound is final once the finalized height was above LastValidHeight.
	ReadMemo(ctx context.Context, signature string) (Memo, error)
}

// SignedMemo is a signed transaction with a memo.
type SignedMemo struct {
	Signature   string
	Transaction []byte
	// LastValidHeight is the last block height at which the transaction can land.
	LastValidHeight uint64
}

// Memo is the memo of a finalized transaction.
type Memo struct {
	Text string
	By   string // the address that paid the fee
	Slot uint64
	At   time.Time // of the block, zero if the chain doesn't tell
}
