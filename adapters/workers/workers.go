// Package workers runs the casino's background work: payouts, deposits that nobody claimed,
// the comparison of treasury and ledger, probes.
//
// Package app starts no goroutine: its workers are steps. Run calls the steps in loops, one
// goroutine a worker, after it has begun the watch of deposits. Embedders call it; `casino
// serve` runs the same loops through Start. Domain, ports and app never import it, and
// neither do simulations, which choose the order of steps themselves.
package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/casino-service/casino/app"
)

// restMax is the longest pause after errors of a worker without one of its own.
const restMax = 30 * time.Second

// Run begins the watch of deposits and runs the casino's workers, and the additional ones,
// until ctx ends; each worker finishes its current step. It is Begin and Stop for callers
// with a goroutine to spare.
func Run(ctx context.Context, casino *app.Casino, more ...app.Worker) error {
	running, err := Begin(ctx, casino, more...)
	if err != nil {
		return err
	}
	<-ctx.Done()
	running.Stop()
	return nil
}

// Begin begins the watch of deposits, starts the casino's workers and the additional ones,
// and returns; players may be served from then on. What the treasury holds by then is not
// credited to any player. ctx bounds only the start; the caller must call Stop.
//
// An error means that the watch could not begin, for example because the chain doesn't
// answer (fault.External), or that an additional worker has no step or no interval; then
// nothing runs. A step's error ends nothing: it is logged to the casino's Logger, and the
// step is tried again after a longer pause each time, at most 30 s or the worker's RestMax.
//
// With a recovery.Restoration, call its Start and then the casino's BeginWatch, and give
// Start the Guard of all workers.
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

// Running is a set of started loops.
type Running struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// Start starts a loop for each worker; Stop ends them. If a worker has no step, or an
// interval that is not positive, Start returns an error and starts none. A nil logger
// discards.
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

// Stop ends the loops and waits for their current steps.
func (r *Running) Stop() {
	r.cancel()
	r.done.Wait()
}

// runLoop calls the step until the context ends. It rests when there was nothing to do.
// After each error it rests longer, up to its maximum, to spare a dependency that is down.
func runLoop(ctx context.Context, log *slog.Logger, w app.Worker) {
	most := cmp.Or(w.RestMax, restMax)
	wait, woken := min(w.Interval, most), false
	for ctx.Err() == nil {
		worked, err := w.Step(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.WarnContext(ctx, "worker step failed", "worker", w.Name, "error", err.Error(), "rest", wait.String())
			Rest(ctx, wait)
			wait = min(2*wait, most)
			continue
		case !worked:
			woken = waitForWork(ctx, w, woken)
		}
		wait = min(w.Interval, most)
	}
}

// waitForWork waits for a worker's interval, or until it is woken; it reports which. A
// worker that was woken before first rests four fifths of the interval, because under load
// wake-ups are constant and cheaper to handle together.
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

// Rest waits for d, or until the context ends.
func Rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
