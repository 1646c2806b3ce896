package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type serveCommand struct{ settings.Serve }

// Run serves in production until the context ends. It first reports all missing or wrong
// settings at once.
func (c serveCommand) Run(ctx context.Context, s cli.Streams) error {
	plan, err := c.Plan()
	traces, tracesErr := telemetry.TracesWanted(os.Getenv)
	if err := errors.Join(err, tracesErr); err != nil {
		return cli.Usage(fmt.Errorf("serve can't start:\n%w", err))
	}
	log := cli.NewLogger(c.Log, s)
	telemetry.LogFailures(log)
	return service.Run(ctx, log, service.Production(c.Serve, plan, service.Version(cli.Version), traces),
		fx.Invoke(func(life fx.Lifecycle, api service.APIListener, operations service.OpsListener) {
			life.Append(fx.StartHook(func() {
				log.Info("casino serves", "version", cli.Version, "api", api.Addr().String(), "ops", operations.Addr().String(),
					slog.String("base_path", c.BasePath), slog.String("treasury", string(plan.Treasury.Address())))
			}))
		}),
	)
}

type readyCommand struct {
	OpsAddr string        `default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"The operations address of the service."`
	Timeout time.Duration `default:"2s" help:"How long to wait for the response."`
}

// Run reports whether a running service is ready for requests. It serves container images
// without another HTTP client.
func (c readyCommand) Run(ctx context.Context, s cli.Streams) error {
	host, port, err := net.SplitHostPort(c.OpsAddr)
	if err != nil {
		return cli.Usage(fmt.Errorf("CASINO_OPS_ADDR: %q is not an address such as 127.0.0.1:9090", c.OpsAddr))
	}
	if host == "" {
		host = "127.0.0.1" // the service listens on all addresses
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return cli.Usage(err)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprintln(s.Out, "ready")
	return err
}
