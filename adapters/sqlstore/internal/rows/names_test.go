package rows

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestColumnsHoldTheFieldsOfTheirNames finds two fields that changed places: what is
// written and what is read back would agree, and only the column be wrong.
func TestColumnsHoldTheFieldsOfTheirNames(t *testing.T) {
	t.Parallel()
	named(t, Agents, map[string]string{"allowlist": "IPAllowlist"})
	named(t, Alarms, nil)
	named(t, ApprovalRequests, map[string]string{"asked_by": "By"})
	named(t, Approvals, map[string]string{"approver": "Approval.By", "signed_at": "Approval.Timestamp"})
	named(t, Attempts, map[string]string{"bytes": "Attempt.Transaction"})
	named(t, Audit, map[string]string{"actor": "By", "was": "Before", "became": "After"})
	named(t, Balances, nil)
	named(t, Blocks, nil)
	named(t, Branding.without("one"), nil)
	named(t, Events, nil)
	named(t, Funds, nil)
	named(t, Games, nil)
	named(t, Launches, nil)
	named(t, ParkedDeposits, nil)
	named(t, Pauses.without("id"), map[string]string{"actor": "By"})
	named(t, PairStates, map[string]string{"next_id": "next"})
	named(t, Players, nil)
	named(t, SealedSeeds, nil)
	named(t, ProviderRounds, nil)
	named(t, ProviderTransactions, nil)
	named(t, RevealedPairs, map[string]string{"revealed": "ServerSeed", "nonce": "Rounds"})
	named(t, Roles, map[string]string{"agent": "AgentCode"})
	named(t, Rounds, map[string]string{"game": "GameType"})
	named(t, Deliveries, nil)
	named(t, DrawnFrom, map[string]string{"revealed": "ServerSeed"})
	named(t, ShownPairs, nil)
	named(t, Tokens, nil)
	named(t, Transactions, map[string]string{"type": "kind"})
	named(t, allTransfers, nil)
	named(t, storedKeys.without("place"), map[string]string{"holder": "Wallet"})
	named(t, seedPairs, map[string]string{"next_id": "next"})
	named(t, Votes, map[string]string{"subject": "Of", "by_wallet": "By"})
	only := []string{"lane", "token", "agent"} // the others are read as sums
	named(t, dailyFigures.only(append(only, "day", "source", "game", "rounds")...), nil)
	named(t, laneTotals.only(append(only, "kind", "owner")...), nil)
}

// named looks for the field that each column of a table is scanned into. Its name is
// the column's, or the one told apart.
func named[T any](t *testing.T, table *Table[T], apart map[string]string) {
	t.Helper()
	var row T
	fields := map[uintptr][]string{}
	note(reflect.ValueOf(&row).Elem(), "", fields)
	for i, place := range table.places(&row, 0) {
		column := table.columns[i].Name
		found := fields[reflect.ValueOf(place).Pointer()]
		wanted := []string{strings.ReplaceAll(column, "_", "")}
		if other, ok := apart[column]; ok {
			wanted = []string{plainly(other)}
		}
		if !slices.ContainsFunc(found, func(path string) bool {
			return slices.ContainsFunc(wanted, func(want string) bool {
				return plainly(path) == want || strings.HasSuffix("."+strings.ToLower(path), "."+want) || strings.HasSuffix(plainly(path), want)
			})
		}) {
			t.Errorf("column %s of %s holds %v", column, table.name, found)
		}
	}
	for column := range maps.Keys(apart) {
		table.column(column)
	}
}

func plainly(path string) string { return strings.ToLower(strings.ReplaceAll(path, ".", "")) }

// note finds the fields of a value by their addresses. Several may begin at one.
func note(v reflect.Value, path string, fields map[uintptr][]string) {
	fields[v.Addr().Pointer()] = append(fields[v.Addr().Pointer()], path)
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		note(v.Field(i), strings.Trim(path+"."+v.Type().Field(i).Name, "."), fields)
	}
}
