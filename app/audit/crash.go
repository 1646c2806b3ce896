package audit

import (
	"errors"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
)

// checkCrashOpening checks a bet on a shared crash round as it was placed.
func (a *Auditor) checkCrashOpening(at place, e event.Event) {
	open, ok := bet.FromCovered(e)
	_, out, err := crash.BetOf(open)
	if !ok || err != nil || out != nil {
		a.addFinding("%s: open round %s is no bet on a crash round", at, e.ID)
	}
}

// checkCrashBet checks a settled bet on a shared crash round: that its result follows from
// the outcome that it states, and that its cash-out is among the states that were covered
// before.
func (a *Auditor) checkCrashBet(at place, r *bet.Round) (err error) {
	if r.Theory, err = crash.Check(*r); err != nil {
		a.addFinding("%s: round %s: %v", at, r.ID, err)
		return nil
	}
	if err := errors.Join(a.addRoundFigure(at, *r), a.addCrashEnd(at, r)); err != nil {
		return err
	}
	if !r.Void {
		a.report.Recomputed++
	}
	return a.addFolded(r.ID, crash.StatesOf(*r))
}
