package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Deliveries = (*Reads)(nil)
	_ ports.AgentFunds = (*Reads)(nil)
)

// openDeliveries is the condition of the index that finds what is still to be done.
const openDeliveries = "p.status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected')"

// Delivery serves ports.Routes.
func (r *Reads) Delivery(ctx context.Context, id string) (seamless.Delivery, error) {
	return from(r, rows.Deliveries).where("p.id = ?", id).one(ctx, "read route", fault.New(fault.NotFound, "no delivery %q", id))
}

// DeliveriesOf serves ports.Routes.
func (r *Reads) DeliveriesOf(ctx context.Context, transactionID string) ([]seamless.Delivery, error) {
	return from(r, rows.Deliveries).where("p.transaction_id = ?", transactionID).order("p.leg DESC").all(ctx, "read routes")
}

// OpenDeliveries serves ports.Routes.
func (r *Reads) OpenDeliveries(ctx context.Context, after string, limit int) ([]seamless.Delivery, error) {
	return from(r, rows.Deliveries).where(openDeliveries).where("p.id > ?", after).order("p.id").limit(limit).all(ctx, "read routes")
}

// Deliveries serves ports.Routes.
func (r *Reads) Deliveries(ctx context.Context, f ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	l := listOf(rows.Deliveries, "p.id")
	l.equals("p.status", string(f.Status))
	l.equals("p.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, openDeliveries)
	}
	found, info, err := listed(ctx, r, "list routes", page, rows.Deliveries, func(route *seamless.Delivery) string { return route.ID }, l)
	return ports.DeliveryPage{Deliveries: found, PageInfo: info}, err
}

// FundsOf serves ports.AgentFunds.
func (r *Reads) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	q := from(r, rows.FundsLines).where("f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0").order("f.agent, f.token")
	if code != "" {
		q.where("f.agent = ?", code)
	}
	return q.all(ctx, "read agents' funds")
}
