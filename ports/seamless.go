package ports

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Launches reads players' launches of games at provider connections.
type Launches interface {
	// Launch returns the wallet's launch record at a provider connection, or NotFound if it
	// never launched a game there.
	Launch(ctx context.Context, w wallet.Address, connection string) (seamless.Launch, error)
	// LaunchedSince lists up to limit launch records of a connection with a newest launch
	// at or after the moment and a wallet after the given one, sorted by wallet. A worker
	// continues by passing the last wallet it saw, "" at first.
	LaunchedSince(ctx context.Context, connection string, since time.Time, after wallet.Address, limit int) ([]seamless.Launch, error)
}

// SeamlessTransactions reads providers' transactions, each with its request and
// response.
type SeamlessTransactions interface {
	// SeamlessTransaction returns a transaction by our id, or NotFound.
	SeamlessTransaction(ctx context.Context, id string) (seamless.Transaction, error)
	// SeamlessTransactions lists transactions newest first, refused ones included.
	SeamlessTransactions(ctx context.Context, filter SeamlessFilter, page Page) (SeamlessPage, error)
}

// SeamlessFilter narrows a list of transactions; zero fields don't. From is
// inclusive, To exclusive.
type SeamlessFilter struct {
	Connection string
	Wallet     wallet.Address
	Agent      string
	// Reference selects the wins that settle a bet and the rollbacks that undo a transaction.
	Reference string
	// Open selects transactions in review without an admin's decision that weren't rolled
	// back.
	Open     bool
	From, To time.Time
}

// SeamlessPage is a page of transactions.
type SeamlessPage struct {
	Transactions []seamless.Transaction
	PageInfo
}

// Deliveries reads deliveries: the legs of providers' transactions on their way to
// agents' sites. The Writer changes them.
type Deliveries interface {
	// Delivery returns a delivery by its id, or NotFound.
	Delivery(ctx context.Context, id string) (seamless.Delivery, error)
	// DeliveriesOf returns a transaction's deliveries, the debit's first.
	DeliveriesOf(ctx context.Context, transactionID string) ([]seamless.Delivery, error)
	// OpenDeliveries lists up to limit open deliveries with ids after the given one, oldest
	// first. A worker continues by passing the last id it saw, "" at first.
	OpenDeliveries(ctx context.Context, after string, limit int) ([]seamless.Delivery, error)
	// Deliveries lists deliveries newest first.
	Deliveries(ctx context.Context, filter DeliveryFilter, page Page) (DeliveryPage, error)
}

// DeliveryFilter narrows a list of deliveries; zero fields don't.
type DeliveryFilter struct {
	Status seamless.DeliveryStatus
	Agent  string
	// Open selects open statuses (see seamless.DeliveryStatus.Open).
	Open bool
}

// DeliveryPage is a page of deliveries.
type DeliveryPage struct {
	Deliveries []seamless.Delivery
	PageInfo
}

// AgentFunds reads agents' prepaid accounts. The Writer changes them.
type AgentFunds interface {
	// FundsOf returns an agent's accounts with a balance, a reservation or a credit limit,
	// sorted by token; "" returns those of all agents, sorted by agent and token.
	FundsOf(ctx context.Context, code string) ([]FundsLine, error)
}

// FundsLine is one prepaid account with its balance, reservations and credit limit.
type FundsLine struct {
	agent.FundsRef
	agent.Funds
}
