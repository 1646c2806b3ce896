package sim_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/sim"
	"github.com/casino-service/casino/test/stores"
)

const (
	operations        = 600
	faultsPerThousand = 60
	// of the COMMITs that a store makes
	commitsLostPerThousand = 100
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
	var injected, taken atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !t.Failed() {
				seed := first + uint64(taken.Add(1)) - 1
				if seed >= first+seeds {
					return
				}
				n, err := run(seed, sim.None, memory.New())
				if err != nil {
					t.Errorf("seed %d (make sim SEED=%d): %v", seed, seed, err)
				}
				injected.Add(int64(n))
			}
		})
	}
	workers.Wait()
	t.Logf("%d seeds of %d operations, %d faults injected", seeds, operations, injected.Load())
	if injected.Load() == 0 {
		t.Fatal("no fault was injected: the simulation proves nothing")
	}
}

// TestSimulationOnSQLite runs the first seeds on the production store. Its writer has its own
// goroutine but never more than one item to write, because the simulation waits for each answer:
// every batch has one item, so that these seeds can be repeated too. The connection loses the
// answers of some COMMITs, which must have no effect: the same seed has the same faults as on
// memory.
func TestSimulationOnSQLite(t *testing.T) {
	t.Parallel()
	first, seeds := uint64(1), min(max(1, number(t, "CASINO_TEST_SIM_SEEDS", 50)/10), 50)
	if one := number(t, "CASINO_TEST_SIM_SEED", 0); one != 0 {
		first, seeds = one, 1
	}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			random, lost := rand.New(rand.NewPCG(seed, 0xc0117)), 0 //nolint:gosec // a simulation must be repeatable
			injected, err := run(seed, sim.None, stores.Losing(t, func() stores.Loss {
				if random.IntN(1000) >= commitsLostPerThousand {
					return stores.Answered
				}
				lost++
				return []stores.Loss{stores.LostBefore, stores.LostAfter}[random.IntN(2)]
			}))
			if err != nil {
				t.Fatalf("seed %d (make sim SEED=%d): %v", seed, seed, err)
			}
			want, err := run(seed, sim.None, memory.New())
			if err != nil || injected != want || lost == 0 {
				t.Errorf("seed %d: %d faults and %d lost commits on SQLite, %d faults on memory (%v)", seed, injected, lost, want, err)
			}
		})
	}
}

func run(seed uint64, planted sim.Defect, store conformance.Ports) (int, error) {
	ctx := context.Background()
	world, err := sim.New(sim.Setting{Seed: seed, FaultsPerThousand: faultsPerThousand, Planted: planted, Store: store})
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

// TestPlantedDefectsAreFound checks that the simulation finds defects: each is found with one of
// a few seeds.
func TestPlantedDefectsAreFound(t *testing.T) {
	t.Parallel()
	for _, planted := range sim.Defects() {
		t.Run(string(planted), func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= 100; seed++ {
				if _, err := run(seed, planted, memory.New()); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Error("the simulation did not notice")
		})
	}
}
