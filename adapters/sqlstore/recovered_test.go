package sqlstore_test

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// written is a store with its writer.
type written struct {
	*sqlstore.Store
	ports.Writer
}

// emptyChain is a chain on which the treasury signed nothing.
type emptyChain struct{ finalized uint64 }

func (*emptyChain) Signed(context.Context, treasury.Position, int) (ports.TreasuryPage, error) {
	return ports.TreasuryPage{}, nil
}

func (c *emptyChain) Heights(context.Context) (ports.Heights, error) {
	c.finalized++
	return ports.Heights{LastValid: 2, Finalized: c.finalized}, nil
}

// recovers opens a database that went back, as the command does.
func (i *instance) recovers() {
	i.Helper()
	recovery := app.NewRecovery(app.RecoveryOptions{
		Store: written{i.store, i.writer}, Restoration: i.restoration, Chain: &emptyChain{}, Seals: fakes.Authenticator{},
		Clock: i.clock, Entropy: i.entropyOfRun(), DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	})
	for range 20 {
		if recovery.Stage() == app.Recovered {
			return
		}
		if _, err := recovery.Step(i.Context()); err != nil {
			i.Fatal(err)
		}
	}
	i.Fatal("the recovery comes to no end")
}
