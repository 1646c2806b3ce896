package sharedcrash_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// TestNobodyCashesOutAfterThePointIsKnown cashes out a bet at an instance whose clock is behind as
// far as is allowed, at the moment at which the driver has published the point.
func TestNobodyCashesOutAfterThePointIsKnown(t *testing.T) {
	t.Parallel()
	const off = 50 * time.Millisecond
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	r, placed := h.flyingAbove(3*time.Second, ann)
	fast, slow := h.skewed(off), h.skewed(-off)
	h.Clock.Advance(2 * time.Second) // the first driver's lease ends
	h.Clock.Set(h.ends(r).Add(-time.Second))
	for h.round().Status == crash.Flying {
		h.Clock.Advance(5 * time.Millisecond)
		apptest.OK(fast.driver.Step(h.Ctx))(t)
		apptest.OK(slow.Crash.AnswersWorker().Step(h.Ctx))(t)
	}
	if !fast.driver.Leads() || h.round().Point == 0 {
		t.Fatal("the point is not public")
	}
	now := h.Clock.Now().Add(-off)
	apptest.Refused(t, apptest.ErrorOf(slow.cashes(ann, placed[0].ID, now)), fault.InvalidState)
}

// TestAClockThatIsSetBackPaysNobody sets the clocks of the service and its store back, to a moment
// before the end of a curve whose point is public. Cash-outs of the next round are taken.
func TestAClockThatIsSetBackPaysNobody(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	r, placed := h.flyingAbove(3*time.Second, ann)
	h.until(crash.Crashed)
	h.Clock.Set(h.ends(r).Add(-200 * time.Millisecond))
	apptest.Refused(t, apptest.ErrorOf(h.cashes(ann, placed[0].ID, h.Clock.Now())), fault.Unavailable)
	h.reports()
	apptest.Refused(t, apptest.ErrorOf(h.cashes(ann, placed[0].ID, h.ends(r).Add(-time.Millisecond))), fault.Unavailable)
	h.until(crash.Settled)
	r, placed = h.flyingAbove(3*time.Second, ann)
	h.Clock.Set(r.StartedAt.Add(2 * time.Second))
	h.reports()
	apptest.OK(h.cashes(ann, placed[0].ID, h.Clock.Now()))(t)
}

// TestAClockFarBehindHoldsNoRound ends a round while another instance's clock is an hour behind:
// it takes no cash-outs, so nobody waits for it.
func TestAClockFarBehindHoldsNoRound(t *testing.T) {
	t.Parallel()
	h := open(t)
	ann := h.NewPlayer("ann", 10_000_000)
	h.until(crash.Betting)
	h.bets(ann, 1_000, 1_01)
	r := h.until(crash.Flying)
	other := h.skewed(-time.Hour)
	for range 3_000 {
		h.step()
		apptest.OK(other.Crash.AnswersWorker().Step(h.Ctx))(t)
		if now := h.round(); now.Number > r.Number || now.Status == crash.Settled {
			return
		}
	}
	t.Errorf("after two minutes the round is %+v", h.round())
}

// hooked is a network that runs a function once while its rule is asked for.
type hooked struct {
	*slots
	rule func()
}

func (d *hooked) BeaconRule(ctx context.Context) (crash.Rule, error) {
	rule, err := d.slots.BeaconRule(ctx)
	once(&d.rule)
	return rule, err
}

// TestAChainIsPlayedToItsEnd lets a driver add a chain after it has lost its lease: the chain that
// is played goes on.
func TestAChainIsPlayedToItsEnd(t *testing.T) {
	t.Parallel()
	s := fakes.NewBeacons()
	paused := &hooked{slots: s}
	h := &house{House: apptest.Open(t, func(d *app.Deps) { rulesOf(d, s) }), slots: s}
	h.driver = h.Crash.Driver()
	first := &house{House: h.Remade(func(d *app.Deps) { d.Beacons = paused }), slots: s}
	first.driver = first.Crash.Driver()
	var played crash.Round
	paused.rule = func() {
		h.Clock.Advance(2 * time.Second)
		played = h.until(crash.Settled)
	}
	for played.Number == 0 {
		first.step()
	}
	if chains := apptest.OK(h.Store.CrashChains(h.Ctx))(t); len(chains) != 2 {
		t.Fatalf("%d chains", len(chains))
	}
	h.Clock.Advance(2 * time.Second)
	if next := h.until(crash.Betting); next.Chain != played.Chain || next.Number != played.Number+1 {
		t.Errorf("round %d of %s was followed by %d of %s", played.Number, played.Chain, next.Number, next.Chain)
	}
	for h.round().Chain == played.Chain {
		h.until(crash.Settled)
		h.until(crash.Betting)
	}
	if chains := apptest.OK(h.Store.CrashChains(h.Ctx))(t); len(chains) != 2 || h.round().Number != 1 {
		t.Errorf("%d chains, round %d", len(chains), h.round().Number)
	}
}

// TestAFullBalanceHoldsNobodyElse lets a balance grow after a bet until it can't hold the payout.
// Others are paid and the next round begins. The bet is paid later, when the balance is smaller.
func TestAFullBalanceHoldsNobodyElse(t *testing.T) {
	t.Parallel()
	h := open(t)
	const grows = 100_000
	ann, bob := h.NewPlayer("ann", money.Max-grows), h.NewPlayer("bob", 10_000_000)
	h.until(crash.Betting)
	r, full := h.round(), h.bets(ann, 1_000, 1_01)
	placed := h.bets(bob, 1_000, 1_01)
	signature := h.Chain.Pay("ann", money.SOL, grows+1_000)
	h.Chain.Finalize()
	apptest.OK(h.Deposits.Deposit(h.Ctx, ann, signature, apptest.SOL))(t)
	failed := 0
	steps := func(over func() bool) {
		for range 2_000 {
			h.Clock.Advance(50 * time.Millisecond)
			if _, err := h.driver.Step(h.Ctx); err != nil {
				failed++
			}
			apptest.OK(h.Crash.AnswersWorker().Step(h.Ctx))(t)
			if h.round().Status == crash.Closed {
				h.slots.Pass(1)
			}
			if over() {
				return
			}
		}
		t.Fatalf("the round is still %+v", h.round())
	}
	steps(func() bool { return h.round().Number > r.Number })
	if ended := apptest.OK(h.Store.CrashRound(h.Ctx, r.Chain, r.Number))(t); ended.Point < 1_01 {
		t.Fatal("the seed of the test has no point that pays")
	}
	if got := h.result(placed.ID).Payout; got != 1_010 || failed != 1 {
		t.Errorf("bob was paid %d, with %d errors, want 1", got, failed)
	}
	h.RequestWithdrawal(ann, 500_000)
	h.Clock.Advance(10 * time.Minute)
	steps(func() bool {
		_, err := h.Store.Round(h.Ctx, full.ID)
		return err == nil
	})
	if got := h.result(full.ID).Payout; got != 1_010 || failed != 1 {
		t.Errorf("ann was paid %d, with %d errors, want 1", got, failed)
	}
}

// TestGreatMultipliersLeaveRoom lets wallets bet at a great multiplier until they are refused: bets
// at small ones, and rounds of other games, still have room.
func TestGreatMultipliersLeaveRoom(t *testing.T) {
	t.Parallel()
	s := fakes.NewBeacons()
	base := apptest.OpenWithLadder(t)
	h := &house{House: base.Remade(func(d *app.Deps) { rulesOf(d, s) }), slots: s}
	h.driver = h.Crash.Driver()
	crowd := h.crowd(40, 10_000_000)
	h.until(crash.Betting)
	refused := 0
	for _, who := range crowd[:20] {
		if _, err := h.Crash.PlaceBet(h.Ctx, who, request(2_000, 100_00)); bet.RefusedForRoom(err) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Fatal("nobody was refused")
	}
	h.OpenRound(crowd[20], apptest.Climb(2_000))
	for _, who := range crowd[21:] {
		h.bets(who, 1_000, 10_00)
	}
}
