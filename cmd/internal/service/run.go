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

// StopRequested ends when somebody asked the service to stop, also while it starts.
type StopRequested struct{ context.Context }

// quietly tells fx to log what it does for those who debug the wiring.
var quietly = fx.WithLogger(func(log *slog.Logger) fxevent.Logger {
	quiet := &fxevent.SlogLogger{Logger: log}
	quiet.UseLogLevel(slog.LevelDebug)
	quiet.UseErrorLevel(slog.LevelDebug) // errors come back to whoever started the service
	return quiet
})

// gcPercent is how far the heap grows between two collections, where GOGC says
// nothing else. What the service keeps is some tens of megabytes, small beside what
// passes through: at Go's own 100, collecting takes a tenth of a bet's time.
const gcPercent = 400

// Run starts what the options wire, serves until the context ends or a part of
// it does, and stops it again.
func Run(ctx context.Context, log *slog.Logger, options ...fx.Option) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	held := &Held{}
	wired := fx.New(fx.Options(options...), fx.Supply(log, held, StopRequested{ctx}), quietly, fx.StopTimeout(StopTime))
	if err := wired.Err(); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), StopTime)
		defer cancel()
		return errors.Join(dig.RootCause(err), held.release(ctx)) // without the way through the wiring
	}
	// A start that is cut off between two steps can't be undone in order, so it goes
	// on to its end; steps that take long heed Asked.
	if err := wired.Start(context.WithoutCancel(ctx)); err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = nil // that is what was asked for
		}
		return errors.Join(dig.RootCause(err), stop(wired))
	}
	var ended error
	select {
	case <-ctx.Done():
	case signal := <-wired.Wait():
		if signal.ExitCode != 0 { // 0 is somebody's Ctrl-C
			ended = errors.New("a part of the service ended by itself")
		}
	}
	return errors.Join(ended, stop(wired))
}

func stop(wired *fx.App) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopTime)
	defer cancel()
	return wired.Stop(ctx)
}
