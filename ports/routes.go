package ports

import (
	"context"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/seamless"
)

// Routes reads the legs of transactions on their way to operators' sites. The
// Writer changes them.
type Routes interface {
	// Route returns one by its id, or NotFound.
	Route(ctx context.Context, id string) (seamless.Route, error)
	// RoutesOf returns those of a transaction, the debit's first.
	RoutesOf(ctx context.Context, transactionID string) ([]seamless.Route, error)
	// OpenRoutes lists up to limit routes of which something is still to be done and
	// whose id comes after the given one, oldest first. A worker goes on by handing in
	// the last one it saw, "" at first.
	OpenRoutes(ctx context.Context, after string, limit int) ([]seamless.Route, error)
	// Routes lists them newest first.
	Routes(ctx context.Context, filter RouteFilter, page Page) (RoutePage, error)
}

// RouteFilter narrows a list of routes; zero fields don't.
type RouteFilter struct {
	Status seamless.RouteStatus
	Agent  string
	// Open keeps those of which something is still to be done.
	Open bool
}

// RoutePage is a page of routes.
type RoutePage struct {
	Routes []seamless.Route
	PageInfo
}

// OperatorFunds reads operators' prepaid accounts. The Writer changes them.
type OperatorFunds interface {
	// FundsOf returns the accounts of an operator in which anything stands or may
	// stand, sorted by token; with "" those of all, sorted by agent and token.
	FundsOf(ctx context.Context, code string) ([]FundsLine, error)
}

// FundsLine is what stands in one account.
type FundsLine struct {
	agent.FundsRef
	agent.Funds
}
