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

// StopTime is the maximum time of a graceful stop.
const StopTime = 10 * time.Second

// StopRequested is a context that ends when the service is asked to stop, even during its
// start.
type StopRequested struct{ context.Context }

// quietly makes fx log its wiring at debug level.
var quietly = fx.WithLogger(func(log *slog.Logger) fxevent.Logger {
	quiet := &fxevent.SlogLogger{Logger: log}
	quiet.UseLogLevel(slog.LevelDebug)
	quiet.UseErrorLevel(slog.LevelDebug) // errors are returned to the caller
	return quiet
})

// gcPercent is the heap growth between two collections if GOGC isn't set. The service keeps
// some tens of megabytes, little beside what it processes: at Go's default of 100,
// collection takes a tenth of a bet's time.
const gcPercent = 400

// memoryLimit is the memory from which Go collects more often than by gcPercent, if
// GOMEMLIMIT isn't set. Normally half of it is sufficient; a flood of addresses makes the
// limiter remember 170 MB within a minute, which would grow to five times as much.
const memoryLimit = 512 << 20

// Run starts the wired options, serves until the context ends or a part fails, and stops
// again.
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
		return errors.Join(dig.RootCause(err), held.releaseAll(ctx)) // without the path through the wiring
	}
	// An interrupted start can't be undone in order, so the start runs to its end; long steps
	// observe StopRequested.
	if err := wired.Start(context.WithoutCancel(ctx)); err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = nil // the stop was requested
		}
		return errors.Join(dig.RootCause(err), stopApp(wired))
	}
	var signal fx.ShutdownSignal
	ended := wired.Wait()
	select {
	case <-ctx.Done():
		// Balancers should send nothing more now; requests that still come are served.
		lame, cancel := context.WithTimeout(context.WithoutCancel(ctx), held.stopAsked())
		defer cancel()
		select {
		case <-lame.Done():
		case signal = <-ended:
		}
	case signal = <-ended:
	}
	var failed error
	if signal.ExitCode != 0 { // 0 is a requested stop, such as Ctrl-C
		failed = errors.New("a part of the service ended by itself")
	}
	return errors.Join(failed, stopApp(wired))
}

func stopApp(wired *fx.App) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopTime)
	defer cancel()
	return wired.Stop(ctx)
}
