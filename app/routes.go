package app

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// ForwardedRoutes lists the legs of transactions on their way to operators' sites,
// newest first, within the caller's scope.
func (c *Casino) ForwardedRoutes(ctx context.Context, caller Caller, filter ports.RouteFilter, page ports.Page) (ports.RoutePage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.RoutePage{}, err
	}
	if own.AgentCode != "" {
		if filter.Agent != "" && filter.Agent != own.AgentCode {
			return ports.RoutePage{Routes: []seamless.Route{}}, nil
		}
		filter.Agent = own.AgentCode
	}
	return c.store.Routes.Routes(ctx, filter, page)
}

// RouteWord is an admin's word on a leg that doesn't come on by itself.
type RouteWord struct {
	ID string
	// Resend sends it to the operator's present site; without it nothing more is done.
	Resend bool
	Reason string
}

// OrderRoute sends a leg to its operator's present site, or closes it. It takes who
// may change roles. The order of refusals is permission, reason, NotFound,
// InvalidState, InvalidAgent when the operator has no site.
func (c *Casino) OrderRoute(ctx context.Context, caller Caller, word RouteWord) (seamless.Route, error) {
	own, err := c.Authorize(ctx, caller, rbac.RolesWrite)
	if err != nil {
		return seamless.Route{}, err
	}
	if err := checkReason(word.Reason); err != nil {
		return seamless.Route{}, err
	}
	route, err := c.store.Routes.Route(ctx, word.ID)
	if err != nil {
		return seamless.Route{}, err
	}
	if own.AgentCode != "" && own.AgentCode != route.Agent {
		return seamless.Route{}, fault.New(fault.NotFound, "no route %q", word.ID)
	}
	order := player.RouteOrder{
		RouteID: route.ID, Word: seamless.Close, By: caller.Wallet, Policy: c.Policy, Reason: word.Reason,
		AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	if word.Resend {
		operator, err := c.store.Agents.Agent(ctx, route.Agent)
		if err != nil {
			return seamless.Route{}, err
		}
		order.Word, order.Site = seamless.Resend, operator.SiteEndpoint
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: route.Wallet, Claims: []player.Claim{{Kind: player.Operation, ID: order.AuditID}}, At: order.At,
		Needs:  player.Needs{Routes: []string{route.ID}, Roles: []wallet.Address{caller.Wallet}},
		Decide: func(v player.View) (player.Change, error) { return player.OrdersRoute(v, order) },
	})
	if err != nil {
		return seamless.Route{}, err
	}
	if len(receipt.Change.Routes) == 0 {
		return c.store.Routes.Route(ctx, route.ID)
	}
	return receipt.Change.Routes[0], nil
}
