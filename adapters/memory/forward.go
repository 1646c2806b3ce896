package memory

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Routes        = (*Store)(nil)
	_ ports.OperatorFunds = (*Store)(nil)
)

func routeID(r seamless.Route) string { return r.ID }

// seenFunds are the accounts that an item asks for, also those that never moved.
func (s *Store) seenFunds(refs []agent.FundsRef) map[agent.FundsRef]agent.Funds {
	seen := make(map[agent.FundsRef]agent.Funds, len(refs))
	for _, ref := range refs {
		seen[ref] = s.funds[ref]
	}
	return seen
}

// seenRoutes are the wallet's routes that an item asks for.
func (s *Store) seenRoutes(w wallet.Address, ids []string) map[string]seamless.Route {
	seen := map[string]seamless.Route{}
	for _, id := range ids {
		if at, ok := search(s.routes, routeID, id); ok && s.routes[at].Wallet == w {
			seen[id] = s.routes[at]
		}
	}
	return seen
}

// storeForwarded keeps the routes and the operators' funds of a change.
func (s *Store) storeForwarded(after player.View, c player.Change) {
	for _, r := range c.Routes {
		if at, known := search(s.routes, routeID, r.ID); known {
			s.routes[at] = r
			continue
		}
		s.routes = inserted(s.routes, r, routeID)
	}
	for ref, funds := range after.Funds {
		s.funds[ref] = funds
	}
}

// Route serves ports.Routes.
func (s *Store) Route(_ context.Context, id string) (seamless.Route, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := search(s.routes, routeID, id)
	if !ok {
		return seamless.Route{}, fault.New(fault.NotFound, "no route %q", id)
	}
	return s.routes[at], nil
}

// RoutesOf serves ports.Routes.
func (s *Store) RoutesOf(_ context.Context, transactionID string) ([]seamless.Route, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []seamless.Route{}
	for _, leg := range [...]seamless.Kind{seamless.Debit, seamless.Credit} {
		for _, r := range s.routes {
			if r.TransactionID == transactionID && r.Leg == leg {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// OpenRoutes serves ports.Routes.
func (s *Store) OpenRoutes(_ context.Context, after string, limit int) ([]seamless.Route, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []seamless.Route{}
	for _, r := range s.routes {
		if r.Status.Open() && r.ID > after && len(found) < limit {
			found = append(found, r)
		}
	}
	return found, nil
}

// Routes serves ports.Routes.
func (s *Store) Routes(_ context.Context, f ports.RouteFilter, page ports.Page) (ports.RoutePage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, info := listed(s.routes, routeID, func(r seamless.Route) bool {
		return wants(f.Status, r.Status) && wants(f.Agent, r.Agent) && (!f.Open || r.Status.Open())
	}, page)
	return ports.RoutePage{Routes: found, PageInfo: info}, nil
}

// FundsOf serves ports.OperatorFunds.
func (s *Store) FundsOf(_ context.Context, code string) ([]ports.FundsLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []ports.FundsLine{}
	for _, ref := range slices.SortedFunc(maps.Keys(s.funds), agent.FundsRef.Compare) {
		if wants(code, ref.Agent) && s.funds[ref] != (agent.Funds{}) {
			found = append(found, ports.FundsLine{FundsRef: ref, Funds: s.funds[ref]})
		}
	}
	return found, nil
}
