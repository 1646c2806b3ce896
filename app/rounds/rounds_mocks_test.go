package rounds_test

import (
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// An opening that can't be read draws no seed, reads no figure and commits nothing.
func TestMalformedOpeningsCallNoPort(t *testing.T) {
	t.Parallel()
	control := gomock.NewController(t)
	h, _ := apptest.OpenWithLadder(t).Mocked(func(d *app.Deps) {
		d.Entropy, d.Store.Figures = mocks.NewMockEntropy(control), mocks.NewMockFigures(control)
	})
	for name, r := range map[string]play.PlayRequest{
		"an unknown game":           {GameType: "none", Wager: 100, Token: apptest.SOL},
		"a game that has no steps":  apptest.Flip(100),
		"no wager":                  apptest.Climb(0),
		"no token":                  {GameType: "ladder", Wager: 100, Token: "?"},
		"an option of another game": apptest.Climb(100, game.Member{Name: "side", Value: game.Text("heads")}),
	} {
		if _, err := h.Rounds.OpenRound(h.Ctx, apptest.Caller("alice"), r); err == nil {
			t.Errorf("an opening with %s was taken", name)
		}
	}
}

// stepMocks returns an open round of alice's, and a casino with a mock of open rounds.
func stepMocks(t *testing.T) (h *apptest.House, m *apptest.Mocks, found *mocks.MockOpenRounds, step rounds.StepRequest) {
	t.Helper()
	h = apptest.OpenWithLadder(t)
	open := h.OpenRound(h.NewPlayer("alice", 10_000), apptest.Climb(100))
	found = mocks.NewMockOpenRounds(gomock.NewController(t))
	mocked, m := h.Mocked(func(d *app.Deps) { d.Store.OpenRounds = found })
	action := game.Object(game.Member{Name: "type", Value: game.Text("climb")})
	return mocked, m, found, rounds.StepRequest{RoundID: open.ID, Step: int64(open.Step()), Action: action, Fingerprint: action.String()}
}

// Steps that are not allowed are refused before anything is committed; a step out of range
// is refused before the round is read.
func TestRefusedStepsCommitNothing(t *testing.T) {
	t.Parallel()
	h, _, found, step := stepMocks(t)
	found.EXPECT().OpenRound(gomock.Any(), gomock.Any()).DoAndReturn(h.Store.OpenRound).Times(2)
	for name, c := range map[string]struct {
		who    string
		change func(*rounds.StepRequest)
		kind   fault.Kind
	}{
		"before the first":       {"alice", func(r *rounds.StepRequest) { r.Step = -1 }, fault.Invalid},
		"after the last":         {"alice", func(r *rounds.StepRequest) { r.Step = game.StepsMax }, fault.Invalid},
		"another player's round": {"bob", func(*rounds.StepRequest) {}, fault.NotFound},
		"no round":               {"alice", func(r *rounds.StepRequest) { r.RoundID = "none" }, fault.NotFound},
	} {
		r := step
		c.change(&r)
		if _, err := h.Rounds.Step(h.Ctx, apptest.Caller(c.who), r); !fault.Is(err, c.kind) {
			t.Errorf("%s: %v, want kind %d", name, err, c.kind)
		}
	}
}

// The round is read before its step is committed. A step without an answer is committed
// once; a repeat gets the first answer.
func TestStepsReadTheirRoundAndCommitOnce(t *testing.T) {
	t.Parallel()
	h, m, found, step := stepMocks(t)
	read := func() *gomock.Call {
		return found.EXPECT().OpenRound(gomock.Any(), step.RoundID).DoAndReturn(h.Store.OpenRound)
	}
	gomock.InOrder(read(), m.LoseCommit(), read(), m.Commit())
	if _, err := h.Rounds.Step(h.Ctx, apptest.Caller("alice"), step); !errors.Is(err, apptest.ErrUnknown) {
		t.Fatal(err)
	}
	apptest.Equal(t, "replayed", apptest.OK(h.Rounds.Step(h.Ctx, apptest.Caller("alice"), step))(t).Replayed, true)
}

// Refusals by the state of the service or the player store nothing, and are tried once.
func TestRoundsThatMayNotBePlayedStoreNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(h *apptest.House, alice *app.Caller)
		kind   fault.Kind
	}{
		"restored": {func(h *apptest.House, _ *app.Caller) {
			h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
		}, fault.Maintenance},
		"frozen": {func(h *apptest.House, _ *app.Caller) {
			h.NewAdmin("olga", "ops")
			h.FreezePlayer("alice", true)
		}, fault.PlayerFrozen},
		"signed out": {func(h *apptest.House, alice *app.Caller) {
			alice.Unconfirmed = &ports.Session{Wallet: alice.Wallet, IssuedAt: h.Clock.Now()}
			h.Clock.Advance(time.Second)
			if err := h.Accounts.SignOut(h.Ctx, *alice); err != nil {
				h.T.Fatal(err)
			}
		}, fault.InvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := apptest.OpenWithLadder(t)
			alice := h.NewPlayer("alice", 10_000)
			c.before(h, &alice)
			mocked, m := h.Mocked()
			m.Commit().Times(1)
			h.CheckUnchanged(func() {
				apptest.Refused(t, apptest.ErrorOf(mocked.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(100))), c.kind)
			})
		})
	}
}

// An admin without a role can't end or read a round.
func TestRoundsAreEndedWithARoleOnly(t *testing.T) {
	t.Parallel()
	h, _, _, step := stepMocks(t)
	for _, who := range []app.Caller{apptest.Caller("alice"), h.NewAdmin("rob", "readonly")} {
		apptest.Refused(t, apptest.ErrorOf(h.Rounds.EndRound(h.Ctx, who, step.RoundID, "hangs")), fault.AdminForbidden)
	}
}
