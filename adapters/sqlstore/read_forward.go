package sqlstore

import (
	"context"
	"database/sql"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Routes        = (*Store)(nil)
	_ ports.OperatorFunds = (*Store)(nil)
)

// openRoutes is the condition of the index that finds what is still to be done.
const openRoutes = "p.status IN ('asking', 'unknown', 'reversing', 'delivering', 'rejected')"

// Route serves ports.Routes.
func (s *Store) Route(ctx context.Context, id string) (seamless.Route, error) {
	var found seamless.Route
	err := s.one(ctx, "read route", "SELECT "+routeColumns+" FROM provider_routes AS p WHERE p.id = ?", []any{id},
		func(row *sql.Row) (err error) {
			found, err = scanRoute(row)
			return err
		}, fault.New(fault.NotFound, "no route %q", id))
	if err != nil {
		return seamless.Route{}, err
	}
	return found, nil
}

// RoutesOf serves ports.Routes.
func (s *Store) RoutesOf(ctx context.Context, transactionID string) ([]seamless.Route, error) {
	return s.routes(ctx, "WHERE p.transaction_id = ? ORDER BY p.leg DESC", transactionID)
}

// OpenRoutes serves ports.Routes.
func (s *Store) OpenRoutes(ctx context.Context, after string, limit int) ([]seamless.Route, error) {
	return s.routes(ctx, "WHERE "+openRoutes+" AND p.id > ? ORDER BY p.id LIMIT ?", after, limit)
}

func (s *Store) routes(ctx context.Context, which string, arguments ...any) ([]seamless.Route, error) {
	found := []seamless.Route{}
	err := s.rows(ctx, "read routes", "SELECT "+routeColumns+" FROM provider_routes AS p "+which, arguments, func(row *sql.Rows) error {
		r, err := scanRoute(row)
		found = append(found, r)
		return err
	})
	return found, err
}

// Routes serves ports.Routes.
func (s *Store) Routes(ctx context.Context, f ports.RouteFilter, page ports.Page) (ports.RoutePage, error) {
	l := list{columns: routeColumns, from: "provider_routes AS p", id: "p.id"}
	l.equals("p.status", string(f.Status))
	l.equals("p.agent", f.Agent)
	if f.Open {
		l.texts = append(l.texts, openRoutes)
	}
	answer := ports.RoutePage{Routes: []seamless.Route{}}
	info, err := s.listed(ctx, "list routes", page, func(row *sql.Rows) (string, error) {
		r, err := scanRoute(row)
		answer.Routes = append(answer.Routes, r)
		return r.ID, err
	}, l)
	answer.PageInfo = info
	return answer, err
}

// FundsOf serves ports.OperatorFunds.
func (s *Store) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	text, arguments := "SELECT "+fundsColumns+` FROM agent_funds AS f
		WHERE (f.balance <> 0 OR f.reserved <> 0 OR f.credit_limit <> 0)`, []any(nil)
	if code != "" {
		text, arguments = text+" AND f.agent = ?", []any{code}
	}
	found := []ports.FundsLine{}
	err := s.rows(ctx, "read operators' funds", text+" ORDER BY f.agent, f.token", arguments, func(row *sql.Rows) error {
		ref, funds, err := scanFunds(row)
		found = append(found, ports.FundsLine{FundsRef: ref, Funds: funds})
		return err
	})
	return found, err
}
