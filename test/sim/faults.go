package sim

import (
	"context"
	"math/rand/v2"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// faults decides, from the seed alone, which port calls go wrong and how.
type faults struct {
	random *rand.Rand
	// perThousand is how many calls of a thousand fail; 0 switches faults off.
	perThousand int
	injected    int
}

func (f *faults) strike() bool {
	if f.perThousand == 0 || f.random.IntN(1000) >= f.perThousand {
		return false
	}
	f.injected++
	return true
}

// store is a store whose writes fail before or after they took effect, as a
// database does whose connection is lost.
type store struct {
	app.Store
	faults *faults
}

func outcome(word string) error {
	return fault.New(fault.Unavailable, "the database is away").With("outcome", word)
}

// Commit fails with "none" before the item was taken up, or with "unknown" on
// either side of the commit.
func (s store) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if !s.faults.strike() {
		return s.Store.Commit(ctx, item)
	}
	switch s.faults.random.IntN(3) {
	case 0:
		return player.Receipt{}, outcome("none")
	case 1:
		return player.Receipt{}, outcome("unknown")
	}
	if _, err := s.Store.Commit(ctx, item); err != nil {
		return player.Receipt{}, err
	}
	return player.Receipt{}, outcome("unknown")
}

// node is a chain whose RPC answers get lost, before or after the request
// arrived, and whose network holds transactions back: those land later, when the
// sender may have given them up.
type node struct {
	app.Chain
	faults *faults
	held   *[]withdrawal.Attempt
}

// deliver lets what was held back arrive.
func (n node) deliver(ctx context.Context) {
	for _, attempt := range *n.held {
		_ = n.Chain.Send(ctx, attempt) // too late is as good as in time
	}
	*n.held = nil
}

var errNode = fault.New(fault.External, "the RPC node did not answer")

// Observe fails or answers.
func (n node) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if n.faults.strike() {
		return deposit.Observation{}, errNode
	}
	return n.Chain.Observe(ctx, signature)
}

// Sign fails or answers.
func (n node) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	if n.faults.strike() {
		return withdrawal.Attempt{}, errNode
	}
	return n.Chain.Sign(ctx, w, terms)
}

// Send loses the request, loses the answer, or holds the request back.
func (n node) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	if !n.faults.strike() {
		return n.Chain.Send(ctx, attempt)
	}
	switch n.faults.random.IntN(3) {
	case 0:
		_ = n.Chain.Send(ctx, attempt) // it arrived; only the answer is lost
	case 1:
		*n.held = append(*n.held, attempt)
	}
	return errNode
}

// Fate fails or answers.
func (n node) Fate(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	if n.faults.strike() {
		return withdrawal.Outcome{}, errNode
	}
	return n.Chain.Fate(ctx, attempt)
}
