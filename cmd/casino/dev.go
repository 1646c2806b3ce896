package main

import (
	"context"
	"errors"

	"go.uber.org/fx"

	"github.com/casino-service/casino/cmd/internal/service"
)

type devCommand struct {
	devFlags
	JSON bool `name:"json" help:"Print one JSON line when ready instead of the page for people."`
}

// Run serves the whole casino on this machine until the context ends.
func (c devCommand) Run(ctx context.Context, s streams) error {
	if err := c.check(); err != nil {
		return usageError{err}
	}
	return service.Run(ctx, newLogger(c.Log, s), devProfile(c.devFlags),
		fx.Invoke(func(life fx.Lifecycle, ready announcement) {
			life.Append(fx.StartStopHook(
				func() error { return errors.Join(ready.Dir.noteRunning(ready.line()), ready.print(s, c.JSON)) },
				func() error { return ready.Dir.noteStopped() },
			))
		}),
	)
}
