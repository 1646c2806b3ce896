package audit_test

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
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// countedHeads counts reads of the heads, and can fail.
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

func openWithStatements(t *testing.T) (*house, *countedHeads) {
	t.Helper()
	var counted countedHeads
	h := bare(t, func(d *app.Deps) {
		counted.Checkpoints = d.Store.Checkpoints
		d.Store.Checkpoints, d.Statements = &counted, fakes.StatementSigner{Names: []string{"new", "old"}}
	})
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	return h, &counted
}

func TestACheckpointStatesTheHeadsUnderASignature(t *testing.T) {
	t.Parallel()
	h, _ := openWithStatements(t)
	apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 5, "genesis"))(t)
	h.Chain.Fake.Advance(5000)
	h = h.Remade(func(d *app.Deps) { d.ChainHead = h.Chain.Fake })
	made := apptest.OK(h.Audit.Checkpoint(h.Ctx))(t)
	if made.Signed == nil || made.Signed.Slot != nil || len(made.Keys) != 2 {
		t.Fatalf("before the first look at the chain: %+v", made)
	}
	apptest.OK(h.Health().Step(h.Ctx))(t)
	h.Clock.Advance(time.Second)
	made = apptest.OK(h.Audit.Checkpoint(h.Ctx))(t)
	stated, err := made.Signed.Open(checkpoint.Public, made.Keys...)
	if err != nil || !reflect.DeepEqual(stated, made.Signed.Statement) {
		t.Fatalf("%v: %+v", err, stated)
	}
	state := apptest.OK(h.Store.State(h.Ctx))(t)
	slot, _, err := h.Chain.Fake.Head(h.Ctx)
	if err != nil || stated.Slot == nil || *stated.Slot != slot {
		t.Errorf("slot %v, want %d: %v", stated.Slot, slot, err)
	}
	apptest.Equal(t, "ledger", stated.Ledger, state.Ledger)
	apptest.Equal(t, "epoch", stated.Epoch, state.Epoch)
	apptest.Equal(t, "time", stated.At, h.Clock.Now().UTC().Truncate(time.Millisecond))
	apptest.Equal(t, "key", made.Signed.Key, "new")
	heads := apptest.OK(h.Store.Heads(h.Ctx))(t)
	if len(heads) == 0 || !reflect.DeepEqual(stated.Heads, heads) || !reflect.DeepEqual(made.Heads, heads) {
		t.Errorf("heads %v and %v, want %v", made.Heads, stated.Heads, heads)
	}
}

// TestACheckpointIsReadOnceASecond: so requests for it are cheap.
func TestACheckpointIsReadOnceASecond(t *testing.T) {
	t.Parallel()
	h, counted := openWithStatements(t)
	first := apptest.OK(h.Audit.Checkpoint(h.Ctx))(t)
	apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 5, "genesis"))(t)
	h.Clock.Advance(time.Second - time.Microsecond)
	if again := apptest.OK(h.Audit.Checkpoint(h.Ctx))(t); again.Signed != first.Signed || counted.reads != 1 {
		t.Errorf("%d reads within a second", counted.reads)
	}
	h.Clock.Advance(time.Microsecond)
	if later := apptest.OK(h.Audit.Checkpoint(h.Ctx))(t); len(later.Heads) != 1 || counted.reads != 2 {
		t.Errorf("%d reads: %+v", counted.reads, later)
	}
	h.Clock.Set(h.Clock.Now().Add(-time.Hour)) // its age is then unknown
	apptest.OK(h.Audit.Checkpoint(h.Ctx))(t)
	apptest.Equal(t, "reads after the clock was set back", counted.reads, 3)
	h.Clock.Advance(time.Hour)
	counted.fails = errors.New("gone")
	for range 2 {
		if _, err := h.Audit.Checkpoint(h.Ctx); !errors.Is(err, counted.fails) {
			t.Errorf("the heads can't be read: %v", err)
		}
	}
	counted.fails = nil
	apptest.OK(h.Audit.Checkpoint(h.Ctx))(t)
}

func TestACheckpointIsUnsignedWithoutAKey(t *testing.T) {
	t.Parallel()
	if made := apptest.OK(bare(t).Audit.Checkpoint(t.Context()))(t); made.Signed != nil || made.Keys != nil {
		t.Errorf("without a key: %+v", made)
	}
}
