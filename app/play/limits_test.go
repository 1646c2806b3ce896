package play_test

import (
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/mocks"
)

// The limits that are configured are said once, and again where they are others.
func TestLimitsAreSaidWhereTheyChange(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	said := func() (newest map[string]event.Event) {
		newest = map[string]event.Event{}
		for _, e := range apptest.OK(h.Store.PublishedLimits(h.Ctx))(t) {
			newest[e.Value(event.LimitsOf)] = e
		}
		return newest
	}
	publish := func(change func(*app.Deps)) {
		t.Helper()
		worker := h.Remade(change).Play.LimitsWorker()
		for range 2 {
			if worked, err := worker.Step(h.Ctx); worked || err != nil {
				t.Fatal(worked, err)
			}
		}
	}
	publish(func(*app.Deps) {})
	first := said()
	if n := len(first); n < 4 || first["game/dice"].Value("rules") != "dice/1" || first["token/"+apptest.SOL].Number("maxWager") != int64(apptest.SOLTerms.MaxWager) {
		t.Fatalf("%d: %v", n, first)
	}
	publish(func(*app.Deps) {})
	if again := said(); again["game/dice"].ID != first["game/dice"].ID {
		t.Error("what didn't change is said again")
	}
	h.Clock.Advance(time.Second)
	publish(func(d *app.Deps) {
		d.Settings.Pace = protection.Pace{Of: map[string]time.Duration{"dice": time.Second}}
	})
	if next := said(); next["game/dice"].Number("paceMs") != 1000 || next["rounds"].ID != first["rounds"].ID {
		t.Errorf("%v", next)
	}
}

// A step that failed is tried again, one that published isn't.
func TestLimitsArePublishedUntilTheyAre(t *testing.T) {
	t.Parallel()
	control := gomock.NewController(t)
	limits := mocks.NewMockPublishedLimits(control)
	h, _ := apptest.Open(t).Mocked(func(d *app.Deps) { d.Store.PublishedLimits = limits })
	refused := fault.New(fault.Maintenance, "restored")
	gomock.InOrder(limits.EXPECT().PublishLimits(gomock.Any(), gomock.Any()).Return(refused), limits.EXPECT().PublishLimits(gomock.Any(), gomock.Any()).Return(nil))
	worker := h.Play.LimitsWorker()
	for i, want := range []error{refused, nil, nil} {
		if _, err := worker.Step(h.Ctx); !errors.Is(err, want) {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// The limits in force have what is paused and what is switched off.
func TestLimitsInForce(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	olga := h.NewAdmin("olga", "ops")
	apptest.OK(h.Play.PausePlay(h.Ctx, olga, play.PlayPauseRequest{GameType: "dice", Reason: "odd"}))(t)
	now := apptest.OK(h.Play.Limits(h.Ctx))(t)
	for _, g := range now.Games {
		if g.Paused != (g.Type() == "dice") || g.Disabled {
			t.Errorf("%s: %+v", g.Type(), g)
		}
	}
	if now.Paused || len(now.Tokens) == 0 {
		t.Errorf("%+v", now)
	}
	apptest.OK(h.Play.PausePlay(h.Ctx, olga, play.PlayPauseRequest{Reason: "odd"}))(t)
	if now := apptest.OK(h.Play.Limits(h.Ctx))(t); !now.Paused {
		t.Errorf("%+v", now)
	}
}
