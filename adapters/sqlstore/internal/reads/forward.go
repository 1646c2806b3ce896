package reads

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Routes        = (*Reads)(nil)
	_ ports.OperatorFunds = (*Reads)(nil)
)

// openRoutes is the condition of the index that finds what is still to be done.
const openRoutes = "p.status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected')"

// Route serves ports.Routes.
func (r *Reads) Route(ctx context.Context, id string) (seamless.Route, error) {
	return one(ctx, r, "read route", rows.Routes.Select()+" WHERE p.id = ?", []any{id},
		rows.Routes.Scan, fault.New(fault.NotFound, "no route %q", id))
}

// RoutesOf serves ports.Routes.
func (r *Reads) RoutesOf(ctx context.Context, transactionID string) ([]seamless.Route, error) {
	return r.routes(ctx, "WHERE p.transaction_id = ? ORDER BY p.leg DESC", transactionID)
}

// OpenRoutes serves ports.Routes.
func (r *Reads) OpenRoutes(ctx context.Context, after string, limit int) ([]seamless.Route, error) {
	return r.routes(ctx, "WHERE "+openRoutes+" AND p.id > ? ORDER BY p.id LIMIT ?", after, limit)
}

func (r *Reads) routes(ctx context.Context, which string, arguments ...any) ([]seamless.Route, error) {
	return every(ctx, r, "read routes", rows.Routes.Select()+" "+which, arguments, rows.Routes.Scan)
}

// Routes serves ports.Routes.
func (r *Reads) Routes(ctx context.Context, f ports.RouteFilter, page ports.Page) (ports.RoutePage, error) {
	l := list{columns: rows.Routes.Columns(), from: rows.Routes.From(), id: "p.id"}
	l.equals("p.status", string(f.Status))
	l.equals("p.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, openRoutes)
	}
	found, info, err := listed(ctx, r, "list routes", page, rows.Routes.Scan, func(route *seamless.Route) string { return route.ID }, l)
	return ports.RoutePage{Routes: found, PageInfo: info}, err
}

// FundsOf serves ports.OperatorFunds.
func (r *Reads) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	text, arguments := rows.Funds.Select()+`
		WHERE (f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0)`, []any(nil)
	if code != "" {
		text, arguments = text+" AND f.agent = ?", []any{code}
	}
	all, err := every(ctx, r, "read operators' funds", text+" ORDER BY f.agent, f.token", arguments, rows.Funds.Scan)
	found := make([]ports.FundsLine, len(all))
	for i, line := range all {
		found[i] = ports.FundsLine(line)
	}
	return found, err
}
