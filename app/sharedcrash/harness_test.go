package sharedcrash_test

import (
	"os"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

// slots is a fake network. A test adds its slots.
type slots = fakes.Beacons

// house is a casino with the shared crash.
type house struct {
	*apptest.House
	slots  *slots
	driver *sharedcrash.Driver
}

func rulesOf(d *app.Deps, s *slots) {
	d.Beacons = s
	d.Crash = sharedcrash.Rules{Cap: 100_00, Betting: 5 * time.Second, Delay: 2, Window: 10, Length: 20}
}

func open(t *testing.T) *house {
	s := fakes.NewBeacons()
	h := &house{House: apptest.Open(t, func(d *app.Deps) { rulesOf(d, s) }), slots: s}
	h.driver = h.Crash.Driver()
	return h
}

// beside returns another instance over the same store.
func (h *house) beside() *house {
	other := &house{House: h.Remade(func(*app.Deps) {}), slots: h.slots}
	other.driver = other.Crash.Driver()
	return other
}

// round returns the newest round.
func (h *house) round() crash.Round {
	h.T.Helper()
	rounds := apptest.OK(h.Crash.Rounds(h.Ctx, "", 0, 1))(h.T)
	if len(rounds) == 0 {
		return crash.Round{}
	}
	return rounds[0]
}

// step lets a moment pass and each worker make a step.
func (h *house) step() {
	h.T.Helper()
	h.stepAfter(50 * time.Millisecond)
}

func (h *house) stepAfter(passed time.Duration) {
	h.T.Helper()
	h.Clock.Advance(passed)
	if _, err := h.driver.Step(h.Ctx); err != nil {
		h.T.Fatal(err)
	}
	apptest.OK(h.Crash.AnswersWorker().Step(h.Ctx))(h.T)
}

// until drives until the newest round has a status. Slots pass as they are needed.
func (h *house) until(status crash.Status) crash.Round {
	h.T.Helper()
	for range 100_000 {
		h.step()
		r := h.round()
		if r.Status == status {
			return r
		}
		if r.Status == crash.Closed {
			h.slots.Pass(1)
		}
	}
	h.T.Fatalf("the round is still %s", h.round().Status)
	return crash.Round{}
}

// bets places a bet on the newest round.
func (h *house) bets(who app.Caller, wager int64, cashOut uint64) bet.Open {
	h.T.Helper()
	return apptest.OK(h.Crash.PlaceBet(h.Ctx, who, request(wager, cashOut)))(h.T).Bet
}

func request(wager int64, cashOut uint64) sharedcrash.BetRequest {
	return sharedcrash.BetRequest{Wager: wager, Token: apptest.SOL, CashOut: cashOut}
}

// ends returns when the flying round's curve ends.
func (h *house) ends(r crash.Round) time.Time {
	h.T.Helper()
	hash := apptest.OK(h.Store.CrashHash(h.Ctx, r.Chain, r.Number))(h.T)
	return apptest.OK(r.EndsAt(hash))(h.T)
}

// cashes sends a cash-out as received at a moment.
func (h *house) cashes(who app.Caller, id string, at time.Time) (sharedcrash.BetResult, error) {
	defer h.Crash.Receive(at)()
	return h.Crash.CashOut(h.Ctx, who, id, at)
}

func (h *house) result(id string) bet.Round {
	h.T.Helper()
	return apptest.OK(h.Store.Round(h.Ctx, id))(h.T)
}

// pause pauses the game, or ends the pause.
func (h *house) pause(on bool) {
	h.ChangeControls(func(s *control.State) {
		s.Pauses = nil
		if on {
			s.Pauses = []control.PlayPause{{GameType: crash.GameType, Reason: "a check", At: h.Clock.Now()}}
		}
	})
}
