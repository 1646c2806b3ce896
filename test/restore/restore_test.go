package restore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/casino-service/casino/test/restore"
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

// perSeed is how many restores a seed makes.
const perSeed = 2

// TestRestores makes CASINO_TEST_RESTORES restores, or those of CASINO_TEST_RESTORE_SEED:
// odd seeds on SQLite, even ones on PostgreSQL, each restore under the next of the
// conditions.
func TestRestores(t *testing.T) {
	t.Parallel()
	first, seeds := uint64(1), (number(t, "CASINO_TEST_RESTORES", 10)+perSeed-1)/perSeed
	if one := number(t, "CASINO_TEST_RESTORE_SEED", 0); one != 0 {
		first, seeds = one, 1
	}
	var all tally
	t.Cleanup(func() { t.Log(all.String()) })
	for seed := first; seed < first+seeds; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			if err := run(t, seed, restore.None, &all); err != nil {
				t.Errorf("seed %d (make restore SEED=%d): %v", seed, seed, err)
			}
		})
	}
}

// run plays, restores and checks with one seed.
func run(t *testing.T, seed uint64, planted restore.Defect, all *tally) error {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	database := restore.SQLite
	if seed%2 == 0 {
		database = restore.Postgres
	}
	world, err := restore.New(ctx, restore.Setting{
		Seed: seed, Database: database(t), Folder: filepath.Join(restore.Folder(t), "state"), Planted: planted,
	})
	if err != nil {
		return err
	}
	defer func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i := range uint64(perSeed) {
		if err := world.Lose(ctx, restore.Conditions[(perSeed*seed+i)%uint64(len(restore.Conditions))], all.add); err != nil {
			return fmt.Errorf("restore %d: %w", i+1, err)
		}
	}
	return world.Prove(ctx)
}

// tally sums up all runs.
type tally struct {
	mu                                               sync.Mutex
	restores, noticed, live, breaks, payments, owing int
	hours                                            float64
}

func (a *tally) add(r restore.Report) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restores++
	if r.Noticed {
		a.noticed++
	}
	if r.Live {
		a.live++
	}
	a.breaks, a.payments, a.owing, a.hours = a.breaks+r.Breaks, a.payments+r.Payments, a.owing+r.Owing, max(a.hours, r.Age.Hours())
}

func (a *tally) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return fmt.Sprintf("%d restores of copies up to %.1f hours old, %d of them noticed, %d under a running service; "+
		"%d recoveries killed; %d payouts that the copies never saw, %d players owed afterwards",
		a.restores, a.hours, a.noticed, a.live, a.breaks, a.payments, a.owing)
}

// TestPlantedDefectsAreFound checks that a wrong restore is found: each defect with one of a few
// seeds, the first of which is known to find it.
func TestPlantedDefectsAreFound(t *testing.T) {
	t.Parallel()
	finds := map[restore.Defect]uint64{restore.WaitLeftOut: 19, restore.LoginsCount: 7}
	for _, planted := range restore.Defects() {
		t.Run(string(planted), func(t *testing.T) {
			t.Parallel()
			first := max(1, finds[planted])
			for seed := first; seed < first+40; seed += 2 { // on SQLite

				if err := run(t, seed, planted, &tally{}); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Error("the restore test did not notice")
		})
	}
}
