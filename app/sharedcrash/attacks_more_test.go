package sharedcrash_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/apptest"
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
