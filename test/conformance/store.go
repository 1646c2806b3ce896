package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/ports"
)

// Ports is every port that keeps things.
type Ports interface {
	ports.Writer
	ports.Players
	ports.Seeds
	ports.Rounds
	ports.Transactions
	ports.Withdrawals
	ports.PayoutDesk
	ports.Deposits
	ports.Launches
	ports.SeamlessTransactions
	ports.DepositWatch
	ports.Roles
	ports.Approvals
	ports.Figures
	ports.Reports
	ports.AuditLog
	ports.Brandings
	ports.Agents
	ports.Catalog
	ports.Checkpoints
	ports.Archive
	ports.Registry
}

// Store is an adapter under test: empty, and of this test alone.
type Store struct {
	Ports
	Traits
	// Reopen closes the store and opens what it kept anew. A Durable store has it.
	Reopen func(t *testing.T) Store
	// Stop stops the writer; nil when it can't be stopped.
	Stop func()
	// LoseCommit makes the next COMMIT's answer get lost, after it was carried out
	// or before; nil when there is no connection to lose.
	LoseCommit func(carriedOut bool)
	// AtRest returns all that the store wrote where others may look; nil when it
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
}

// story is one subtest: a sentence and what proves it.
type story struct {
	sentence string
	tell     func(b *bench)
}

// run tells each story on a store of its own.
func run(t *testing.T, newStore func(t *testing.T) Store, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.sentence, func(t *testing.T) {
			t.Parallel()
			s.tell(newBench(t, newStore(t)))
		})
	}
}

// background is the context of everything that no story cancels.
var background = context.Background()
