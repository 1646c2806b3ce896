package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"
)

// stopTime is how long a graceful stop may take.
const stopTime = 10 * time.Second

type devCommand struct {
	devFlags
	JSON bool `name:"json" help:"Print one JSON line when ready instead of the page for people."`
}

// Run serves the whole casino on this machine until the context ends.
func (c devCommand) Run(ctx context.Context, s streams) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	log := c.logger(s)
	service := fx.New(
		fx.Supply(c.devFlags, dataDir(c.DataDir), log, s),
		fx.WithLogger(func(log *slog.Logger) fxevent.Logger {
			quiet := &fxevent.SlogLogger{Logger: log}
			quiet.UseLogLevel(slog.LevelDebug)
			return quiet
		}),
		fx.StopTimeout(stopTime),
		edgeModule, chainModule, storeModule, casinoModule, httpModule,
		fx.Invoke(func(life fx.Lifecycle, ready announcement) {
			life.Append(fx.StartHook(func() error { return ready.print(s, c.JSON) }))
		}),
	)
	if err := service.Err(); err != nil {
		return err
	}
	if err := service.Start(ctx); err != nil {
		return errors.Join(err, stopService(service))
	}
	select {
	case <-ctx.Done():
	case signal := <-service.Wait():
		if signal.ExitCode != exitDone { // 0 is somebody's Ctrl-C
			log.Error("a part of the service ended", "exit_code", signal.ExitCode)
		}
	}
	return stopService(service)
}

func stopService(service *fx.App) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	return service.Stop(ctx)
}
