package recovery_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/mocks"
)

// mockedChain is the mocked chain of a recovery.
type mockedChain struct {
	*mocks.MockTreasuryHistory
	*mocks.MockChainHeights
}

func (c mockedChain) heights(lastValid, finalized uint64) *gomock.Call {
	return c.MockChainHeights.EXPECT().Heights(gomock.Any()).Return(ports.Heights{LastValid: lastValid, Finalized: finalized}, nil)
}

func (c mockedChain) signed(err error) *gomock.Call {
	return c.MockTreasuryHistory.EXPECT().Signed(gomock.Any(), gomock.Any(), gomock.Any()).Return(ports.TreasuryPage{}, err)
}

// recoveryMocks returns a recovery of a restored database, over mocks of the chain and of
// the witness.
func recoveryMocks(t *testing.T) (*apprecovery.Recovery, *house, mockedChain, *mocks.MockWitness) {
	t.Helper()
	h, controller := open(t), gomock.NewController(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ours"}); err != nil {
		t.Fatal(err)
	}
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
	chain, kept := mockedChain{mocks.NewMockTreasuryHistory(controller), mocks.NewMockChainHeights(controller)}, mocks.NewMockWitness(controller)
	return apprecovery.NewRecovery(apprecovery.RecoveryOptions{
		Store: h.Store, Chain: chain, Seals: fakes.Authenticator{}, Rotated: fakes.Authenticator{}, Policy: h.Policy, Clock: h.Clock, Entropy: h.Entropy,
		Restoration: apprecovery.NewRestoration(apprecovery.RestorationOptions{
			Instance: "a", Memory: kept, Witnesses: []apprecovery.NamedWitness{{Name: "kept", Witness: kept}}, Controls: h.Store, Blocks: h.Store,
			Checkpoints: h.Store, Origins: h.Store, Clock: h.Clock, Entropy: h.Entropy,
		}),
		DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	}), h, chain, kept
}

// reads lets the recovery read the witness any number of times.
func reads(kept *mocks.MockWitness, err error) *gomock.Call {
	return kept.EXPECT().Kept(gomock.Any()).DoAndReturn(func(context.Context) (ports.Kept, error) { return ports.Kept{}, err })
}

func closed(h *house) bool { return apptest.OK(h.Store.State(h.Ctx))(h.T).Restored != nil }

// An epoch begins before the chain is read. The treasury's history is read once earlier
// signatures are final or expired. The service opens after that.
func TestARecoveryOpensTheServiceLast(t *testing.T) {
	t.Parallel()
	recovery, h, chain, kept := recoveryMocks(t)
	reads(kept, nil).AnyTimes()
	before := apptest.OK(h.Store.State(h.Ctx))(t).Epoch
	for _, step := range []struct {
		stage  apprecovery.RecoveryStage
		expect func()
		worked bool
	}{
		{apprecovery.Beginning, func() {}, true},
		{apprecovery.Waiting, func() { chain.heights(100, 50) }, false},
		{apprecovery.Waiting, func() { chain.heights(150, 100) }, false}, // the first answer counts
		{apprecovery.Waiting, func() { chain.heights(150, 101) }, true},
		{apprecovery.Indexing, func() { chain.signed(nil) }, true},
		{apprecovery.Settling, func() {}, true},
		{apprecovery.Restricting, func() {}, true},
	} {
		apptest.Equal(t, "stage", recovery.Stage(), step.stage)
		if !closed(h) {
			t.Fatalf("%s: the service is open", step.stage)
		}
		step.expect()
		apptest.Equal(t, "worked at "+step.stage.String(), apptest.OK(recovery.Step(h.Ctx))(t), step.worked)
		if epoch := apptest.OK(h.Store.State(h.Ctx))(t).Epoch; epoch != before+1 {
			t.Fatalf("%s: epoch %d after %d", step.stage, epoch, before)
		}
	}
	if closed(h) {
		t.Error("the service is closed after the recovery")
	}
}

// While a witness can't be read, no epoch begins and the chain isn't read.
func TestARecoveryWaitsForEveryWitness(t *testing.T) {
	t.Parallel()
	recovery, h, _, kept := recoveryMocks(t)
	reads(kept, apptest.ErrUnknown).AnyTimes()
	before := apptest.OK(h.Store.State(h.Ctx))(t)
	if worked, err := recovery.Step(h.Ctx); worked || !fault.Is(err, fault.Unavailable) {
		t.Errorf("began without a witness: %v, %v", worked, err)
	}
	apptest.Equal(t, "epoch", apptest.OK(h.Store.State(h.Ctx))(t).Epoch, before.Epoch)
	apptest.Equal(t, "closed", closed(h), true)
}

// A chain without an answer keeps the service closed, and the step is repeated.
func TestAChainWithoutAnAnswerKeepsTheServiceClosed(t *testing.T) {
	t.Parallel()
	recovery, h, chain, kept := recoveryMocks(t)
	reads(kept, nil).AnyTimes()
	apptest.OK(recovery.Step(h.Ctx))(t)
	chain.MockChainHeights.EXPECT().Heights(gomock.Any()).Return(ports.Heights{}, apptest.ErrUnknown)
	if _, err := recovery.Step(h.Ctx); !errors.Is(err, apptest.ErrUnknown) || recovery.Stage() != apprecovery.Waiting {
		t.Fatal(recovery.Stage(), err)
	}
	gomock.InOrder(chain.heights(1, 1), chain.heights(2, 2))
	apptest.Equal(t, "finalized", apptest.OK(recovery.Step(h.Ctx))(t), false)
	apptest.Equal(t, "finalized", apptest.OK(recovery.Step(h.Ctx))(t), true)
	chain.signed(apptest.ErrUnknown)
	if _, err := recovery.Step(h.Ctx); !errors.Is(err, apptest.ErrUnknown) || recovery.Stage() != apprecovery.Indexing {
		t.Fatal(recovery.Stage(), err)
	}
	apptest.Equal(t, "closed", closed(h), true)
}

// A plan reads the witness and the treasury's history, and changes nothing.
func TestAPlanChangesNothing(t *testing.T) {
	t.Parallel()
	recovery, h, chain, kept := recoveryMocks(t)
	reads(kept, nil).AnyTimes()
	chain.signed(nil).Times(1)
	before := apptest.OK(h.Store.State(h.Ctx))(t)
	h.CheckUnchanged(func() { apptest.OK(recovery.Plan(h.Ctx))(t) })
	apptest.Equal(t, "epoch", apptest.OK(h.Store.State(h.Ctx))(t).Epoch, before.Epoch)
	apptest.Equal(t, "closed", closed(h), true)
}

// Restrictions are kept outside the database once they are committed, but not while the
// outcome is unknown.
func TestRestrictionsAreKeptAfterTheCommit(t *testing.T) {
	t.Parallel()
	_, h, _, _ := recoveryMocks(t)
	h.ChangeControls(func(s *control.State) { s.Restored = nil })
	h.NewPlayer("alice", 1_000)
	h.NewPlayer("bob", 1_000)
	olga, place := h.NewAdmin("olga", "ops"), mocks.NewMockRestrictions(gomock.NewController(t))
	mocked, m := h.Mocked(func(d *app.Deps) {
		d.Restrictions = []apprecovery.NamedRestrictions{{Name: "kept", Restrictions: place}}
	})
	gomock.InOrder(m.Commit(), place.EXPECT().Keep(gomock.Any(), "ours", gomock.Len(1)).Return(nil), m.LoseCommit())
	mocked.FreezePlayer("alice", true)
	if _, err := mocked.Accounts.SetFrozen(h.Ctx, olga, apptest.Address("bob"), "odd bets", true); !errors.Is(err, apptest.ErrUnknown) {
		t.Error(err)
	}
}
