package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/hashchain"
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
func (i *instance) recovers(choose ...func(*apprecovery.RecoveryOptions)) {
	i.Helper()
	options := apprecovery.RecoveryOptions{
		Store: written{i.store, i.writer}, Restoration: i.restoration, Chain: &emptyChain{}, Seals: fakes.Authenticator{}, Rotated: fakes.Authenticator{},
		Clock: i.clock, Entropy: i.entropy, DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	}
	for _, change := range choose {
		change(&options)
	}
	recovery := apprecovery.NewRecovery(options)
	for range 20 {
		if recovery.Stage() == apprecovery.Recovered {
			return
		}
		if _, err := recovery.Step(i.Context()); err != nil {
			i.Fatal(err)
		}
	}
	i.Fatal("the recovery comes to no end")
}

// returns signs alice in again, by a message that is signed after the recovery.
func (i *instance) returns() {
	i.Helper()
	i.clock.Advance(3 * time.Minute)
	item := i.login(alice)
	item.Needs.Pair = true
	if _, errs := i.together(item); errs[0] != nil {
		i.Fatal(errs)
	}
}

// TestEachRecoveryBeginsAnEpochOfItsOwn: whether the clocks of those before were right or
// not, and above the epochs that were lost with what they wrote.
func TestEachRecoveryBeginsAnEpochOfItsOwn(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		last := map[int]int64{} // the newest number of each lane that was ever used
		plays := func(rounds int) {
			i := instanceOf(t, on, where, state).begins()
			i.compares(true)
			i.plays(rounds)
			for _, h := range i.newestBlocks() {
				last[h.Lane] = h.Seq
			}
			i.end()
		}
		recovers := func(epoch int64, ahead time.Duration) {
			i := instanceOf(t, on, where, state).begins()
			i.compares(false)
			i.clock.Advance(ahead)
			i.recovers()
			now, err := i.store.State(t.Context())
			if err != nil || now.Epoch != epoch {
				t.Errorf("epoch %d follows, not %d: %v", now.Epoch, epoch, err)
			}
			for _, h := range i.newestBlocks() {
				if h.Seq <= last[h.Lane] {
					t.Errorf("%v is begun after number %d", h, last[h.Lane])
				}
			}
			i.compares(true)
			i.returns()
			i.end()
		}
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		first.end()
		oldest := copied(t, on, where)
		plays(2)
		replaced(t, on, where, oldest)
		recovers(2, time.Hour) // a clock that is ahead
		second := copied(t, on, where)
		plays(2)
		replaced(t, on, where, second)
		recovers(3, 0)
		plays(2)
		replaced(t, on, where, oldest)
		recovers(4, 0)
		plays(2)
	})
}

// TestWhoeverPutADatabaseBackMaySaySo where nothing that is kept says it: the next epoch
// leaves out whatever the lost time may have used.
func TestWhoeverPutADatabaseBackMaySaySo(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where := on.fresh(t)
		first := instanceOf(t, on, where, t.TempDir()).begins()
		first.funded()
		first.plays(2)
		newest := map[int]int64{}
		for _, h := range first.newestBlocks() {
			newest[h.Lane] = h.Seq
		}
		first.end()
		second := instanceOf(t, on, where, t.TempDir()).begins() // all that was kept is lost
		second.compares(true)
		published := hashchain.Head{Lane: 1, Seq: 9_000_000_000, Hash: hashchain.Hash{1}}
		second.recovers(func(o *apprecovery.RecoveryOptions) { o.PutBack, o.Heads = true, []hashchain.Head{published} })
		for _, h := range second.newestBlocks() {
			if least := newest[h.Lane] + 4_000_000_000; newest[h.Lane] > 0 && h.Seq <= least || h.Lane == published.Lane && h.Seq <= published.Seq {
				t.Errorf("%v may have been used", h)
			}
		}
		if state, err := second.store.State(t.Context()); err != nil || state.Epoch != 2 || state.Restored != nil {
			t.Errorf("%+v, %v", state, err)
		}
		second.compares(true)
		second.returns()
		second.plays(1)
	})
}
