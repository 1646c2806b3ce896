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

func deliveryID(r seamless.Delivery) string { return r.ID }

// seenFunds returns the accounts that an item needs, including those without bookings.
func (s *Store) seenFunds(refs []agent.FundsRef) map[agent.FundsRef]agent.Funds {
	seen := make(map[agent.FundsRef]agent.Funds, len(refs))
	for _, ref := range refs {
		seen[ref] = s.funds[ref]
	}
	return seen
}

// seenDeliveries returns the wallet's deliveries that an item needs.
func (s *Store) seenDeliveries(w wallet.Address, ids []string) map[string]seamless.Delivery {
	seen := map[string]seamless.Delivery{}
	for _, id := range ids {
		if at, ok := search(s.deliveries, deliveryID, id); ok && s.deliveries[at].Wallet == w {
			seen[id] = s.deliveries[at]
		}
	}
	return seen
}

// storeForwarded stores the deliveries and the agents' funds of a change.
func (s *Store) storeForwarded(after player.View, c player.Change) {
	for _, r := range c.Deliveries {
		if at, known := search(s.deliveries, deliveryID, r.ID); known {
			s.deliveries[at] = r
			continue
		}
		s.deliveries = inserted(s.deliveries, r, deliveryID)
	}
	for ref, funds := range after.Funds {
		s.funds[ref] = funds
	}
}

// Delivery serves ports.Deliveries.
func (s *Store) Delivery(_ context.Context, id string) (seamless.Delivery, error) {
	defer s.locked()()
	at, ok := search(s.deliveries, deliveryID, id)
	if !ok {
		return seamless.Delivery{}, fault.New(fault.NotFound, "no delivery %q", id)
	}
	return s.deliveries[at], nil
}

// DeliveriesOf serves ports.Deliveries.
func (s *Store) DeliveriesOf(_ context.Context, transactionID string) ([]seamless.Delivery, error) {
	defer s.locked()()
	found := []seamless.Delivery{}
	for _, leg := range [...]seamless.Kind{seamless.Debit, seamless.Credit} {
		for _, r := range s.deliveries {
			if r.TransactionID == transactionID && r.Leg == leg {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// OpenDeliveries serves ports.Deliveries.
func (s *Store) OpenDeliveries(_ context.Context, after string, limit int) ([]seamless.Delivery, error) {
	defer s.locked()()
	found := []seamless.Delivery{}
	for _, r := range s.deliveries {
		if r.Status.Open() && r.ID > after && len(found) < limit {
			found = append(found, r)
		}
	}
	return found, nil
}

// Deliveries serves ports.Deliveries.
func (s *Store) Deliveries(_ context.Context, f ports.DeliveryFilter, page ports.Page) (ports.DeliveryPage, error) {
	defer s.locked()()
	found, info, err := listed(s.deliveries, deliveryID, func(r seamless.Delivery) bool {
		return wants(f.Status, r.Status) && wants(f.Agent, r.Agent) && (!f.Open || r.Status.Open())
	}, page)
	return ports.DeliveryPage{Deliveries: found, PageInfo: info}, err
}

// FundsOf serves ports.AgentFunds.
func (s *Store) FundsOf(_ context.Context, code string) ([]ports.FundsLine, error) {
	defer s.locked()()
	return s.fundsOf(code), nil
}

func (s *Store) fundsOf(code string) []ports.FundsLine {
	found := []ports.FundsLine{}
	for _, ref := range slices.SortedFunc(maps.Keys(s.funds), agent.FundsRef.Compare) {
		if wants(code, ref.Agent) && s.funds[ref] != (agent.Funds{}) {
			found = append(found, ports.FundsLine{FundsRef: ref, Funds: s.funds[ref]})
		}
	}
	return found
}
