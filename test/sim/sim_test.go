package sim_test

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/casino-service/casino/test/sim"
)

const (
	operations        = 600
	faultsPerThousand = 60
)

// number reads a setting of the environment.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestSimulation runs CASINO_TEST_SIM_SEEDS seeds, or the one of
// CASINO_TEST_SIM_SEED.
func TestSimulation(t *testing.T) {
	t.Parallel()
	first, seeds := uint64(1), number(t, "CASINO_TEST_SIM_SEEDS", 50)
	if one := number(t, "CASINO_TEST_SIM_SEED", 0); one != 0 {
		first, seeds = one, 1
	}
	injected := 0
	for seed := first; seed < first+seeds; seed++ {
		n, err := run(seed, sim.None)
		if err != nil {
			t.Fatalf("seed %d (make sim SEED=%d): %v", seed, seed, err)
		}
		injected += n
	}
	t.Logf("%d seeds of %d operations, %d faults injected", seeds, operations, injected)
	if injected == 0 {
		t.Fatal("no fault was injected: the simulation proves nothing")
	}
}

func run(seed uint64, planted sim.Defect) (int, error) {
	ctx := context.Background()
	world, err := sim.New(seed, faultsPerThousand, planted)
	if err != nil {
		return 0, err
	}
	for range operations {
		if err := world.Step(ctx); err != nil {
			return 0, err
		}
	}
	if err := world.Settle(ctx); err != nil {
		return 0, err
	}
	return world.Injected(), world.Prove(ctx)
}

// TestPlantedDefectsAreFound says that the simulation would notice: each defect is
// found in one of a few seeds.
func TestPlantedDefectsAreFound(t *testing.T) {
	t.Parallel()
	for _, planted := range sim.Defects() {
		t.Run(string(planted), func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= 100; seed++ {
				if _, err := run(seed, planted); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Error("nobody noticed")
		})
	}
}
