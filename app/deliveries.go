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

// Deliveries lists the legs of transactions on their way to operators' sites,
// newest first, within the caller's scope.
func (c *Casino) Deliveries(ctx context.Context, caller Caller, filter ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	own, err := c.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.DeliveryPage{}, err
	}
	if own.AgentCode != "" {
		if filter.Agent != "" && filter.Agent != own.AgentCode {
			return ports.DeliveryPage{Deliveries: []seamless.Delivery{}}, nil
		}
		filter.Agent = own.AgentCode
	}
	return c.store.Deliveries.Deliveries(ctx, filter, page)
}

// DeliveryDecision is an admin's word on a leg that doesn't come on by itself.
type DeliveryDecision struct {
	ID string
	// Resend sends it to the operator's present site; without it nothing more is done.
	Resend bool
	Reason string
}

// DecideDelivery sends a leg to its operator's present site, or closes it. It takes who
// may change roles. The order of refusals is permission, reason, NotFound,
// InvalidState, InvalidAgent when the operator has no site.
func (c *Casino) DecideDelivery(ctx context.Context, caller Caller, word DeliveryDecision) (seamless.Delivery, error) {
	own, err := c.Authorize(ctx, caller, rbac.RolesWrite)
	if err != nil {
		return seamless.Delivery{}, err
	}
	if err := checkReason(word.Reason); err != nil {
		return seamless.Delivery{}, err
	}
	route, err := c.store.Deliveries.Delivery(ctx, word.ID)
	if err != nil {
		return seamless.Delivery{}, err
	}
	if own.AgentCode != "" && own.AgentCode != route.Agent {
		return seamless.Delivery{}, fault.New(fault.NotFound, "no delivery %q", word.ID)
	}
	order := player.DeliveryDecision{
		DeliveryID: route.ID, Event: seamless.Close, By: caller.Wallet, Policy: c.Policy, Reason: word.Reason,
		AuditID: c.Entropy.ID(), RequestID: caller.RequestID, At: c.now(),
	}
	if word.Resend {
		operator, err := c.store.Agents.Agent(ctx, route.Agent)
		if err != nil {
			return seamless.Delivery{}, err
		}
		order.Event, order.Site = seamless.Resend, operator.SiteEndpoint
	}
	receipt, err := c.store.Writer.Commit(ctx, player.Item{
		Wallet: route.Wallet, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: order.AuditID}}, At: order.At,
		Needs:  player.Needs{Deliveries: []string{route.ID}, Roles: []wallet.Address{caller.Wallet}},
		Decide: func(v player.View) (player.Change, error) { return player.DecideDelivery(v, order) },
	})
	if err != nil {
		return seamless.Delivery{}, err
	}
	if len(receipt.Change.Deliveries) == 0 {
		return c.store.Deliveries.Delivery(ctx, route.ID)
	}
	return receipt.Change.Deliveries[0], nil
}
