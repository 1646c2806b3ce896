package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/fakes"
)

func TestADatabaseThatWasPutBackClosesTheService(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		first.plays(3)
		old := first.newestBlocks()
		first.end()
		backup := copied(t, on, where)

		second := instanceOf(t, on, where, state).begins()
		second.plays(2)
		lost := second.newestBlocks()
		second.end()
		replaced(t, on, where, backup)

		third := instanceOf(t, on, where, state).begins()
		found := third.restoration.Closed()
		if found == nil || found.Reason != recovery.ReasonLacksBlock || found.From != witness.Name(lost[len(lost)-1]) ||
			found.To != witness.Name(old[len(old)-1]) {
			t.Fatalf("found %+v, lost %+v", found, lost)
		}
		third.refusesToPlay()
		if p, err := third.store.Player(t.Context(), alice); err != nil || p.Wallet != alice {
			t.Errorf("reads don't go on: %+v, %v", p, err)
		}
		if check := third.restoration.Check(); check.Status != kernel.Degraded || !strings.Contains(check.Detail, found.From) || !strings.Contains(check.Detail, found.To) {
			t.Errorf("health says %+v", check)
		}
		worked := false
		step := third.restoration.WhileOpen(func(context.Context) (bool, error) { worked = true; return true, nil })
		if _, err := step(t.Context()); err != nil || worked {
			t.Errorf("a worker continues: %v, %v", worked, err)
		}
		third.end()

		// An instance without any record is closed by the control state.
		fourth := instanceOf(t, on, where, t.TempDir()).begins()
		if fourth.restoration.Closed() == nil {
			t.Error("an instance without evidence is open")
		}
		fourth.refusesToPlay()
		fourth.end()

		// Only a recovery opens it: neither another start, nor the statement that nothing was
		// lost.
		fifth := instanceOf(t, on, where, state).begins()
		if err := fifth.restoration.Reopen(t.Context(), ""); !fault.Is(err, fault.InvalidState) {
			t.Errorf("reopened as if nothing was lost: %v", err)
		}
		fifth.recovers()
		fifth.compares(true)
		fifth.compares(true)
		fifth.end()
		instanceOf(t, on, where, state).begins().compares(true)
	})
}

// TestADatabaseThatIsReplacedUnderTheServiceTakesNoBatch restores a copy while the service runs:
// the first batch on the new connections is refused, before any step.
func TestADatabaseThatIsReplacedUnderTheServiceTakesNoBatch(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} { // without a file, the process's memory shows it
		t.Run(fmt.Sprint("kept outside the process ", kept), func(t *testing.T) {
			t.Parallel()
			where, state := onPostgres.fresh(t), t.TempDir()
			first := instanceOf(t, onPostgres, where, state).begins()
			first.funded()
			first.end()
			backup := copied(t, onPostgres, where)
			second := instanceOf(t, onPostgres, where, state).begins()
			second.plays(2)
			if !kept {
				if err := os.RemoveAll(state); err != nil {
					t.Fatal(err)
				}
			}
			replaced(t, onPostgres, where, backup)
			second.refusesToPlay()
			if second.restoration.Closed() == nil {
				t.Fatal("the service is open")
			}
			second.reaches(func() error {
				_, err := second.restoration.Publish(t.Context())
				return err
			})
			second.reaches(func() error {
				state, err := second.store.State(t.Context())
				if err == nil && state.Restored == nil {
					t.Errorf("the other instances don't know: %+v", state)
				}
				return err
			})
			second.refusesToPlay()
		})
	}
}

// TestNothingElseClosesTheService lists events that resemble a restore and are none.
func TestNothingElseClosesTheService(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		for name, happens := range map[string]func(t *testing.T, i *instance, state string) *instance{
			"the state folder is deleted": func(t *testing.T, i *instance, state string) *instance {
				if err := os.RemoveAll(state); err != nil {
					t.Fatal(err)
				}
				i.compares(true)
				i.plays(1)
				return i
			},
			"the service starts without what was kept": func(t *testing.T, i *instance, _ string) *instance {
				i.end()
				return instanceOf(t, on, i.where, t.TempDir()).begins()
			},
			"what is kept is older than the database": func(t *testing.T, i *instance, state string) *instance {
				older := filepath.Join(t.TempDir(), "older")
				if err := os.CopyFS(older, os.DirFS(state)); err != nil {
					t.Fatal(err)
				}
				i.plays(3)
				i.end()
				return instanceOf(t, on, i.where, older).begins()
			},
			"what is kept was sealed by somebody else": func(t *testing.T, i *instance, state string) *instance {
				i.end()
				theirs, err := file.Open(state, fakes.Authenticator{Names: []string{"theirs"}})
				if err != nil {
					t.Fatal(err)
				}
				control, err := controlOf(i)
				if err != nil {
					t.Fatal(err)
				}
				head := witness.Head{Epoch: 1}
				head.Seq = 1 << 40
				if err := errors.Join(theirs.Keep(witness.Of(control, fakes.Start, head)), theirs.Close()); err != nil {
					t.Fatal(err)
				}
				return instanceOf(t, on, i.where, state).begins()
			},
			"a commit is in doubt, and was carried out": func(_ *testing.T, i *instance, _ string) *instance {
				i.faults.loseCommit(true, 2)
				i.plays(2)
				return i
			},
			"a commit is in doubt, and was not carried out": func(_ *testing.T, i *instance, _ string) *instance {
				i.faults.loseCommit(false, 2)
				i.plays(2)
				return i
			},
			"a batch is rolled back": func(t *testing.T, i *instance, _ string) *instance {
				i.faults.failOn("INSERT INTO lane_totals", on.contended(t), on.contended(t))
				i.plays(1)
				if _, errs := i.together(i.withdraw(alice, 1<<40)); errs[0] == nil {
					t.Error("a withdrawal of what isn't there")
				}
				return i
			},
			"the clock goes back a day": func(_ *testing.T, i *instance, _ string) *instance {
				i.clock.Advance(-24 * 60 * 60 * 1e9)
				i.plays(1)
				return i
			},
			"two writers race in one lane, with clocks two hours apart": func(t *testing.T, i *instance, state string) *instance {
				i.clock.Advance(time.Hour)
				other := instanceOf(t, on, i.where, state).begins()
				other.run += "other"
				other.clock.Advance(-time.Hour)
				for range 3 {
					// The rows of a sign-in are numbered by its block, too.
					if _, errs := i.together(i.login(alice)); errs[0] != nil {
						t.Error(errs[0])
					}
					i.plays(1)
					i.writer.Release() // the other one takes its lane
					if _, errs := other.together(other.login(bob)); errs[0] != nil {
						t.Error(errs[0])
					}
					other.plays(1)
					other.writer.Release()
				}
				i.plays(1)
				other.compares(true)
				return i
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				state := t.TempDir()
				i := instanceOf(t, on, on.fresh(t), state).begins()
				i.funded()
				i.plays(2)
				i = happens(t, i, state)
				i.compares(true)
				i.plays(1)
				i.compares(true)
				where := i.where
				i.end()
				instanceOf(t, on, where, state).begins().compares(true)
			})
		}
	})
}

func controlOf(i *instance) (ledger string, err error) {
	db, err := i.on.beside(i.where)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return ledger, db.QueryRow("SELECT ledger FROM control").Scan(&ledger)
}

// TestWhatIsKeptOfAnotherLedgerStopsTheStart starts with a state folder of another database.
func TestWhatIsKeptOfAnotherLedgerStopsTheStart(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	first := instanceOf(t, onSQLite, onSQLite.fresh(t), state).begins()
	first.funded()
	first.end()
	err := instanceOf(t, onSQLite, onSQLite.fresh(t), state).restoration.Start(t.Context())
	if !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "ledger") {
		t.Errorf("another ledger: %v", err)
	}
}

// TestComparingUnderLoadFindsNothing compares all the time while batches are committed: heads
// recorded after the database was read must not count as missing.
func TestComparingUnderLoadFindsNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		i := instanceOf(t, on, on.fresh(t), t.TempDir()).begins()
		i.start(i.writer)
		players := []wallet.Address{alice, bob, carol}
		for _, who := range players {
			i.commit(i.login(who))
			i.commit(i.credit(who, "funds of "+string(who), money.SOL, 100_000))
		}
		var playing sync.WaitGroup
		for _, who := range players {
			playing.Go(func() {
				for range 60 {
					if _, err := i.writer.Commit(context.WithoutCancel(t.Context()), i.play(who, 1)); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		played := make(chan struct{})
		go func() { playing.Wait(); close(played) }()
		for compared := 0; ; compared++ {
			i.compares(true)
			select {
			case <-played:
				if compared < 3 {
					t.Errorf("compared only %d times", compared)
				}
				return
			default:
			}
			if t.Failed() {
				return
			}
		}
	})
}
