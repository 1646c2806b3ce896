package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Launches reads who went to which provider.
type Launches interface {
	// Launch returns the wallet's standing at a provider connection, or NotFound
	// when it never launched a game there.
	Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error)
	// LaunchedSince lists up to limit wallets whose newest launch at a connection is
	// not before the moment and that come after the given one, sorted by wallet. A
	// worker goes on by handing in the last one it saw, "" at first.
	LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int) ([]seamless.Launch, error)
}

// SeamlessTransactions reads what providers asked for and were answered.
type SeamlessTransactions interface {
	// SeamlessTransaction returns one by our id, or NotFound.
	SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error)
	// SeamlessTransactions lists them newest first, refused ones included.
	SeamlessTransactions(ctx context.Context, filter SeamlessFilter, page Page) (SeamlessPage, error)
}

// SeamlessFilter narrows a list of transactions; zero fields don't. From is
// inclusive, To exclusive.
type SeamlessFilter struct {
	Connection string
	Wallet     wallet.Address
	Agent      string
	// Open keeps those in review that nobody has decided on.
	Open     bool
	From, To time.Time
}

// SeamlessPage is a page of transactions.
type SeamlessPage struct {
	Transactions []seamless.Transaction
	PageInfo
}
