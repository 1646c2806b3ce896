package sites

import (
	"context"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Deliveries lists the deliveries to agents' sites, newest first, within the caller's
// scope.
func (c *Service) Deliveries(ctx context.Context, caller kernel.Caller, filter ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return ports.DeliveryPage{}, err
	}
	if !kernel.Scoped(own, &filter.Agent) {
		return ports.DeliveryPage{Deliveries: []seamless.Delivery{}}, nil
	}
	return c.core.Store.Deliveries.Deliveries(ctx, filter, page)
}

// DeliveryDecision is an admin's decision on a delivery that needs a person.
type DeliveryDecision struct {
	ID string
	// Resend sends the delivery to the agent's present site; otherwise the delivery is closed
	// and nothing more is sent.
	Resend bool
	Reason string
}

// DecideDelivery resends a delivery to its agent's present site, or closes it. It needs the
// permission to change roles. The order of refusals is permission, reason, NotFound,
// InvalidState, and InvalidAgent if the agent has no site.
func (c *Service) DecideDelivery(ctx context.Context, caller kernel.Caller, d DeliveryDecision) (seamless.Delivery, error) {
	own, err := c.core.AuthorizeFor(ctx, caller, rbac.RolesWrite, d.Reason)
	if err != nil {
		return seamless.Delivery{}, err
	}
	delivery, err := c.core.Store.Deliveries.Delivery(ctx, d.ID)
	if err != nil {
		return seamless.Delivery{}, err
	}
	if own.AgentCode != "" && own.AgentCode != delivery.Agent {
		return seamless.Delivery{}, fault.New(fault.NotFound, "no delivery %q", d.ID)
	}
	order := player.DeliveryDecision{
		DeliveryID: delivery.ID, Event: seamless.Close, By: caller.Wallet, Policy: c.core.Policy, Reason: d.Reason,
		AuditID: c.core.Entropy.ID(), RequestID: caller.RequestID, At: c.core.Now(),
	}
	if d.Resend {
		found, err := c.core.Store.Agents.Agent(ctx, delivery.Agent)
		if err != nil {
			return seamless.Delivery{}, err
		}
		order.Event, order.Site = seamless.Resend, found.SiteEndpoint
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: delivery.Wallet, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: order.AuditID}}, At: order.At, Source: player.FromAdmin,
		Needs:  player.Needs{Deliveries: []string{delivery.ID}, Roles: []wallet.Address{caller.Wallet}},
		Decide: func(v player.View) (player.Change, error) { return player.DecideDelivery(v, order) },
	})
	if err != nil {
		return seamless.Delivery{}, err
	}
	if len(receipt.Change.Deliveries) == 0 {
		return c.core.Store.Deliveries.Delivery(ctx, delivery.ID)
	}
	return receipt.Change.Deliveries[0], nil
}
