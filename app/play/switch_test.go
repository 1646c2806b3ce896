package play_test

import (
	"testing"

	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

func pause(game, agent string) play.PlayPauseRequest {
	return play.PlayPauseRequest{GameType: game, AgentCode: agent, Reason: "odd wins"}
}

func TestPlayIsPausedAndResumed(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, ada, ops := h.NewPlayer("alice", 50_000), h.NewAdmin("ada", "finance"), h.NewAdmin("olga", "ops")
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.PausePlay(h.Ctx, ada, pause("", ""))), fault.AdminForbidden)
		apptest.Refused(t, apptest.ErrorOf(h.Play.ResumePlay(h.Ctx, ada, pause("", ""))), fault.AdminForbidden)
		apptest.Refused(t, apptest.ErrorOf(h.Play.PlayPauses(h.Ctx, alice)), fault.AdminForbidden)
		apptest.Refused(t, apptest.ErrorOf(h.Play.PausePlay(h.Ctx, ops, play.PlayPauseRequest{})), fault.Invalid, "field", "reason")
		apptest.Refused(t, apptest.ErrorOf(h.Play.PausePlay(h.Ctx, ops, pause("chess", ""))), fault.InvalidGame, "field", "gameType")
		apptest.Refused(t, apptest.ErrorOf(h.Play.PausePlay(h.Ctx, ops, pause("", "nobody"))), fault.InvalidAgent, "field", "agentCode")
		apptest.Equal(t, "paused", len(apptest.OK(h.Play.ResumePlay(h.Ctx, ops, pause("dice", "")))(t)), 0)
	})
	paused := apptest.OK(h.Play.PausePlay(h.Ctx, ops, pause("dice", "")))(t)
	again := pause("dice", "")
	again.Reason = "another reason"
	root := h.NewAdmin("root", "superadmin")
	apptest.Equal(t, "paused by the first", apptest.OK(h.Play.PausePlay(h.Ctx, root, again))(t)[0], paused[0])
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Maintenance, "reason", "paused")
	})
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	w := h.RequestWithdrawal(alice, 1_000)
	apptest.OK(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID))(t)
	apptest.Equal(t, "both", len(apptest.OK(h.Play.PausePlay(h.Ctx, ops, pause("", "")))(t)), 2)
	h.CheckUnchanged(func() {
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Flip(100))), fault.Maintenance, "reason", "paused")
	})
	apptest.Equal(t, "left", len(apptest.OK(h.Play.ResumePlay(h.Ctx, ops, pause("", "")))(t)), 1)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Maintenance)
	apptest.Equal(t, "none left", len(apptest.OK(h.Play.ResumePlay(h.Ctx, ops, pause("dice", "")))(t)), 0)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	for action, want := range map[audit.Action][]string{
		audit.PlayPaused: {"play running paused: odd wins", "dice running paused: odd wins"}, audit.PlayResumed: {
			"dice paused: odd wins running: odd wins", "play paused: odd wins running: odd wins",
		},
	} {
		page := apptest.OK(h.Admin.AuditRecords(h.Ctx, root, ports.AuditFilter{Action: action}, ports.Page{Number: 1, Limit: 5}))(t)
		apptest.Equal(t, string(action), len(page.Records), len(want))
		for i, r := range page.Records {
			apptest.Equal(t, string(action), r.Target+" "+r.Before+" "+r.After, want[i])
			apptest.Equal(t, "by", r.By, ops.Wallet)
		}
	}
	h.CheckAudit()
}

// TestAPauseOfAnAgentIsOfItsPlayers: others can play, and an operator sees only pauses that
// concern its own players.
func TestAPauseOfAnAgentIsOfItsPlayers(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	h.CreateAcme()
	alice, ops := h.NewPlayer("alice", 50_000), h.NewAdmin("olga", "ops")
	apptest.OK(h.Play.PausePlay(h.Ctx, ops, pause("", "acme")))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	apptest.OK(h.Play.PausePlay(h.Ctx, ops, pause("dice", "house")))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Maintenance, "reason", "paused")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	both := apptest.OK(h.Play.PlayPauses(h.Ctx, ops))(t)
	apptest.Equal(t, "pauses", len(both), 2)
	if err := h.RoleCommands().Grant(h.Ctx, fakes.Wallet("oscar"), "operator", "acme"); err != nil {
		t.Fatal(err)
	}
	operator := apptest.Caller("oscar")
	seen := apptest.OK(h.Play.PlayPauses(h.Ctx, operator))(t)
	apptest.Equal(t, "seen", len(seen), 1)
	apptest.Equal(t, "seen", seen[0], control.PlayPause{AgentCode: "acme", By: ops.Wallet, Reason: "odd wins", At: both[0].At})
}
