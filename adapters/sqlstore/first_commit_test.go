package sqlstore_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/conformance"
)

// freshLanesMax is how many lanes of a store begin with a commit of a test, leasedLanesMax
// where each takes a connection.
const freshLanesMax, leasedLanesMax = 12, 3

// besideOthers are kinds that only come with another one of the same item: a capital key
// with a deposit key, an unplayed pair with a retired one, an assignment's key with postings.
var besideOthers = map[string]bool{
	"key " + string(player.CapitalKey): true, "key " + string(player.AssignmentKey): true, "change Unplayed": true,
}

// freshLanes commits each item by another writer, so that it is the first of its lane.
// When max writers run, they take turns.
type freshLanes struct {
	store   *sqlstore.Store
	options sqlstore.WriterOptions
	kinds   *firstKinds
	max     int

	mu      sync.Mutex
	writers []*sqlstore.Writer
	started chan *sqlstore.Writer
	commits int
	stopped bool
}

// next returns the writer of the next commit, and whether its lane is empty.
func (f *freshLanes) next() (writer *sqlstore.Writer, empty bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commits++
	if len(f.writers) == f.max || f.stopped {
		return f.writers[f.commits%len(f.writers)], false, nil
	}
	o := f.options
	o.Lane = len(f.writers) + 1 // lane 0 is that of short transactions
	o.ID += "." + strconv.Itoa(o.Lane)
	if writer, err = f.store.Writer(o); err == nil {
		f.writers = append(f.writers, writer)
		f.started <- writer
	}
	return writer, true, err
}

func (f *freshLanes) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	writer, empty, err := f.next()
	if err != nil {
		return player.Receipt{}, err
	}
	receipt, err := writer.Commit(ctx, item)
	if empty && err == nil && !receipt.Replayed {
		f.kinds.note(item, receipt.Change)
	}
	return receipt, err
}

// Run runs each writer from its first commit on.
func (f *freshLanes) Run(ctx context.Context) error {
	var running sync.WaitGroup
	var mu sync.Mutex
	var all []error
	for {
		select {
		case writer := <-f.started:
			running.Go(func() {
				err := writer.Run(ctx)
				mu.Lock()
				defer mu.Unlock()
				all = append(all, err)
			})
		case <-ctx.Done():
			running.Wait()
			return errors.Join(all...)
		}
	}
}

func (f *freshLanes) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = true
	for _, w := range f.writers {
		w.Stop()
	}
}

// firstKinds are the kinds of commit that were the first of a lane: the parts of the
// change, and the kinds of the item's unique keys.
type firstKinds struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (k *firstKinds) note(item player.Item, change player.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range item.Keys {
		k.seen["key "+string(key.Kind)] = true
	}
	for field, value := range reflect.ValueOf(change).Fields() {
		if !value.IsZero() {
			k.seen["change "+field.Name] = true
		}
	}
}

// TestAnInstanceMayBeginWithALaunch begins two instances with commits that have no block:
// neither is restored, and a recovery has nothing to do. A head that no block can have, as
// an earlier version kept it, closes nothing either.
func TestAnInstanceMayBeginWithALaunch(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		impossible := witness.Record{Ledger: first.ledger(), Epoch: 1, Heads: map[int]witness.Head{2: {Head: hashchain.Head{Lane: 2}, Epoch: 1}}}
		if err := first.heads.Keep(impossible); err != nil {
			t.Fatal(err)
		}
		second := instanceOf(t, on, where, t.TempDir()).begins()
		for _, i := range []*instance{second, first} {
			if _, errs := i.together(i.launches(alice)); errs[0] != nil {
				t.Fatal(errs)
			}
			for _, other := range []*instance{first, second} {
				other.compares(true)
			}
			i.plays(1)
		}
		third := instanceOf(t, on, where, state).begins()
		third.compares(true)
		if err := third.restoration.Reopen(t.Context(), ""); !fault.Is(err, fault.InvalidState) || !strings.Contains(err.Error(), "nothing to recover from") {
			t.Errorf("recovery: %v", err)
		}
	})
}

// ledger is the id of the database's ledger.
func (i *instance) ledger() string {
	i.Helper()
	state, err := i.store.State(i.Context())
	if err != nil {
		i.Fatal(err)
	}
	return state.Ledger
}

// kindsOfCommit lists every kind that the domain has: the fields of player.Change, and the
// constants of type player.KeyKind.
func kindsOfCommit(t *testing.T) []string {
	t.Helper()
	var all []string
	for field := range reflect.TypeFor[player.Change]().Fields() {
		all = append(all, "change "+field.Name)
	}
	source, err := parser.ParseFile(token.NewFileSet(), "../../domain/player/item.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "KeyKind" {
			for _, value := range spec.Values {
				text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, "key "+text)
			}
		}
		return true
	})
	return all
}

// TestEveryCommitMayBeTheFirstOfItsLane runs suites with each commit in an empty lane. No
// head may be reported that isn't a block of the database, because the service would count
// as restored. On SQLite a kind of commit that no suite makes is named. PostgreSQL runs
// what goes without a block: there lanes are leased.
func TestEveryCommitMayBeTheFirstOfItsLane(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		kinds := &firstKinds{seen: map[string]bool{}}
		names, lanes := []string{"Launches"}, leasedLanesMax
		if on.locks == 0 {
			lanes = freshLanesMax
			names = []string{"PayoutQueue", "SeamlessTransactions", "Routes", "OperatorFunds", "OpenRounds", "Launches", "Approvals", "Seeds", "Transactions"}
		}
		t.Cleanup(func() {
			for _, kind := range kindsOfCommit(t) {
				if on.locks == 0 && !kinds.seen[kind] && !besideOthers[kind] {
					t.Errorf("%s: no commit of this kind was the first of a lane", kind)
				}
			}
		})
		fresh := func(t *testing.T) conformance.Store {
			t.Helper()
			s := openStore(t, on, on.fresh(t), sqlstore.WriterOptions{}, func(store *sqlstore.Store, o sqlstore.WriterOptions) (runner, error) {
				return &freshLanes{store: store, options: o, kinds: kinds, max: lanes, started: make(chan *sqlstore.Writer, lanes)}, nil
			}, 1)
			s.QueueMax = 0
			return s
		}
		suites := conformance.Suites()
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				suites[name](t, fresh, conformance.Logic, conformance.Rows)
			})
		}
	})
}
