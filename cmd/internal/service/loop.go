package service

import (
	"context"
	"log/slog"
	"time"
)

// step is one unit of a worker's work; it reports false when there is nothing
// more to do for now.
type step func(context.Context) (worked bool, err error)

// loop calls the step until the context ends. It rests when there was nothing
// to do, and after an error for longer each time, up to restMax: a dependency
// that is down is not made worse by asking.
func loop(ctx context.Context, name string, log *slog.Logger, rest time.Duration, do step) {
	const restMax = 30 * time.Second
	wait := rest
	for ctx.Err() == nil {
		worked, err := do(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.WarnContext(ctx, "worker step failed", "worker", name, "error", err.Error(), "rest", wait.String())
			pause(ctx, wait)
			wait = min(2*wait, restMax)
			continue
		case !worked:
			pause(ctx, rest)
		}
		wait = rest
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
