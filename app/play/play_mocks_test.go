package play_test

import (
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// A request that can't be read draws no seed, reads no figure and commits nothing.
func TestMalformedBetsCallNoPort(t *testing.T) {
	t.Parallel()
	control := gomock.NewController(t)
	h, _ := apptest.Open(t).Mocked(func(d *app.Deps) {
		d.Entropy, d.Store.Figures = mocks.NewMockEntropy(control), mocks.NewMockFigures(control)
	})
	alice := apptest.Caller("alice")
	for name, r := range map[string]play.PlayRequest{
		"an unknown game":   {GameType: "none", Wager: 100, Token: apptest.SOL},
		"no wager":          apptest.Flip(0),
		"a negative wager":  apptest.Flip(-100),
		"no token":          {GameType: "coinflip", Wager: 100, Token: "?"},
		"an unknown option": {GameType: "coinflip", Wager: 100, Token: apptest.SOL, Config: game.Object(game.Member{Name: "edge", Value: game.Bool(true)})},
		"a wrong value":     {GameType: "coinflip", Wager: 100, Token: apptest.SOL, Config: game.Object(game.Member{Name: "side", Value: game.Bool(true)})},
	} {
		if _, err := h.Play.Play(h.Ctx, alice, r); err == nil {
			t.Errorf("a bet with %s was taken", name)
		}
	}
}

// A refused decision commits and draws nothing.
func TestRefusedBetsAreNotDrawn(t *testing.T) {
	t.Parallel()
	bet := play.PlayRequest{GameType: "broken", Wager: 100, Token: apptest.SOL}
	for name, c := range map[string]struct {
		before func(h *apptest.House, alice *app.Caller)
		change func(*play.PlayRequest)
		kind   fault.Kind
	}{
		"play is paused": {before: func(h *apptest.House, _ *app.Caller) {
			apptest.OK(h.Play.PausePlay(h.Ctx, h.NewAdmin("olga", "ops"), play.PlayPauseRequest{Reason: "too many wins"}))(h.T)
		}, kind: fault.Maintenance},
		"the player is frozen": {before: func(h *apptest.House, _ *app.Caller) {
			h.NewAdmin("olga", "ops")
			h.FreezePlayer("alice", true)
		}, kind: fault.PlayerFrozen},
		"the player is excluded": {before: func(h *apptest.House, alice *app.Caller) {
			apptest.OK(h.Accounts.Exclude(h.Ctx, *alice, time.Time{}, true))(h.T)
		}, kind: fault.PlayerExcluded},
		"the database is restored": {before: func(h *apptest.House, _ *app.Caller) {
			h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
		}, kind: fault.Maintenance},
		"the session ended": {before: func(h *apptest.House, alice *app.Caller) {
			alice.Unconfirmed = &ports.Session{Wallet: alice.Wallet, IssuedAt: h.Clock.Now()}
			h.Clock.Advance(time.Second)
			if err := h.Accounts.SignOut(h.Ctx, *alice); err != nil {
				h.T.Fatal(err)
			}
		}, kind: fault.InvalidToken},
		"the token is closing":       {change: func(r *play.PlayRequest) { r.Token = string(apptest.ClosingTerms.Mint) }, kind: fault.TokenNotAccepted},
		"the wager is too large":     {change: func(r *play.PlayRequest) { r.Wager = int64(apptest.SOLTerms.MaxWager) + 1 }, kind: fault.WagerOutOfRange},
		"the balance is too little":  {change: func(r *play.PlayRequest) { r.Wager = 10_001 }, kind: fault.InsufficientFunds},
		"the key was used elsewhere": {before: func(*apptest.House, *app.Caller) {}, change: func(r *play.PlayRequest) { r.Idempotency = app.Idempotency{Key: "key", Fingerprint: "another"} }, kind: fault.IdempotencyConflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := apptest.Open(t, apptest.WithBroken(t, func(game.Draws) game.Result {
				t.Error("a refused bet was drawn")
				return game.Result{}
			}))
			alice, r := h.NewPlayer("alice", 10_000), bet
			if c.kind == fault.IdempotencyConflict {
				apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(100), "key", "first")))(t)
			}
			if c.before != nil {
				c.before(h, &alice)
			}
			if c.change != nil {
				c.change(&r)
			}
			mocked, m := h.Mocked()
			m.Commit().Times(1)
			h.CheckUnchanged(func() {
				apptest.Refused(t, apptest.ErrorOf(mocked.Play.Play(h.Ctx, alice, r)), c.kind)
			})
		})
	}
}

// The bankroll is read before the commit, and once in a second.
func TestBetsReadTheBankrollFirst(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice, figures := h.NewPlayer("alice", 10_000), mocks.NewMockFigures(gomock.NewController(t))
	mocked, m := h.Mocked(func(d *app.Deps) { d.Store.Figures = figures })
	gomock.InOrder(figures.EXPECT().Bankroll(gomock.Any(), apptest.SOLTerms.Mint).DoAndReturn(h.Store.Bankroll), m.Commit(), m.Commit())
	for range 2 {
		apptest.OK(mocked.Play.Play(h.Ctx, alice, apptest.Flip(100)))(t)
	}
}

// A bet or a rotation with a commit that gets no answer isn't committed again: a repeat
// under its key gets the first answer.
func TestUnknownOutcomesAreCommittedOnce(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	alice := h.NewPlayer("alice", 10_000)
	for name, call := range map[string]func(*apptest.House) (replayed bool, err error){
		"a bet": func(h *apptest.House) (bool, error) {
			result, err := h.Play.Play(h.Ctx, alice, apptest.Keyed(apptest.Flip(100), "bet", "print"))
			return result.Replayed, err
		},
		"a rotation": func(h *apptest.House) (bool, error) {
			result, err := h.Play.Rotate(h.Ctx, alice, play.RotateRequest{Idempotency: app.Idempotency{Key: "rotation", Fingerprint: "print"}})
			return result.Replayed, err
		},
	} {
		mocked, m := h.Mocked()
		lost := m.LoseCommit().Times(1)
		if _, err := call(mocked); !errors.Is(err, apptest.ErrUnknown) {
			t.Fatalf("%s: %v", name, err)
		}
		m.Commit().After(lost).Times(1)
		if replayed, err := call(mocked); err != nil || !replayed {
			t.Errorf("%s: repeated as a new one, or %v", name, err)
		}
	}
}

// A switch of play needs a role: without one nothing is changed.
func TestSwitchesOfPlayNeedARole(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	mocked := h.Remade(func(d *app.Deps) { d.Store.Controls = mocks.NewMockControls(gomock.NewController(t)) })
	for name, call := range map[string]func(app.Caller) error{
		"pause": func(who app.Caller) error {
			return apptest.ErrorOf(mocked.Play.PausePlay(h.Ctx, who, play.PlayPauseRequest{Reason: "odd"}))
		},
		"resume": func(who app.Caller) error {
			return apptest.ErrorOf(mocked.Play.ResumePlay(h.Ctx, who, play.PlayPauseRequest{Reason: "well"}))
		},
	} {
		for _, who := range []app.Caller{apptest.Caller("alice"), h.NewAdmin("rob "+name, "readonly")} {
			apptest.Refused(t, call(who), fault.AdminForbidden)
		}
	}
}
