package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
)

// Deliveries reads the legs of transactions on their way to operators' sites. The
// Writer changes them.
type Deliveries interface {
	// Delivery returns one by its id, or NotFound.
	Delivery(ctx context.Context, id string) (seamless.Delivery, error)
	// DeliveriesOf returns those of a transaction, the debit's first.
	DeliveriesOf(ctx context.Context, transactionID string) ([]seamless.Delivery, error)
	// OpenDeliveries lists up to limit routes of which something is still to be done and
	// whose id comes after the given one, oldest first. A worker goes on by handing in
	// the last one it saw, "" at first.
	OpenDeliveries(ctx context.Context, after string, limit int) ([]seamless.Delivery, error)
	// Deliveries lists them newest first.
	Deliveries(ctx context.Context, filter DeliveryFilter, page Page) (DeliveryPage, error)
}

// DeliveryFilter narrows a list of routes; zero fields don't.
type DeliveryFilter struct {
	Status seamless.DeliveryStatus
	Agent  string
	// Open keeps those of which something is still to be done.
	Open bool
}

// DeliveryPage is a page of routes.
type DeliveryPage struct {
	Deliveries []seamless.Delivery
	PageInfo
}

// AgentFunds reads operators' prepaid accounts. The Writer changes them.
type AgentFunds interface {
	// FundsOf returns the accounts of an operator in which anything stands or may
	// stand, sorted by token; with "" those of all, sorted by agent and token.
	FundsOf(ctx context.Context, code string) ([]FundsLine, error)
}

// FundsLine is what stands in one account.
type FundsLine struct {
	agent.FundsRef
	agent.Funds
}
