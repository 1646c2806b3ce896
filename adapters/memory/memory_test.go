package memory_test

import (
	"testing"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/test/conformance"
)

func newStore(*testing.T) conformance.Store {
	store := memory.New()
	return conformance.Store{Ports: store, Stop: store.Stop}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, suite := range map[string]func(*testing.T, func(*testing.T) conformance.Store){
		"Writer":       conformance.Writer,
		"Players":      conformance.Players,
		"Seeds":        conformance.Seeds,
		"Rounds":       conformance.Rounds,
		"Transactions": conformance.Transactions,
		"Withdrawals":  conformance.Withdrawals,
		"Deposits":     conformance.Deposits,
		"PayoutDesk":   conformance.PayoutDesk,
		"DepositWatch": conformance.DepositWatch,
		"Roles":        conformance.Roles,
		"Approvals":    conformance.Approvals,
		"Figures":      conformance.Figures,
		"Reports":      conformance.Reports,
		"AuditLog":     conformance.AuditLog,
		"Brandings":    conformance.Brandings,
		"Agents":       conformance.Agents,
		"Catalog":      conformance.Catalog,
		"Protection":   conformance.Protection,
		"Checkpoints":  conformance.Checkpoints,
		"Archive":      conformance.Archive,
		"Registry":     conformance.Registry,

		"Launches":             conformance.Launches,
		"SeamlessTransactions": conformance.SeamlessTransactions,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite(t, newStore)
		})
	}
}
