package conformance

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// Ports is every port of a store, those included that recovery, archiving and audits need.
type Ports interface {
	app.Ports
	ports.Recovery
	ports.Archive
	ports.BlockHashes
	ports.Origins
	ports.AuditRows
	ports.LedgerPages
	ports.SealedRows
	ports.Registry
}

// Suites are the suites of every port of a store, by the port's name. Writer's is not
// among them, because it is to be run with several batch sizes.
func Suites() map[string]Suite {
	return map[string]Suite{
		"Players": Players, "Seeds": Seeds, "Rounds": Rounds, "Transactions": Transactions, "Withdrawals": Withdrawals,
		"PayoutQueue": PayoutQueue, "PayoutControls": PayoutControls, "Deposits": Deposits,
		"DepositCursors": DepositCursors, "ParkedDeposits": ParkedDeposits, "UnbookedDeposits": UnbookedDeposits, "Protection": Protection,
		"TreasuryIndex": TreasuryIndex, "TreasuryReview": TreasuryReview, "TreasurySweeps": TreasurySweeps,
		"Launches": Launches, "SeamlessTransactions": SeamlessTransactions, "Reconciliations": Reconciliations,
		"Routes": Deliveries, "OperatorFunds": AgentFunds,
		"Roles": Roles, "RoleLists": RoleLists, "Approvals": Approvals, "Agents": Agents, "Catalog": Catalog, "Brandings": Brandings,
		"Figures": Figures, "Reports": Reports, "AuditLog": AuditLog, "Checkpoints": Checkpoints, "Archive": Archive, "Inclusions": Inclusions,
		"AuditRows": AuditRows, "LedgerPages": LedgerPages, "WalletProofs": WalletProofs, "SealedRows": SealedRows,
		"BlockHashes": BlockHashes, "Origins": Origins, "Controls": Controls, "Recovery": Recovery,
		"Registry": Registry, "StoreClock": StoreClock, "PlaySessions": PlaySessions, "Unclaimed": Unclaimed, "RevealedSeeds": RevealedSeeds,
		"OpenRounds": OpenRounds, "Events": Events,
		"Webhooks": Webhooks, "WebhookQueue": WebhookQueue, "DeadLetters": DeadLetters, "Alarms": Alarms,
		"Solvency": Solvency, "PastBalances": PastBalances,
	}
}

// Store is an adapter under test: empty, and of this test alone.
type Store struct {
	Ports
	Traits
	// Reopen closes the store and opens it again. Durable stores have it.
	Reopen func(t *testing.T) Store
	// Stop stops the writer; nil when it can't be stopped.
	Stop func()
	// LoseCommit loses the answer of the next COMMIT, after it was carried out
	// or before; nil when there is no connection to lose.
	LoseCommit func(carriedOut bool)
	// Follow makes the store take a clock for its own; nil where it has none and counts
	// by the moments of items.
	Follow func(clock ports.Clock)
	// AtRest returns all that the store wrote where others may read it; nil when it
	// writes nothing.
	AtRest func(t *testing.T) []byte
}

// Traits are the differences that adapters may have.
type Traits struct {
	// Durable says that what was committed outlives the process.
	Durable bool
	// TimeStep is the smallest step of time that is kept, 0 for a microsecond.
	TimeStep time.Duration
	// QueueMax is how many items wait at most, 0 for no bound of the writer's own.
	QueueMax int
	// TimedIDs requests ids that are UUIDs of version 7, for stores that rely on the time in ids.
	TimedIDs bool
}

// Fault is a kind of fault that a case can show, which says where it has to run.
type Fault int

// The kinds of fault. The package comment says which store can have which.
const (
	// Logic is a fault of what is decided and refused, and of what follows from it.
	Logic Fault = iota
	// Rows is a fault of what is stored, found, sorted and counted.
	Rows
	// Races is a fault of what happens at the same time, in one batch, or when an answer is lost.
	Races
)

// Suite is the suite of a port. It runs the cases that show one of the faults, and all of
// them when none is named.
type Suite func(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault)

// story is one case: a sentence of the contract, the fault that it shows, and its proof.
type story struct {
	sentence string
	shows    Fault
	prove    func(b *bench)
}

// run runs each case that shows one of the faults on a store of its own.
func run(t *testing.T, newStore func(t *testing.T) Store, shows []Fault, tables ...[]story) {
	t.Helper()
	for _, s := range slices.Concat(tables...) {
		if len(shows) > 0 && !slices.Contains(shows, s.shows) {
			continue
		}
		sub(t, s.sentence, func(t *testing.T) {
			s.prove(newBench(t, newStore(t)))
		})
	}
}

// background is the context of everything that no story cancels.
var background = context.Background()

// StoreClock is the suite of ports.StoreClock.
func StoreClock(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, storeClockCases)
}

var storeClockCases = []story{
	{"the present is that of the store's own clock", Rows, func(b *bench) {
		if b.Follow == nil {
			b.same("a store without a clock", must(b.StoreTime(background))(b), time.Time{})
			return
		}
		now := b.clock.Now().UTC().Truncate(time.Microsecond)
		for _, off := range []time.Duration{0, time.Microsecond, -3 * time.Hour, 48 * time.Hour} {
			b.Follow(standing{now.Add(off)})
			got := must(b.StoreTime(background))(b)
			b.errorIf(!got.Equal(now.Add(off)), "%s from now: %s, want %s", off, got, now.Add(off))
		}
	}},
}

// sub runs a subtest beside others. An adapter that panics, or returns something that its story can't
// work with (a nil, an empty list), fails that subtest: every other one still runs.
func sub(t *testing.T, sentence string, prove func(t *testing.T)) {
	t.Helper()
	t.Run(sentence, func(t *testing.T) {
		t.Parallel()
		defer failed(t)
		prove(t)
	})
}

// failed makes a panic a failure of the test. It is to be deferred.
func failed(t *testing.T) {
	broke := recover()
	errorIf(t, broke != nil, "panicked: %v\n%s", broke, debug.Stack())
}

// atOnce runs n pieces of work at the same time and returns when all are done.
func atOnce(n int, work func(i int)) {
	var all sync.WaitGroup
	broke := make(chan any, n)
	for i := range n {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					broke <- r
				}
			}()
			work(i)
		})
	}
	all.Wait()
	select {
	case first := <-broke:
		panic(first) // in the goroutine of the subtest, which fails by it
	default:
	}
}

// Commit serves ports.Writer. Stories call it on goroutines of their own, where a panic
// of the adapter's would end the whole run.
func (b *bench) Commit(ctx context.Context, item player.Item) (receipt player.Receipt, err error) {
	err = guarded(func() error {
		receipt, err = b.Store.Commit(ctx, item)
		return err
	})
	return receipt, err
}

// patience is how long a story waits for something that a sound adapter does at once.
var patience = 20 * time.Second

// await waits for what a goroutine of the story signals.
func (b *bench) await(signal <-chan struct{}) {
	b.Helper()
	select {
	case <-signal:
	case <-time.After(patience):
		b.Fatalf("nothing was decided within %v", patience)
	}
}
