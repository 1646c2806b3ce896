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
	return one(ctx, r, "read route", rows.Deliveries.Select()+" WHERE p.id = ?", []any{id},
		rows.Deliveries.Scan, fault.New(fault.NotFound, "no delivery %q", id))
}

// DeliveriesOf serves ports.Routes.
func (r *Reads) DeliveriesOf(ctx context.Context, transactionID string) ([]seamless.Delivery, error) {
	return r.deliveries(ctx, "WHERE p.transaction_id = ? ORDER BY p.leg DESC", transactionID)
}

// OpenDeliveries serves ports.Routes.
func (r *Reads) OpenDeliveries(ctx context.Context, after string, limit int) ([]seamless.Delivery, error) {
	return r.deliveries(ctx, "WHERE "+openDeliveries+" AND p.id > ? ORDER BY p.id LIMIT ?", after, limit)
}

func (r *Reads) deliveries(ctx context.Context, which string, arguments ...any) ([]seamless.Delivery, error) {
	return every(ctx, r, "read routes", rows.Deliveries.Select()+" "+which, arguments, rows.Deliveries.Scan)
}

// Deliveries serves ports.Routes.
func (r *Reads) Deliveries(ctx context.Context, f ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	l := list{columns: rows.Deliveries.Columns(), from: rows.Deliveries.From(), id: "p.id"}
	l.equals("p.status", string(f.Status))
	l.equals("p.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, openDeliveries)
	}
	found, info, err := listed(ctx, r, "list routes", page, rows.Deliveries.Scan, func(route *seamless.Delivery) string { return route.ID }, l)
	return ports.DeliveryPage{Deliveries: found, PageInfo: info}, err
}

// FundsOf serves ports.AgentFunds.
func (r *Reads) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	text, arguments := rows.Funds.Select()+`
		WHERE (f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0)`, []any(nil)
	if code != "" {
		text, arguments = text+" AND f.agent = ?", []any{code}
	}
	all, err := every(ctx, r, "read agents' funds", text+" ORDER BY f.agent, f.token", arguments, rows.Funds.Scan)
	found := make([]ports.FundsLine, len(all))
	for i, line := range all {
		found[i] = ports.FundsLine{FundsRef: line.FundsRef, Funds: line.Funds}
	}
	return found, err
}
