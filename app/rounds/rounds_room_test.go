package rounds_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// isFull reports whether the alarm about refused openings is open.
func (h *house) isFull() bool {
	h.T.Helper()
	open := true
	return len(h.StoredAlarms(ports.AlarmFilter{Open: &open, Kind: alarm.OpenRoundsFull})) > 0
}

// fillExposure opens rounds of 1,000 until one is refused, and returns their stakes and the
// first of them.
func (h *house) fillExposure() (staked money.Amount, first bet.Open) {
	h.T.Helper()
	for i := range 100 {
		who := h.NewPlayer(fmt.Sprint("attacker ", i), 4_000)
		for range bet.OpenMax {
			result, err := h.Rounds.OpenRound(h.Ctx, who, apptest.Climb(1_000))
			switch {
			case bet.RefusedForRoom(err):
				return staked, first
			case err != nil:
				h.T.Fatal(err)
			}
			if staked += 1_000; first.ID == "" {
				first = *result.Open
			}
		}
	}
	h.T.Fatal("the room is never filled")
	return 0, first
}

// TestAnOpeningNamesThePairThatItExpects: with another pair or nonce nothing is opened.
func TestAnOpeningNamesThePairThatItExpects(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 100_000)
	seed := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	for _, row := range []struct {
		commitment string
		nonce      int64
		field      string
	}{
		{seed.Next.Commitment, 0, "expectedServerSeedHash"}, {seed.Commitment, 1, "expectedNonce"}, {seed.Commitment, 0, ""}, {seed.Commitment, 0, "expectedNonce"},
	} {
		r := apptest.Climb(1_000)
		r.Expected = bet.Expected{Commitment: row.commitment, Nonce: &row.nonce}
		if row.field == "" {
			opened := apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, r))(t)
			apptest.Equal(t, "nonce", opened.Open.Nonce, 0)
			continue
		}
		h.CheckUnchanged(func() {
			apptest.Refused(t, apptest.ErrorOf(h.Rounds.OpenRound(h.Ctx, alice, r)), fault.InvalidState, "field", row.field)
		})
	}
}

// TestAnOpeningIsRefusedAndNeverBoundedLower fills the room but for a part of it.
func TestAnOpeningIsRefusedAndNeverBoundedLower(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 10_000)
	before := h.OpenRound(alice, apptest.Climb(1_000))
	h.fillExposure()
	h.StepRound(alice, before, fakes.CashOut)
	after := h.OpenRound(alice, apptest.Climb(1_000))
	apptest.Equal(t, "bound", after.MaxMultiplier, before.MaxMultiplier)
	apptest.Equal(t, "config", after.Config.String(), before.Config.String())
	apptest.Equal(t, "asked", after.Asked.Get("rungs").NumberText(), "16")
	apptest.Equal(t, "maxPayout", after.MaxPayout, 1_000_000)
	_, err := h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(1_000))
	apptest.Equal(t, "refused for room", bet.RefusedForRoom(err), true)
}

func TestSmallRoundsLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 100_000)
	for i := range 24 {
		who := h.NewPlayer(fmt.Sprint("attacker ", i), 1_000)
		for range bet.OpenMax {
			h.OpenRound(who, apptest.Climb(100))
		}
	}
	h.OpenRound(alice, apptest.Climb(20_000))
	if h.isFull() {
		t.Error("the room is said to be full")
	}
}

func TestRoundsThatHoldScarceRoomEndWithinAnHour(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	if staked, _ := h.fillExposure(); staked*100 < apptest.Capital/5 {
		t.Errorf("a room of %d is filled by wagers of %d", apptest.Capital/5, staked)
	}
	apptest.Equal(t, "the alarm is raised", h.isFull(), true)
	alice := h.NewPlayer("alice", 10_000)
	_, err := h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(1_000))
	if !bet.RefusedForRoom(err) {
		t.Fatal(err)
	}
	h.Clock.Advance(rounds.AbandonScarce - time.Minute)
	h.EndAbandonedRounds()
	if _, err := h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(1_000)); !bet.RefusedForRoom(err) {
		t.Errorf("before the deadline: %v", err)
	}
	h.Clock.Advance(time.Minute)
	h.EndAbandonedRounds()
	h.OpenRound(alice, apptest.Climb(1_000))
	apptest.Equal(t, "the alarm is open while it may come back", h.isFull(), true)
	h.Clock.Advance(alarm.Quiet)
	h.EndAbandonedRounds()
	apptest.Equal(t, "the alarm is over", h.isFull(), false)
	h.Clock.Advance(rounds.AbandonScarce)
	h.EndAbandonedRounds()
	apptest.Equal(t, "rounds left open where there is room", len(apptest.OK(h.Play.OpenRounds(h.Ctx, alice))(t)), 1)
	h.CheckAudit()
	h.CheckSolvent()
}

// TestStepsHoldScarceRoomForABoundedTime repeats steps in a round.
func TestStepsHoldScarceRoomForABoundedTime(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 10_000)
	open := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling))
	h.Clock.Advance(rounds.AbandonScarceOpen - 30*time.Minute)
	alice = h.SignIn("alice")
	h.StepRound(alice, open, fakes.Double)
	h.fillExposure()
	h.EndAbandonedRounds()
	apptest.Equal(t, "rounds open that were stepped in", len(apptest.OK(h.Play.OpenRounds(h.Ctx, alice))(t)), 1)
	h.Clock.Advance(31 * time.Minute)
	h.EndAbandonedRounds()
	apptest.Equal(t, "rounds open for too long", len(apptest.OK(h.Play.OpenRounds(h.Ctx, alice))(t)), 0)
}

func TestAnAdminEndsAnOpenRound(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice, ops := h.NewPlayer("alice", 10_000), h.NewAdmin("olga", "ops")
	open := h.OpenRound(alice, apptest.Climb(1_000, game.Member{Name: "rungs", Value: game.Int(3)}))
	h.CreateAcme()
	outsider := h.Founder("otto", "operator", "acme")
	for name, c := range map[string]struct {
		who    app.Caller
		id     string
		reason string
		want   fault.Kind
	}{
		"a player":       {alice, open.ID, "mine", fault.AdminForbidden},
		"an operator":    {outsider, open.ID, "not mine", fault.AdminForbidden},
		"without reason": {ops, open.ID, "", fault.Invalid},
		"no such round":  {ops, "none", "gone", fault.NotFound},
	} {
		if _, err := h.Rounds.EndRound(h.Ctx, c.who, c.id, c.reason); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended := apptest.OK(h.Rounds.EndRound(h.Ctx, ops, open.ID, "it holds scarce room"))(t)
	apptest.Equal(t, "payout", ended.Payout, 1_000)
	apptest.Equal(t, "balance", h.Balance("alice"), 10_000)
	records := h.AuditRecords()
	last := records[len(records)-1]
	apptest.Equal(t, "record", last.Action, audit.RoundAbandoned)
	apptest.Equal(t, "its admin", last.By, ops.Wallet)
	apptest.Equal(t, "its target", last.Target, open.ID)
	apptest.Equal(t, "what it says", last.After, "pays 1000 "+apptest.SOL+": it holds scarce room")
	if _, err := h.Rounds.EndRound(h.Ctx, ops, open.ID, "again"); !fault.Is(err, fault.InvalidState) {
		t.Errorf("again: %v", err)
	}
	h.CheckAudit()
	h.CheckSolvent()
}

// TestABoundRoleEndsItsAgentsRoundsAlone uses a policy in which operators may write.
func TestABoundRoleEndsItsAgentsRoundsAlone(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	acme := h.CreateAcme()
	bob, alice := h.NewPlayerOf(acme.Code, "bob", 10_000), h.NewPlayer("alice", 10_000)
	theirs, ours := h.OpenRound(bob, apptest.Climb(1_000)), h.OpenRound(alice, apptest.Climb(1_000))
	otto := h.Founder("otto", "ops", acme.Code)
	if _, err := h.Rounds.EndRound(h.Ctx, otto, ours.ID, "not theirs"); !fault.Is(err, fault.NotFound) {
		t.Errorf("another agent's: %v", err)
	}
	apptest.OK(h.Rounds.EndRound(h.Ctx, otto, theirs.ID, "theirs"))(t)
	apptest.OK(h.Rounds.EndRound(h.Ctx, h.NewAdmin("olga", "ops"), ours.ID, "ours"))(t)
	if _, err := h.Rounds.EndRound(h.Ctx, otto, ours.ID, "not theirs"); !fault.Is(err, fault.NotFound) {
		t.Errorf("another agent's that ended: %v", err)
	}
}
