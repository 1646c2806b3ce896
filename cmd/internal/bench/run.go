package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// schedule determines when requests are due.
type schedule struct {
	clock Clock
	begin time.Time
	end   atomic.Int64 // in nanoseconds since begin
	every time.Duration
	taken atomic.Int64
}

// waitForNext waits until a request is due. Without a rate it returns at once. With a rate,
// each request has a due time from which its latency counts, so a slow service can't hide
// how long requests would have waited.
func (s *schedule) waitForNext(ctx context.Context) (time.Time, bool) {
	now := s.clock.Now()
	if ctx.Err() != nil || now.Sub(s.begin) >= time.Duration(s.end.Load()) {
		return now, false
	}
	if s.every == 0 {
		return now, true
	}
	after := time.Duration(s.taken.Add(1)-1) * s.every
	if after >= time.Duration(s.end.Load()) {
		s.taken.Add(-1)
		return now, false
	}
	due := s.begin.Add(after)
	if wait := due.Sub(now); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return due, false
		case <-timer.C:
		}
	}
	return due, true
}

// Progress is the state of a load.
type Progress struct {
	Since, Of time.Duration // measured so far; negative during the warm-up
	Result    Result
}

// Run sends the plan's load until its time is over or the context ends, and returns the
// result. It calls watch from time to time, if watch isn't nil.
func Run(ctx context.Context, plan Plan, clock Clock, watch func(Progress)) (Result, error) {
	if err := plan.checkPlan(); err != nil {
		return Result{}, err
	}
	t := newTally(plan.Mix)
	clients := make([]*client, plan.Clients)
	for n := range clients {
		clients[n] = newClient(&plan, t, clock, n)
	}
	doTogether(clients, func(c *client) { c.endOpenRounds(ctx) })
	heard, err := openStreams(ctx, &plan, t, clock)
	if err != nil {
		return Result{}, err
	}
	s := &schedule{clock: clock, begin: clock.Now()}
	s.end.Store(int64(plan.Warmup + plan.Duration))
	if plan.Rate > 0 {
		s.every = time.Duration(float64(time.Second) / plan.Rate)
	}
	t.from = s.begin.Add(plan.Warmup)
	t.to = t.from.Add(plan.Duration)
	heard.beginAt(t.from)
	ended := make(chan struct{})
	var watching sync.WaitGroup
	var spent spending
	watching.Go(func() { reportProgress(ctx, ended, t, &spent, plan, clock, watch) })
	doTogether(clients, func(c *client) {
		defer c.close()
		c.runSchedule(ctx, s)
	})
	close(ended)
	watching.Wait()
	listened := heard.waitForResult(ctx, plan.Listeners)
	result := t.resultAt(t.to)
	result.Heard = listened
	result.CPUMicros = spent.perRequest(result.Requests)
	if plan.Rate > 0 {
		due := int64(min(t.to.Sub(s.begin), plan.Warmup+plan.Duration) / s.every)
		result.NotSent = max(0, due-s.taken.Load())
	}
	if t.to.Before(t.from) || result.Requests == 0 && result.Bad == 0 {
		return result, errors.New("it ended before anything was measured")
	}
	return result, nil
}

// doTogether runs do for all clients concurrently and waits for them.
func doTogether(clients []*client, do func(*client)) {
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() { do(c) })
	}
	all.Wait()
}

// watchEach is the interval of progress reports.
const watchEach = 500 * time.Millisecond

// reportProgress reports progress, and measures processor time from the end of the warm-up.
func reportProgress(ctx context.Context, ended <-chan struct{}, t *tally, spent *spending, plan Plan, clock Clock, watch func(Progress)) {
	warm := time.NewTimer(t.from.Sub(clock.Now()))
	defer warm.Stop()
	over := time.NewTimer(t.to.Sub(clock.Now()))
	defer over.Stop()
	tick := time.NewTicker(watchEach)
	defer tick.Stop()
	done := ctx.Done()
	for {
		select {
		case <-ended:
			spent.stop()
			return
		case <-done:
			done = nil
			t.endAt(clock.Now())
			spent.stop()
		case <-warm.C:
			spent.start()
		case <-over.C:
			spent.stop()
		case <-tick.C:
			if now := clock.Now(); watch != nil {
				watch(Progress{Since: now.Sub(t.from), Of: plan.Duration, Result: t.resultAt(now)})
			}
		}
	}
}

// SignIn signs all players in, with the given number of clients, and calls each after every
// one.
func SignIn(ctx context.Context, service *Service, players []*Player, clients int, clock Clock, each func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(clients, len(players)) {
		all.Go(func() {
			door := service.newEntrance()
			defer door.close()
			for i := int(next.Add(1)) - 1; i < len(players) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := players[i].signIn(ctx, door, clock.Now()); err != nil {
					cancel(err)
					return
				}
				each()
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (p *Player) signIn(ctx context.Context, door *entrance, at time.Time) error {
	got, err := door.signIn(ctx, p, at)
	if err != nil {
		return fmt.Errorf("signing in: %w", err)
	}
	if got.status != 200 {
		return fmt.Errorf("signing in: %d %s", got.status, refusalOutcome(got).code)
	}
	if wrong := p.readSession(got.body); wrong != "" {
		return fmt.Errorf("signing in: %s", wrong)
	}
	return nil
}
