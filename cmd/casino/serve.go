package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type serveCommand struct{ settings.Serve }

// Run serves in production until the context ends. Every missing or wrong setting is
// reported at once, before anything is served.
func (c serveCommand) Run(ctx context.Context, s streams) error {
	plan, err := c.Plan()
	traces, tracesErr := telemetry.TracesWanted(os.Getenv)
	if err := errors.Join(err, tracesErr); err != nil {
		return usageError{fmt.Errorf("serve can't start:\n%w", err)}
	}
	log := newLogger(c.Log, s)
	telemetry.LogFailures(log)
	return service.Run(ctx, log, service.Production(c.Serve, plan, service.Version(version), traces),
		fx.Invoke(func(life fx.Lifecycle, api service.APIListener, operations service.OpsListener) {
			life.Append(fx.StartHook(func() {
				log.Info("casino serves", "version", version, "api", api.Addr().String(), "ops", operations.Addr().String(),
					slog.String("base_path", c.BasePath), slog.String("treasury", string(plan.Treasury.Address())))
			}))
		}),
	)
}
