package admin_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// madeUp is a store with invented figures.
type madeUp struct {
	apptest.Store
	cells []ports.DailyFigure
}

func (s *madeUp) Sums(context.Context, ports.FigureFilter, ports.Grouping) ([]ports.DailyFigure, error) {
	return s.cells, nil
}

// Losses from bad play are not a fault of the game; wins beyond the best play are.
func TestAGameThatPaysByPlayIsBoundedAbove(t *testing.T) {
	t.Parallel()
	figures := &madeUp{}
	h := apptest.OpenWatched(t, func(d *app.Deps) {
		figures.Store = apptest.PortsOf(*d)
		d.Store = app.StoreOf(figures)
		games, err := fakes.HouseGames()
		if err != nil {
			t.Fatal(err)
		}
		d.Games = games
	})
	monitor := h.Admin.RTPMonitor()
	for _, row := range []struct {
		game string
		paid int64
		want figure.Verdict
	}{
		{"blackjack", 9_000_000, figure.Within}, {"blackjack", 10_600_000, figure.Outside},
		{"videopoker", 9_000_000, figure.Within}, {"videopoker", 10_600_000, figure.Outside},
		{"mines", 9_000_000, figure.Outside}, {"dice", 9_000_000, figure.Outside},
	} {
		figures.cells = []ports.DailyFigure{{Key: figure.Key{Source: figure.Own, Game: row.game, Token: money.SOL}, Cell: figure.Cell{
			Rounds: 10_000, Wagered: money.TotalOfInt(10_000_000), Paid: money.TotalOfInt(row.paid),
			Expected: money.TotalOfInt(9_900_000_000_000), Variance: money.TotalOfInt(9_801_000_000),
		}}}
		if _, err := monitor.Step(h.Ctx); err != nil {
			t.Fatal(err)
		}
		apptest.Equal(t, row.game, monitor.Returns()[0].Verdict, row.want)
	}
}

func TestAGameThatLeavesItsBoundRaisesAnAlarm(t *testing.T) {
	t.Parallel()
	figures := &madeUp{}
	h := apptest.OpenWatched(t, func(d *app.Deps) { figures.Store = apptest.PortsOf(*d); d.Store = app.StoreOf(figures) })
	monitor := h.Admin.RTPMonitor()
	cell := func(paid int64) ports.DailyFigure {
		return ports.DailyFigure{Key: figure.Key{Source: figure.Own, Game: "dice", Token: money.SOL}, Cell: figure.Cell{
			Rounds: 10_000, Wagered: money.TotalOfInt(10_000_000), Paid: money.TotalOfInt(paid),
			Expected: money.TotalOfInt(9_900_000_000_000), Variance: money.TotalOfInt(9_801_000_000),
		}}
	}
	for _, look := range []struct {
		paid            int64
		outside, alarms int
	}{{9_900_000, 0, 0}, {10_600_000, 1, 1}, {10_600_000, 1, 1}, {9_900_000, 0, 1}, {9_200_000, 1, 2}} {
		foreign := cell(look.paid) // the rules of a provider's game aren't known here
		foreign.Key.Source, foreign.Cell.Expected, foreign.Cell.Variance = "MAKER", money.Total{}, money.Total{}
		figures.cells = []ports.DailyFigure{cell(look.paid), foreign}
		if worked, err := monitor.Step(h.Ctx); worked || err != nil {
			t.Fatalf("step: %v, %v", worked, err)
		}
		outside := 0
		apptest.Equal(t, "watched games", len(monitor.Returns()), 1)
		for _, r := range monitor.Returns() {
			if r.Verdict == figure.Outside {
				outside++
			}
		}
		apptest.Equal(t, "outside", outside, look.outside)
		h.Clock.Advance(5 * time.Minute) // the same alarm is raised again after ten
		apptest.Equal(t, "alarms", h.CountAlarms(alarm.RTPOutOfBounds.Message()), look.alarms)
	}
}
