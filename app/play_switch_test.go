package app_test

import (
	"testing"

	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func pause(game, agent string) play.PlayPauseRequest {
	return play.PlayPauseRequest{GameType: game, AgentCode: agent, Reason: "odd wins"}
}

func TestPlayIsPausedAndResumed(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, ada, ops := h.player("alice", 50_000), h.admin("ada", "finance"), h.admin("olga", "ops")
	h.unchanged(func() {
		refused(t, no(h.Play.PausePlay(h.ctx, ada, pause("", ""))), fault.AdminForbidden)
		refused(t, no(h.Play.ResumePlay(h.ctx, ada, pause("", ""))), fault.AdminForbidden)
		refused(t, no(h.Play.PlayPauses(h.ctx, alice)), fault.AdminForbidden)
		refused(t, no(h.Play.PausePlay(h.ctx, ops, play.PlayPauseRequest{})), fault.Invalid, "field", "reason")
		refused(t, no(h.Play.PausePlay(h.ctx, ops, pause("chess", ""))), fault.InvalidGame, "field", "gameType")
		refused(t, no(h.Play.PausePlay(h.ctx, ops, pause("", "nobody"))), fault.InvalidAgent, "field", "agentCode")
		equal(t, "paused", len(ok(h.Play.ResumePlay(h.ctx, ops, pause("dice", "")))(t)), 0)
	})
	paused := ok(h.Play.PausePlay(h.ctx, ops, pause("dice", "")))(t)
	again := pause("dice", "")
	again.Reason = "another reason"
	root := h.admin("root", "superadmin")
	equal(t, "paused by the first", ok(h.Play.PausePlay(h.ctx, root, again))(t)[0], paused[0])
	h.unchanged(func() { refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.Maintenance, "reason", "paused") })
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	w := h.withdraw(alice, 1_000)
	ok(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID))(t)
	equal(t, "both", len(ok(h.Play.PausePlay(h.ctx, ops, pause("", "")))(t)), 2)
	h.unchanged(func() { refused(t, no(h.Play.Play(h.ctx, alice, flip(100))), fault.Maintenance, "reason", "paused") })
	equal(t, "left", len(ok(h.Play.ResumePlay(h.ctx, ops, pause("", "")))(t)), 1)
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.Maintenance)
	equal(t, "none left", len(ok(h.Play.ResumePlay(h.ctx, ops, pause("dice", "")))(t)), 0)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	for action, want := range map[audit.Action][]string{
		audit.PlayPaused: {"play running paused: odd wins", "dice running paused: odd wins"}, audit.PlayResumed: {
			"dice paused: odd wins running: odd wins", "play paused: odd wins running: odd wins",
		},
	} {
		page := ok(h.Admin.AuditRecords(h.ctx, root, ports.AuditFilter{Action: action}, ports.Page{Number: 1, Limit: 5}))(t)
		equal(t, string(action), len(page.Records), len(want))
		for i, r := range page.Records {
			equal(t, string(action), r.Target+" "+r.Before+" "+r.After, want[i])
			equal(t, "by", r.By, ops.Wallet)
		}
	}
	h.audited()
}

// TestAPauseOfAnAgentIsOfItsPlayers: others play on, and an operator sees what concerns
// its players alone.
func TestAPauseOfAnAgentIsOfItsPlayers(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.acme()
	alice, ops := h.player("alice", 50_000), h.admin("olga", "ops")
	ok(h.Play.PausePlay(h.ctx, ops, pause("", "acme")))(t)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	ok(h.Play.PausePlay(h.ctx, ops, pause("dice", "house")))(t)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.Maintenance, "reason", "paused")
	ok(h.Play.Play(h.ctx, alice, flip(100)))(t)
	both := ok(h.Play.PlayPauses(h.ctx, ops))(t)
	equal(t, "pauses", len(both), 2)
	if err := h.roleCommands().Grant(h.ctx, fakes.Wallet("oscar"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	operator := caller("oscar")
	seen := ok(h.Play.PlayPauses(h.ctx, operator))(t)
	equal(t, "seen", len(seen), 1)
	equal(t, "seen", seen[0], control.PlayPause{AgentCode: "acme", By: ops.Wallet, Reason: "odd wins", At: both[0].At})
}
