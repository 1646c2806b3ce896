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

// Ports is every port of a store, including those for recovery, archiving and audits.
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

// Suites returns the suites of every port of a store, by the port's name, except Writer, which
// must run with several batch sizes.
func Suites() map[string]Suite {
	return map[string]Suite{
		"Players": Players, "Seeds": Seeds, "Rounds": Rounds, "Transactions": Transactions, "Bookings": Bookings, "Withdrawals": Withdrawals,
		"PayoutQueue": PayoutQueue, "PayoutControls": PayoutControls, "Deposits": Deposits,
		"DepositCursors": DepositCursors, "ParkedDeposits": ParkedDeposits, "UnbookedDeposits": UnbookedDeposits, "Protection": Protection,
		"TreasuryIndex": TreasuryIndex, "TreasuryReview": TreasuryReview, "TreasurySweeps": TreasurySweeps,
		"Launches": Launches, "SeamlessTransactions": SeamlessTransactions, "Reconciliations": Reconciliations,
		"Routes": Deliveries, "OperatorFunds": AgentFunds,
		"Roles": Roles, "RoleLists": RoleLists, "Approvals": Approvals, "Agents": Agents, "Catalog": Catalog, "Brandings": Brandings,
		"Figures": Figures, "Reports": Reports, "PlayerDays": PlayerDays, "TransactionSums": TransactionSums, "AuditLog": AuditLog, "Checkpoints": Checkpoints, "Archive": Archive, "Inclusions": Inclusions,
		"HeadLog": HeadLog, "LogCheckpoints": LogCheckpoints, "Anchors": Anchors,
		"AuditRows": AuditRows, "LedgerPages": LedgerPages, "WalletProofs": WalletProofs, "SealedRows": SealedRows,
		"BlockHashes": BlockHashes, "Origins": Origins, "Controls": Controls, "Recovery": Recovery,
		"Registry": Registry, "StoreClock": StoreClock, "PlaySessions": PlaySessions, "Unclaimed": Unclaimed, "RevealedSeeds": RevealedSeeds,
		"OpenRounds": OpenRounds, "CrashBets": CrashBets, "Events": Events,
		"Webhooks": Webhooks, "WebhookQueue": WebhookQueue, "DeadLetters": DeadLetters, "Alarms": Alarms, "PublishedLimits": PublishedLimits,
		"CrashChains": CrashChains, "CrashRounds": CrashRounds, "CrashLease": CrashLease,
		"DebtReader": DebtReader, "Solvency": Solvency, "PastBalances": PastBalances,
	}
}

// Store is an empty adapter under test, for one test.
type Store struct {
	Ports
	Traits
	// Reopen closes the store and opens it again. Durable stores have it.
	Reopen func(t *testing.T) Store
	// Stop stops the writer; nil when it can't be stopped.
	Stop func()
	// LoseCommit loses the answer of the next COMMIT, after or before it was carried out; nil if
	// there is no connection to lose.
	LoseCommit func(carriedOut bool)
	// Follow makes the store use a clock; nil if it has no clock and uses the times of items.
	Follow func(clock ports.Clock)
	// AtRest returns the contents of the store's files; nil if it has none.
	AtRest func(t *testing.T) []byte
}

// Traits are the permitted differences between adapters.
type Traits struct {
	// Durable says that committed data outlives the process.
	Durable bool
	// TimeStep is the smallest step of stored times, 0 for a microsecond.
	TimeStep time.Duration
	// QueueMax is how many items wait at most, 0 if the writer has no limit.
	QueueMax int
	// TimedIDs requests UUIDv7 ids, for stores that rely on the time in ids.
	TimedIDs bool
}

// Fault is a kind of fault that a case can show; it decides where the case runs.
type Fault int

// The kinds of fault. The package comment says which store can have which.
const (
	// Logic is a fault of decisions, refusals and their consequences.
	Logic Fault = iota
	// Rows is a fault of storing, finding, sorting and counting.
	Rows
	// Races is a fault of concurrency, of items in one batch, or after a lost answer.
	Races
)

// Suite is the suite of a port. It runs the cases that show one of the faults, or all cases if
// none is named.
type Suite func(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault)

// story is one case: a sentence of the contract, the fault that it shows, and its proof.
type story struct {
	sentence string
	shows    Fault
	prove    func(b *bench)
}

// run runs each case that shows one of the faults, on a new store.
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

// sub runs a subtest in parallel. If an adapter panics, or returns a value that its story can't
// use (a nil, an empty list), only that subtest fails.
func sub(t *testing.T, sentence string, prove func(t *testing.T)) {
	t.Helper()
	t.Run(sentence, func(t *testing.T) {
		t.Parallel()
		defer failed(t)
		prove(t)
	})
}

// failed turns a panic into a failure of the test. Defer it.
func failed(t *testing.T) {
	broke := recover()
	errorIf(t, broke != nil, "panicked: %v\n%s", broke, debug.Stack())
}

// atOnce runs n calls concurrently and returns when all are done.
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
		panic(first) // in the subtest's goroutine, so that it fails
	default:
	}
}

// Commit implements ports.Writer. Stories call it on goroutines of their own, where a panic
// of the adapter's would end the whole run.
func (b *bench) Commit(ctx context.Context, item player.Item) (receipt player.Receipt, err error) {
	err = guarded(func() error {
		receipt, err = b.Store.Commit(ctx, item)
		return err
	})
	return receipt, err
}

// patience is how long a story waits for something that a correct adapter does at once.
var patience = 20 * time.Second

// await waits for a signal of a goroutine of the story.
func (b *bench) await(signal <-chan struct{}) {
	b.Helper()
	select {
	case <-signal:
	case <-time.After(patience):
		b.Fatalf("nothing was decided within %v", patience)
	}
}
