package recovery_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestARecoveryMarksTheCrashRound restores a database with a round in each state. The next epoch
// begins only after it was marked, and its chain has no further round.
func TestARecoveryMarksTheCrashRound(t *testing.T) {
	t.Parallel()
	round := fakes.NewCrashBetween(1_50, 20_00, fakes.Start)
	through := []crash.Round{round.Betting, round.Stopped, round.Closed, round.Flying, round.Settled}
	wants := []struct {
		status    crash.Status
		recovered bool
	}{{crash.Cancelled, false}, {crash.Cancelled, false}, {crash.Closed, true}, {crash.Flying, true}, {crash.Crashed, false}}
	for i, want := range wants {
		recovery, h, _, kept := recoveryMocks(t)
		reads(kept, nil).AnyTimes()
		restored := apptest.OK(h.Store.State(h.Ctx))(t).Restored
		h.ChangeControls(func(s *control.State) { s.Restored = nil })
		apptest.OK(struct{}{}, h.Store.AddCrashChain(h.Ctx, round.Commitment, round.Secrets,
			audit.Record{ID: h.Entropy.ID(), Action: audit.CrashChained, Target: "c1", At: h.Clock.Now()}))(t)
		lease, _, err := h.Store.LeaseCrash(h.Ctx, "driver", 0, h.Clock.Now(), 2*time.Second)
		apptest.OK(lease, err)(t)
		change := func(r crash.Round) error {
			return h.Store.ChangeCrashRound(h.Ctx, lease.Fence, r.Chain, r.Number, func(int64, *crash.Round) (ports.CrashChange, error) {
				return ports.CrashChange{Round: r, At: h.Clock.Now()}, nil
			})
		}
		for _, r := range through[:i+1] {
			apptest.OK(struct{}{}, change(r))(t)
		}
		h.ChangeControls(func(s *control.State) { s.Restored = restored })
		if _, err := recovery.Step(h.Ctx); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: a recovery beside a driver: %v", through[i].Status, err)
		}
		h.Clock.Advance(3 * time.Second)
		apptest.OK(recovery.Step(h.Ctx))(t)
		state := apptest.OK(h.Store.State(h.Ctx))(t)
		got := apptest.OK(h.Store.CrashRound(h.Ctx, "c1", 1))(t)
		if got.Status != want.status || got.Recovered != want.recovered || got.Height != through[i].Height || got.Salt != through[i].Salt || state.Epoch != 2 {
			t.Errorf("%s: epoch %d, %+v", through[i].Status, state.Epoch, got)
		}
		if state.Crash.Betting || !state.Crash.Paying {
			t.Errorf("%s: the gate is %+v", through[i].Status, state.Crash)
		}
		if got.Status == crash.Cancelled && got.Hash != round.Hash.Reveal() {
			t.Errorf("%s: its hash isn't public", through[i].Status)
		}
		last := got
		last.Hash = round.Hash.Reveal()
		if _, err := crash.NextRound(round.Commitment, state.Epoch, &last, 100_00, h.Clock.Now()); !fault.Is(err, fault.InvalidState) {
			t.Errorf("%s: its chain goes on: %v", through[i].Status, err)
		}
		if change(through[min(i+1, len(through)-1)]) == nil && i+1 < len(through) {
			t.Errorf("%s: the driver of before goes on", through[i].Status)
		}
	}
}
