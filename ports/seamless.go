package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Launches reads which players launched games at which provider connection.
type Launches interface {
	// Launch returns the wallet's launch record at a provider connection, or NotFound
	// when it never launched a game there.
	Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error)
	// LaunchedSince lists up to limit launch records of a connection whose newest
	// launch is not before the moment and whose wallet comes after the given one,
	// sorted by wallet. A worker continues by passing the last wallet it saw, "" at
	// first.
	LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int) ([]seamless.Launch, error)
}

// SeamlessTransactions reads providers' transactions, with the request and the
// response of each.
type SeamlessTransactions interface {
	// SeamlessTransaction returns a transaction by our id, or NotFound.
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
	// Open keeps those in review that no admin has decided on.
	Open     bool
	From, To time.Time
}

// SeamlessPage is a page of transactions.
type SeamlessPage struct {
	Transactions []seamless.Transaction
	PageInfo
}
