package service_test

import (
	"os"
	"slices"
	"testing"

	"github.com/casino-service/casino/test/arch"
)

// reach returns every package of this module that a package imports, directly or
// indirectly, without tests.
func reach(t *testing.T, from string) []string {
	t.Helper()
	tree, err := arch.Read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, f := range tree.Files {
		if !f.Test() {
			own := f.Imports()
			imports[f.Folder()] = append(imports[f.Folder()], own...)
		}
	}
	reached, next := []string{}, []string{from}
	for len(next) > 0 {
		folder := next[0]
		next = next[1:]
		if slices.Contains(reached, folder) {
			continue
		}
		reached = append(reached, folder)
		next = append(next, imports[folder]...)
	}
	return reached
}

// TestNothingSimulatedCanBeReached: casino serve wires this package, which must not reach
// the simulated chain or the fakes. The command's own package reaches the chain, for casino
// dev, which shows that the test can fail.
func TestNothingSimulatedCanBeReached(t *testing.T) {
	t.Parallel()
	const simulated = "adapters/simulated/localnet"
	reached := reach(t, "cmd/internal/service")
	for _, madeUp := range []string{simulated, "adapters/simulated/provider", "adapters/memory", "test/fakes", "cmd/casino"} {
		if slices.Contains(reached, madeUp) {
			t.Errorf("serve's wiring reaches %s", madeUp)
		}
	}
	for _, needed := range []string{"adapters/solana", "adapters/sqlstore", "adapters/httpapi", "adapters/goldapi", "domain/ledger"} {
		if !slices.Contains(reached, needed) {
			t.Errorf("serve's wiring does not reach %s: this test looks at the wrong place", needed)
		}
	}
	for _, madeUp := range []string{simulated, "adapters/simulated/provider"} {
		if !slices.Contains(reach(t, "cmd/casino"), madeUp) {
			t.Errorf("casino dev does not reach %s: this test can't fail", madeUp)
		}
	}
}
