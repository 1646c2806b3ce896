// Package workers runs what a casino does beside its requests: payouts, deposits that
// nobody registered, the comparison of treasury and ledger, probes.
//
// Package app starts no goroutine: its workers are steps. Run is the loops around them,
// one goroutine a worker, and begins the watch of deposits before any of them. Whoever
// embeds the casino calls it; `casino serve` has the same loops, through Start. The
// domain, the ports and app never import it; simulations don't either, because they choose
// the order of steps themselves.
package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/app"
)

// restMax is how long a worker rests at most after errors.
const restMax = 30 * time.Second

// Run begins the watch of deposits and runs the casino's workers, and those that are given
// beside them, until ctx ends; each ends after the step it is in. It is Begin and Stop for
// a goroutine of its own.
func Run(ctx context.Context, casino *app.Casino, more ...app.Worker) error {
	running, err := Begin(ctx, casino, more...)
	if err != nil {
		return err
	}
	<-ctx.Done()
	running.Stop()
	return nil
}

// Begin begins the watch of deposits, starts the casino's workers and those that are given
// beside them, and returns: players may be served from then on. What the treasury holds
// by then is nobody's deposit. Whoever begins stops: ctx bounds the beginning alone.
//
// An error means that the watch could not begin, for example because the chain doesn't
// answer (fault.External), or that a given worker has no step or no interval: then
// nothing runs. A step's error ends nothing: it is logged to the casino's Logger, and the
// step is tried again after a longer rest each time, at most 30 s.
//
// With a recovery.Restoration, call its Start and then BeginWatch of the casino, and hand Start
// the Guard of all workers.
func Begin(ctx context.Context, casino *app.Casino, more ...app.Worker) (*Running, error) {
	if err := casino.Deposits.BeginWatch(ctx); err != nil {
		return nil, fmt.Errorf("workers: the watch of deposits can't begin: %w", err)
	}
	all := append(casino.Workers(), more...)
	running, err := Start(casino.Logger, all...)
	if err != nil {
		return nil, err
	}
	casino.Began()
	return running, nil
}

// Running are the loops of workers that were started.
type Running struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// Start begins a loop for each worker. They end with Stop. A worker without a step or
// without an interval above zero is an error, and none is started. A nil logger logs
// nowhere.
func Start(log *slog.Logger, all ...app.Worker) (*Running, error) {
	var faults []error
	for _, w := range all {
		if w.Step == nil || w.Interval <= 0 {
			faults = append(faults, fmt.Errorf("workers: %q needs a step and an interval above zero", w.Name))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running := &Running{cancel: cancel}
	for _, w := range all {
		running.done.Go(func() { runLoop(ctx, log, w) })
	}
	return running, nil
}

// Stop ends the loops and waits for the steps they are in.
func (r *Running) Stop() {
	r.cancel()
	r.done.Wait()
}

// runLoop calls the step until the context ends. It rests when there was nothing to do, and
// after an error for longer each time, up to restMax: a dependency that is down is not made worse by
// asking.
func runLoop(ctx context.Context, log *slog.Logger, w app.Worker) {
	wait, woken := min(w.Interval, restMax), false
	for ctx.Err() == nil {
		worked, err := w.Step(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.WarnContext(ctx, "worker step failed", "worker", w.Name, "error", err.Error(), "rest", wait.String())
			Rest(ctx, wait)
			wait = min(2*wait, restMax)
			continue
		case !worked:
			woken = waitForWork(ctx, w, woken)
		}
		wait = min(w.Interval, restMax)
	}
}

// waitForWork waits for a worker's interval, or until it is woken, which it reports. Whoever was
// woken before rests four fifths of the interval first: what wakes it under load comes all
// the time, and is cheaper done together.
func waitForWork(ctx context.Context, w app.Worker, woken bool) bool {
	if w.Wake == nil {
		Rest(ctx, w.Interval)
		return false
	}
	left := w.Interval
	if woken {
		left = w.Interval / 5
		Rest(ctx, w.Interval-left)
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.Wake:
		return true
	case <-timer.C:
	}
	return false
}

// Rest waits, or until the context ends.
func Rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
