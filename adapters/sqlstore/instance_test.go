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
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// instance is a process of the service on a database: its store and writer, and the check whether
// the database was set back.
type instance struct {
	*world
	restoration *recovery.Restoration
	heads       *file.Witness
	faults      *faults
	closed      bool
}

// instanceOf starts a process on a database, with the heads of a state folder.
func instanceOf(t *testing.T, on engine, where, state string) *instance {
	t.Helper()
	n := started.Add(1)
	i := &instance{world: &world{TB: t, on: on, where: where, clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(n)}, faults: &faults{}}
	i.run = fmt.Sprintf("%s%d-", state[max(0, len(state)-3):], n)
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
	i.restoration = recovery.NewRestoration(recovery.RestorationOptions{
		Instance: i.run, Memory: memory.New(), Witnesses: []recovery.NamedWitness{{Name: "file", Witness: i.heads}},
		Controls: store, Blocks: store, Checkpoints: store, Origins: store, Clock: i.clock, Entropy: i.entropy,
	})
	store.ReportHeads(i.restoration.Sealed)
	i.writer = i.must(store.Writer(sqlstore.WriterOptions{ID: i.id(), Sealed: i.restoration.Sealed, Outside: i.restoration}))
	return i
}

// started counts processes, so that each draws different ids.
var started atomic.Int64

// begins starts the process as the service does: it first compares heads.
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

// plays commits a number of rounds of alice, each in its own batch.
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

// reaches calls ask until the database answers: each connection that was open when the database
// was replaced fails once.
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

// copied copies a database that no process has open, and returns the copy's location.
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

// replaced replaces a database by a copy, and ends every connection to it.
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
