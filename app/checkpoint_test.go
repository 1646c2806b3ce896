package app_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// countedHeads counts how often the heads are read, and fails when it is to.
type countedHeads struct {
	ports.Checkpoints
	reads int
	fails error
}

func (c *countedHeads) Heads(ctx context.Context) ([]hashchain.Head, error) {
	c.reads++
	if c.fails != nil {
		return nil, c.fails
	}
	return c.Checkpoints.Heads(ctx)
}

func stating(t *testing.T) (*house, *countedHeads) {
	t.Helper()
	var counted countedHeads
	h := bare(t, func(d *app.Deps) {
		counted.Checkpoints = d.Store.Checkpoints
		d.Store.Checkpoints, d.Statements = &counted, fakes.StatementSigner{Names: []string{"new", "old"}}
	})
	if err := h.store.Initialize(h.ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	return h, &counted
}

func TestACheckpointStatesTheHeadsUnderASignature(t *testing.T) {
	t.Parallel()
	h, _ := stating(t)
	ok(h.Treasury.BookCapital(h.ctx, money.SOL, 5, "genesis"))(t)
	h.chain.fake.Advance(5000)
	h = h.remade(func(d *app.Deps) { d.ChainHead = h.chain.fake })
	made := ok(h.Audit.Checkpoint(h.ctx))(t)
	if made.Signed == nil || made.Signed.Slot != nil || len(made.Keys) != 2 {
		t.Fatalf("before the first look at the chain: %+v", made)
	}
	ok(h.Health().Step(h.ctx))(t)
	h.clock.Advance(time.Second)
	made = ok(h.Audit.Checkpoint(h.ctx))(t)
	stated, err := made.Signed.Open(checkpoint.Public, made.Keys...)
	if err != nil || !reflect.DeepEqual(stated, made.Signed.Statement) {
		t.Fatalf("%v: %+v", err, stated)
	}
	state := ok(h.store.State(h.ctx))(t)
	slot, _, err := h.chain.fake.Head(h.ctx)
	if err != nil || stated.Slot == nil || *stated.Slot != slot {
		t.Errorf("slot %v, want %d: %v", stated.Slot, slot, err)
	}
	equal(t, "ledger", stated.Ledger, state.Ledger)
	equal(t, "epoch", stated.Epoch, state.Epoch)
	equal(t, "time", stated.At, h.clock.Now().UTC().Truncate(time.Millisecond))
	equal(t, "key", made.Signed.Key, "new")
	heads := ok(h.store.Heads(h.ctx))(t)
	if len(heads) == 0 || !reflect.DeepEqual(stated.Heads, heads) || !reflect.DeepEqual(made.Heads, heads) {
		t.Errorf("heads %v and %v, want %v", made.Heads, stated.Heads, heads)
	}
}

// TestACheckpointIsReadOnceASecond is what makes it cheap to ask for.
func TestACheckpointIsReadOnceASecond(t *testing.T) {
	t.Parallel()
	h, counted := stating(t)
	first := ok(h.Audit.Checkpoint(h.ctx))(t)
	ok(h.Treasury.BookCapital(h.ctx, money.SOL, 5, "genesis"))(t)
	h.clock.Advance(time.Second - time.Microsecond)
	if again := ok(h.Audit.Checkpoint(h.ctx))(t); again.Signed != first.Signed || counted.reads != 1 {
		t.Errorf("%d reads within a second", counted.reads)
	}
	h.clock.Advance(time.Microsecond)
	if later := ok(h.Audit.Checkpoint(h.ctx))(t); len(later.Heads) != 1 || counted.reads != 2 {
		t.Errorf("%d reads: %+v", counted.reads, later)
	}
	h.clock.Set(h.clock.Now().Add(-time.Hour)) // nobody knows how old it is
	ok(h.Audit.Checkpoint(h.ctx))(t)
	equal(t, "reads after the clock was set back", counted.reads, 3)
	h.clock.Advance(time.Hour)
	counted.fails = errors.New("gone")
	for range 2 {
		if _, err := h.Audit.Checkpoint(h.ctx); !errors.Is(err, counted.fails) {
			t.Errorf("the heads can't be read: %v", err)
		}
	}
	counted.fails = nil
	ok(h.Audit.Checkpoint(h.ctx))(t)
}

func TestACheckpointIsUnsignedWithoutAKey(t *testing.T) {
	t.Parallel()
	if made := ok(bare(t).Audit.Checkpoint(t.Context()))(t); made.Signed != nil || made.Keys != nil {
		t.Errorf("without a key: %+v", made)
	}
}
