package app_test

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
	"github.com/casino-service/casino/test/fakes"
)

// isFull reports whether the alarm about refused openings is open.
func (h *house) isFull() bool {
	h.t.Helper()
	open := true
	return len(h.kept(ports.AlarmFilter{Open: &open, Kind: alarm.OpenRoundsFull})) > 0
}

// filled opens rounds of 1,000 until one is refused, and returns what they staked and the
// first of them.
func (h *house) filled() (staked money.Amount, first bet.Open) {
	h.t.Helper()
	for i := range 100 {
		who := h.player(fmt.Sprint("attacker ", i), 4_000)
		for range bet.OpenMax {
			result, err := h.Rounds.OpenRound(h.ctx, who, climb(1_000))
			switch {
			case bet.RefusedForRoom(err):
				return staked, first
			case err != nil:
				h.t.Fatal(err)
			}
			if staked += 1_000; first.ID == "" {
				first = *result.Open
			}
		}
	}
	h.t.Fatal("the room is never filled")
	return 0, first
}

func TestSmallRoundsLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 100_000)
	for i := range 24 {
		who := h.player(fmt.Sprint("attacker ", i), 1_000)
		for range bet.OpenMax {
			h.opened(who, climb(100))
		}
	}
	h.opened(alice, climb(20_000))
	if h.isFull() {
		t.Error("the room is said to be full")
	}
}

func TestRoundsThatHoldScarceRoomEndWithinAnHour(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	if staked, _ := h.filled(); staked*100 < capital/5 {
		t.Errorf("a room of %d is filled by wagers of %d", capital/5, staked)
	}
	equal(t, "the alarm is raised", h.isFull(), true)
	alice := h.player("alice", 10_000)
	_, err := h.Rounds.OpenRound(h.ctx, alice, climb(1_000))
	if !bet.RefusedForRoom(err) {
		t.Fatal(err)
	}
	h.clock.Advance(rounds.AbandonScarce - time.Minute)
	h.abandoned()
	if _, err := h.Rounds.OpenRound(h.ctx, alice, climb(1_000)); !bet.RefusedForRoom(err) {
		t.Errorf("before the deadline: %v", err)
	}
	h.clock.Advance(time.Minute)
	h.abandoned()
	h.opened(alice, climb(1_000))
	equal(t, "the alarm is open while it may come back", h.isFull(), true)
	h.clock.Advance(alarm.Quiet)
	h.abandoned()
	equal(t, "the alarm is over", h.isFull(), false)
	h.clock.Advance(rounds.AbandonScarce)
	h.abandoned()
	equal(t, "rounds left open where there is room", len(ok(h.Play.OpenRounds(h.ctx, alice))(t)), 1)
	h.audited()
	h.solvent()
}

// TestStepsHoldScarceRoomForABoundedTime steps in a round again and again.
func TestStepsHoldScarceRoomForABoundedTime(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 10_000)
	open := h.opened(alice, climb(1_000, doubling))
	h.clock.Advance(rounds.AbandonScarceOpen - 30*time.Minute)
	alice = h.enter("alice")
	h.stepped(alice, open, fakes.Double)
	h.filled()
	h.abandoned()
	equal(t, "rounds open that were stepped in", len(ok(h.Play.OpenRounds(h.ctx, alice))(t)), 1)
	h.clock.Advance(31 * time.Minute)
	h.abandoned()
	equal(t, "rounds open for too long", len(ok(h.Play.OpenRounds(h.ctx, alice))(t)), 0)
}

func TestAnAdminEndsAnOpenRound(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice, ops := h.player("alice", 10_000), h.admin("olga", "ops")
	open := h.opened(alice, climb(1_000, game.Member{Name: "rungs", Value: game.Int(3)}))
	h.acme()
	outsider := h.founder("otto", "operator", "acme")
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
		if _, err := h.Rounds.EndRound(h.ctx, c.who, c.id, c.reason); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended := ok(h.Rounds.EndRound(h.ctx, ops, open.ID, "it holds scarce room"))(t)
	equal(t, "payout", ended.Payout, 1_000)
	equal(t, "balance", h.balance("alice"), 10_000)
	records := h.records()
	last := records[len(records)-1]
	equal(t, "record", last.Action, audit.RoundAbandoned)
	equal(t, "its admin", last.By, ops.Wallet)
	equal(t, "its target", last.Target, open.ID)
	equal(t, "what it says", last.After, "pays 1000 "+sol+": it holds scarce room")
	if _, err := h.Rounds.EndRound(h.ctx, ops, open.ID, "again"); !fault.Is(err, fault.InvalidState) {
		t.Errorf("again: %v", err)
	}
	h.audited()
	h.solvent()
}

// TestABoundRoleEndsItsAgentsRoundsAlone has a policy in which operators may write.
func TestABoundRoleEndsItsAgentsRoundsAlone(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	acme := h.acme()
	bob, alice := h.of(acme.Code, "bob", 10_000), h.player("alice", 10_000)
	theirs, ours := h.opened(bob, climb(1_000)), h.opened(alice, climb(1_000))
	otto := h.founder("otto", "ops", acme.Code)
	if _, err := h.Rounds.EndRound(h.ctx, otto, ours.ID, "not theirs"); !fault.Is(err, fault.NotFound) {
		t.Errorf("another agent's: %v", err)
	}
	ok(h.Rounds.EndRound(h.ctx, otto, theirs.ID, "theirs"))(t)
	ok(h.Rounds.EndRound(h.ctx, h.admin("olga", "ops"), ours.ID, "ours"))(t)
	if _, err := h.Rounds.EndRound(h.ctx, otto, ours.ID, "not theirs"); !fault.Is(err, fault.NotFound) {
		t.Errorf("another agent's that ended: %v", err)
	}
}
