package documents_test

import (
	"os"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/withdrawal"
)

// TestEveryStateHasAnExit searches for the row of each state in the table of docs/payouts.md: who
// ends it, by which endpoint or command, and where in the console.
func TestEveryStateHasAnExit(t *testing.T) {
	t.Parallel()
	states := []string{
		"provider's win `" + string(seamless.Review) + "`", "request `" + string(approval.Open) + "`",
		"account `" + ledger.Unclaimed.String() + "`", "account `" + ledger.Assigned.String() + "`",
	}
	for _, s := range withdrawal.Statuses() {
		states = append(states, "withdrawal `"+string(s)+"`")
	}
	for _, s := range deposit.Statuses() {
		states = append(states, "deposit `"+string(s)+"`")
	}
	page, err := os.ReadFile("../../docs/payouts.md")
	noError(t, err)
	rows := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); len(cells) == 4 {
			rows[strings.TrimSpace(cells[0])] = cells[1:]
		}
	}
	for _, state := range states {
		cells, found := rows[state]
		if !found {
			t.Errorf("no row says how %s ends", state)
		}
		for _, cell := range cells {
			if strings.TrimSpace(cell) == "" {
				t.Errorf("the row of %s has an empty cell", state)
			}
		}
	}
}
