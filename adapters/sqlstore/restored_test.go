package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// instance is a process of the service on a database: its store and writer, and what
// looks whether the database went back.
type instance struct {
	*world
	restoration *app.Restoration
	heads       *file.Witness
	faults      *faults
	closed      bool
}

// instanceOf starts a process on a database, with the heads of a state folder.
func instanceOf(t *testing.T, on engine, where, state string) *instance {
	t.Helper()
	i := &instance{world: &world{TB: t, on: on, where: where, clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(1)}, faults: &faults{}}
	i.run = fmt.Sprintf("%s%d-", state[max(0, len(state)-3):], started.Add(1))
	store, err := on.open(t.Context(), where, newSealer(t), i.faults.through)
	if err != nil {
		t.Fatal(err)
	}
	i.store = store
	t.Cleanup(i.end)
	id := ports.Identity{Mode: ports.ModeDev, Genesis: "genesis", Ledger: i.id()}
	if err := store.Initialize(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if i.heads, err = file.Open(state, fakes.Authenticator{}); err != nil {
		t.Fatal(err)
	}
	i.restoration = app.NewRestoration(app.RestorationOptions{
		Instance: i.run, Memory: memory.New(), Witnesses: []app.NamedWitness{{Name: "file", Witness: i.heads}},
		Controls: store, Blocks: store, Checkpoints: store, Origins: store, Clock: i.clock, Entropy: i.entropyOfRun(),
	})
	store.ReportHeads(i.restoration.Sealed)
	i.writer = i.must(store.Writer(sqlstore.WriterOptions{ID: i.id(), Sealed: i.restoration.Sealed, Outside: i.restoration}))
	return i
}

// started counts processes, so that each draws ids of its own.
var started atomic.Int64

// entropyOfRun draws ids that no other process draws.
func (i *instance) entropyOfRun() ports.Entropy { return runEntropy{i.entropy, i.run} }

type runEntropy struct {
	ports.Entropy
	run string
}

func (e runEntropy) ID() string { return e.run + e.Entropy.ID() }

// begins starts the process as the service does: it compares before anything else.
func (i *instance) begins() *instance {
	i.Helper()
	if err := i.restoration.Start(i.Context()); err != nil {
		i.Fatal(err)
	}
	return i
}

// end ends the process.
func (i *instance) end() {
	if i.closed {
		return
	}
	i.closed = true
	if i.writer != nil {
		i.writer.Release()
	}
	if err := errors.Join(i.store.Close(), i.heads.Close()); err != nil {
		i.Error(err)
	}
}

// plays commits so many rounds of alice, each in a batch.
func (i *instance) plays(rounds int) {
	i.Helper()
	for range rounds {
		if _, errs := i.together(i.play(alice, 10)); errs[0] != nil {
			i.Fatal(errs)
		}
	}
}

// funded signs alice in with 1,000 lamports.
func (i *instance) funded() {
	i.Helper()
	if _, errs := i.together(i.login(alice)); errs[0] != nil {
		i.Fatal(errs)
	}
	if _, errs := i.together(i.credit(alice, i.run, money.SOL, 1000)); errs[0] != nil {
		i.Fatal(errs)
	}
}

// refusesToPlay fails unless a bet is refused because the database was restored.
func (i *instance) refusesToPlay() {
	i.Helper()
	before := i.number("SELECT count(*) FROM rounds")
	_, errs := i.together(i.play(alice, 10))
	var refusal *fault.Error
	if !errors.As(errs[0], &refusal) || refusal.Kind != fault.Maintenance || refusal.Details["reason"] != "restored" {
		i.Errorf("a bet on a restored database: %v", errs[0])
	}
	if after := i.number("SELECT count(*) FROM rounds"); after != before {
		i.Errorf("%d rounds became %d", before, after)
	}
}

// reaches asks until the database answers: each connection that was open when it was
// replaced fails once.
func (i *instance) reaches(ask func() error) {
	i.Helper()
	var err error
	for range 100 {
		if err = ask(); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	if err != nil {
		i.Fatal(err)
	}
}

// compares takes a step and fails unless the service is open, or closed, after it.
func (i *instance) compares(open bool) {
	i.Helper()
	if _, err := i.restoration.Step(context.WithoutCancel(i.Context())); err != nil {
		i.Fatal(err)
	}
	if closed := i.restoration.Closed(); (closed == nil) != open {
		i.Errorf("restored: %+v", closed)
	}
}

// copied copies a database that nobody has open, and says where the copy is.
func copied(t *testing.T, on engine, where string) string {
	t.Helper()
	if !on.numbered {
		content, err := os.ReadFile(where)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "copy.db")
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return to
	}
	name := fmt.Sprintf("copy_%d_%d", os.Getpid(), started.Add(1))
	execOnServer(t, where, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", name, databaseOf(t, where)))
	t.Cleanup(func() { execOnServer(t, where, fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", name)) })
	return withDatabase(t, where, name)
}

// replaced puts a copy in the place of a database, ending every connection to it.
func replaced(t *testing.T, on engine, where, copy string) {
	t.Helper()
	if !on.numbered {
		content, err := os.ReadFile(copy)
		if err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"-wal", "-shm"} {
			if err := os.Remove(where + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(where, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	name := databaseOf(t, where)
	execOnServer(t, where, fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name))
	execOnServer(t, where, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", name, databaseOf(t, copy)))
}

func databaseOf(t *testing.T, where string) string {
	t.Helper()
	u, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(u.Path, "/")
}

func withDatabase(t *testing.T, where, name string) string {
	t.Helper()
	u, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func execOnServer(t *testing.T, where, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", withDatabase(t, where, "postgres"))
	if err == nil {
		_, err = db.Exec(statement)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

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
		if found == nil || found.Reason != app.ReasonLacksBlock || found.From != witness.Name(lost[len(lost)-1]) ||
			found.To != witness.Name(old[len(old)-1]) {
			t.Fatalf("found %+v, lost %+v", found, lost)
		}
		third.refusesToPlay()
		if p, err := third.store.Player(t.Context(), alice); err != nil || p.Wallet != alice {
			t.Errorf("reads don't go on: %+v, %v", p, err)
		}
		if check := third.restoration.Check(); check.Status != app.Degraded || !strings.Contains(check.Detail, found.From) || !strings.Contains(check.Detail, found.To) {
			t.Errorf("health says %+v", check)
		}
		worked := false
		step := third.restoration.WhileOpen(func(context.Context) (bool, error) { worked = true; return true, nil })
		if _, err := step(t.Context()); err != nil || worked {
			t.Errorf("a worker goes on: %v, %v", worked, err)
		}
		third.end()

		// An instance that knows nothing of it closes by the control state.
		fourth := instanceOf(t, on, where, t.TempDir()).begins()
		if fourth.restoration.Closed() == nil {
			t.Error("an instance without evidence is open")
		}
		fourth.refusesToPlay()
		fourth.end()

		// Nothing but a recovery opens it: not another start, and not the word that nothing
		// was lost.
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

// TestADatabaseThatIsReplacedUnderTheServiceTakesNoBatch puts a copy back while the
// service runs: the first batch on the new connections is refused, before any step.
func TestADatabaseThatIsReplacedUnderTheServiceTakesNoBatch(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} { // without a file, the process's own memory says it
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

// TestNothingElseClosesTheService is a list of what looks like a restore and is none.
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
			"two writers race in one lane": func(t *testing.T, i *instance, state string) *instance {
				other := instanceOf(t, on, i.where, state).begins()
				other.run += "other"
				for range 3 {
					i.plays(1)
					i.writer.Release() // the other one takes its lane
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

// TestWhatIsKeptOfAnotherLedgerStopsTheStart connects a state folder with another
// database.
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

// TestComparingUnderLoadFindsNothing compares all the time while batches are committed:
// what is kept after it was read must not be looked for in what the database was before.
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
