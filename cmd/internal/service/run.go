package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"
)

// StopTime is how long a graceful stop may take.
const StopTime = 10 * time.Second

// StopRequested is a context that ends when the service was asked to stop, also while it
// starts.
type StopRequested struct{ context.Context }

// quietly makes fx log at the level for debugging the wiring.
var quietly = fx.WithLogger(func(log *slog.Logger) fxevent.Logger {
	quiet := &fxevent.SlogLogger{Logger: log}
	quiet.UseLogLevel(slog.LevelDebug)
	quiet.UseErrorLevel(slog.LevelDebug) // errors come back to whoever started the service
	return quiet
})

// gcPercent is how far the heap grows between two collections where GOGC isn't set. The
// service keeps some tens of megabytes, little beside what passes through: at Go's
// default of 100, collecting takes a tenth of a bet's time.
const gcPercent = 400

// memoryLimit is how much memory Go takes before it collects more often than by gcPercent,
// where GOMEMLIMIT isn't set. In peace half of it is enough; a flood of addresses has the
// limiter remember 170 MB within a minute, which would grow to five times as much.
const memoryLimit = 512 << 20

// Run starts what the options wire, serves until the context ends or a part of
// it does, and stops it again.
func Run(ctx context.Context, log *slog.Logger, options ...fx.Option) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	held := &Held{}
	wired := fx.New(fx.Options(options...), fx.Supply(log, held, StopRequested{ctx}), quietly, fx.StopTimeout(StopTime))
	if err := wired.Err(); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), StopTime)
		defer cancel()
		return errors.Join(dig.RootCause(err), held.releaseAll(ctx)) // without the way through the wiring
	}
	// A start that is cut off between two steps can't be undone in order, so it runs to
	// its end; steps that take long observe StopRequested.
	if err := wired.Start(context.WithoutCancel(ctx)); err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = nil // that is what was asked for
		}
		return errors.Join(dig.RootCause(err), stopApp(wired))
	}
	var signal fx.ShutdownSignal
	ended := wired.Wait()
	select {
	case <-ctx.Done():
		// Nothing new should come here any more; what comes all the same is served.
		lame, cancel := context.WithTimeout(context.WithoutCancel(ctx), held.stopAsked())
		defer cancel()
		select {
		case <-lame.Done():
		case signal = <-ended:
		}
	case signal = <-ended:
	}
	var failed error
	if signal.ExitCode != 0 { // 0 is somebody's Ctrl-C
		failed = errors.New("a part of the service ended by itself")
	}
	return errors.Join(failed, stopApp(wired))
}

func stopApp(wired *fx.App) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopTime)
	defer cancel()
	return wired.Stop(ctx)
}
