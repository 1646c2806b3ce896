package sharedcrash

import (
	"context"
	"sync"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
)

const (
	// AnswersInterval is the pause between an instance's reports of the cash-outs that it has
	// answered. A report counts for answersTerm, which is longer than short losses of the database:
	// after it, a settlement waits no longer for the instance, and the instance takes no cash-out.
	AnswersInterval = 250 * time.Millisecond
	answersTerm     = 5 * time.Second
	// receiveTime bounds the time between the moment that a cash-out was received at, and
	// Receive.
	receiveTime = 100 * time.Millisecond
	// restMax is the longest pause of the workers after errors: players wait for them.
	restMax = time.Second
	// ClockMost is the greatest difference to the store's clock with which an instance takes
	// cash-outs and starts rounds.
	ClockMost = 50 * time.Millisecond
)

// answers knows the cash-outs that this instance has received and not answered yet.
type answers struct {
	mu      sync.Mutex
	waiting map[*time.Time]struct{}
	// until is when the instance's last report ends.
	until time.Time
	// off is set while the instance's clock is off.
	off bool
	// latest is the greatest moment by the instance's clock since the last bets were taken, and
	// back is set while the clock is further behind it than ClockMost.
	latest time.Time
	back   bool
}

// note notes a moment that has come. The caller holds mu.
func (a *answers) note(now time.Time) {
	if a.back = now.Before(a.latest.Add(-ClockMost)); now.After(a.latest) {
		a.latest = now
	}
}

// Receive records that a cash-out was received at a moment. The round isn't settled until the
// caller has called answered, as long as this instance runs.
func (c *Service) Receive(at time.Time) (answered func()) {
	a := &c.answers
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting[&at] = struct{}{}
	a.note(c.core.Now())
	return sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.waiting, &at)
	})
}

// mayAnswer returns the refusal of a cash-out that this instance can't take.
func (a *answers) mayAnswer(now time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.off || a.back || !now.Before(a.until) {
		return fault.New(fault.Unavailable, "this instance takes no cash-outs now: try again").
			With("retryAfterMs", int64(AnswersInterval/time.Millisecond)).With("outcome", "none")
	}
	return nil
}

// drained returns a moment before which each received cash-out is answered.
func (a *answers) drained(now time.Time) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	drained := now.Add(-receiveTime)
	for at := range a.waiting {
		if at.Before(drained) {
			drained = *at
		}
	}
	return drained
}

// AnswersWorker reports which cash-outs this instance has answered, and passes on held news to
// its listeners. It must run in each process that takes cash-outs, beside the driver too.
func (c *Service) AnswersWorker() kernel.Worker {
	return kernel.Worker{Name: kernel.CrashAnswersWorker, Interval: AnswersInterval, RestMax: restMax, Step: c.reportAnswers}
}

func (c *Service) reportAnswers(ctx context.Context) (worked bool, err error) {
	c.core.Progress.Began(kernel.CrashAnswersWorker)
	c.view.mu.Lock()
	c.view.send(c.core.Now(), false)
	c.view.mu.Unlock()
	now, err := c.newestRound(ctx, roundFresh)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch r := now.round; {
	case r.Status == crash.Betting:
		c.answers.mu.Lock()
		c.answers.latest, c.answers.back = time.Time{}, false
		c.answers.mu.Unlock()
	case r.Status == crash.Closed, r.Status == crash.Flying, r.Status == crash.Crashed && !r.Paying:
		return false, c.report(ctx)
	}
	return false, nil
}

// report compares the clocks, and writes a report unless this instance's is off.
func (c *Service) report(ctx context.Context) error {
	off, err := c.clockIsOff(ctx)
	if err != nil {
		return err
	}
	now := c.core.Now()
	if !off { // else its clock says nothing, and it takes no cash-out
		if err := c.core.Store.CrashLease.ReportDrained(ctx, c.instance, c.answers.drained(now), now, answersTerm); err != nil {
			return err
		}
	}
	c.answers.mu.Lock()
	was := c.answers.off
	c.answers.note(now)
	c.answers.off = off
	if !off { // half of the term is left for a decision that begins before the end
		c.answers.until = now.Add(answersTerm / 2)
	}
	c.answers.mu.Unlock()
	if off {
		c.core.Alarms.Raise(ctx, alarm.Clocks, "crash", "instance", c.instance, "bound", ClockMost.String())
	} else if was {
		c.core.Alarms.Over(ctx, alarm.Clocks, "crash")
	}
	return nil
}

// clockIsOff reports whether this instance's clock is certainly off.
func (c *Service) clockIsOff(ctx context.Context) (bool, error) {
	asked := c.core.Now()
	stored, err := c.core.Store.StoreClock.StoreTime(ctx)
	if err != nil || stored.IsZero() {
		return false, err
	}
	return stored.Before(asked.Add(-ClockMost)) || stored.After(c.core.Now().Add(ClockMost)), nil
}
