package sharedcrash_test

import (
	"context"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// changedBets is a store in which the rows of the first bets were changed: they get no result,
// and that of the first is no bet any more.
type changedBets struct {
	apptest.Store
	changed map[string]bool
	broken  string
}

func (s *changedBets) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if item.Source == player.FromWorker && len(item.Keys) > 0 && s.changed[item.Keys[0].ID] {
		return player.Receipt{}, player.ErrOpenRoundChanged
	}
	return s.Store.Commit(ctx, item)
}

func (s *changedBets) CrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error) {
	some, err := s.Store.CrashBets(ctx, on, after, limit)
	for i := range some {
		if some[i].ID == s.broken {
			some[i].Config = game.Value{}
		}
	}
	return some, err
}

// TestChangedBetsHoldNobodyElse changes the rows of more bets than are settled at once. Everyone
// still sees the round, the other bets are paid, and the next round begins.
func TestChangedBetsHoldNobodyElse(t *testing.T) {
	t.Parallel()
	s, store := fakes.NewBeacons(), &changedBets{changed: map[string]bool{}}
	h := &house{House: apptest.Open(t, func(d *app.Deps) {
		rulesOf(d, s)
		store.Store, d.Store = apptest.PortsOf(*d), app.StoreOf(store)
	}), slots: s}
	h.driver = h.Crash.Driver()
	const changed, good = 257, 5
	crowd := h.crowd(changed+good, 10_000_000)
	h.until(crash.Betting)
	for _, who := range crowd {
		h.bets(who, 100, 1_01)
	}
	r := h.round()
	placed := apptest.OK(h.Store.CrashBets(h.Ctx, bet.Shared{Chain: r.Chain, Number: r.Number}, "", 1_000))(t)
	store.broken = placed[0].ID
	for _, open := range placed[:changed] {
		store.changed[open.ID] = true
	}
	for h.round().Number == r.Number {
		h.step()
		if h.round().Status == crash.Closed {
			h.slots.Pass(1)
		}
		if shown := apptest.OK(h.Crash.Snapshot(h.Ctx))(t); shown.Round.Status == crash.Closed && len(shown.Bets) != changed+good-1 {
			t.Fatalf("%d bets are shown", len(shown.Bets))
		}
	}
	for _, open := range placed[changed:] {
		if got := h.result(open.ID); got.Void {
			t.Errorf("bet %s has no result", open.ID)
		}
	}
	ended := apptest.OK(h.Store.CrashRound(h.Ctx, r.Chain, r.Number))(t)
	if ended.Status != crash.Crashed || len(apptest.OK(h.Crash.RoundBets(h.Ctx, ended))(t)) != changed+good-1 {
		t.Errorf("round %d is %s", ended.Number, ended.Status)
	}
	clear(store.changed)
	store.broken = ""
	for ended.Status != crash.Settled { // once the rows are as they were
		h.step()
		ended = apptest.OK(h.Store.CrashRound(h.Ctx, r.Chain, r.Number))(t)
		if h.round().Status == crash.Closed {
			h.slots.Pass(1)
		}
	}
}
