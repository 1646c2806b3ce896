package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"strings"

	"github.com/casino-service/casino/app"
)

// New returns the surface over the use cases, or one error that names every
// fault of the configuration.
func New(casino *app.Casino, config Config) (*API, error) {
	if config.BasePath == "" {
		config.BasePath = BasePathDefault
	}
	if config.Streams == 0 {
		config.Streams = streamsDefault
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Seen == nil {
		config.Seen = func(context.Context, Exchange) {}
	}
	if config.Callbacks.Foreign == nil {
		config.Callbacks.Foreign = func(context.Context) {}
	}
	if err := config.check(casino); err != nil {
		return nil, err
	}
	document, err := openapiJSON(config.BasePath)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(config.BasePath, "/")
	a := &API{
		casino:    casino,
		base:      base,
		limiter:   config.Limiter,
		limits:    config.Limits.rules(),
		proxies:   config.TrustedProxies,
		callbacks: config.Callbacks,
		demo:      config.DemoWallets,
		logger:    config.Logger,
		seen:      config.Seen,
		openapi:   document,
		docs:      docsHandler(base, config.DemoWallets),
		access:    &accessLog{clock: casino.Clock, logger: config.Logger, refused: map[string]int{}},
		warned:    &forwardedWarning{clock: casino.Clock, logger: config.Logger},
		crowd:     newCrowd(),
		launching: newCrowd(), launchesAtOnce: cmp.Or(config.Limits.LaunchesAtOnce, 4),
		streams: newStreams(config.Streams),
	}
	a.games, a.recent = a.gamesOnce(), newCopied(casino.Clock, a.newestBets)
	a.handler = a.observe(cross(config, compress(config.Compress, a.router(a.routes()))))
	return a, nil
}
