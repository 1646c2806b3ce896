// Package httpapi is the casino's HTTP surface: routes, authentication, strict
// JSON, limits per address and the one error body, over the use cases of app.
//
// Commands mount it on a listener; embedders mount it in a mux of their own.
// openapi.yaml is its published contract, and every test holds requests and
// responses against it. It decides nothing about money: what isn't a matter of
// HTTP is app's. The sub-package api is its shapes, client calls it.
package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// BasePathDefault is the prefix of every path unless the Config names another.
const BasePathDefault = "/casino"

// Config is what the surface needs beside the use cases. Limiter is required;
// the zero value of everything else means the default named beside it.
type Config struct {
	// BasePath is one path segment with its slash; BasePathDefault.
	BasePath string
	// Limiter counts requests per client address.
	Limiter ports.Limiter
	Limits  Limits
	// TrustedProxies are the networks whose X-Forwarded-For is believed; none.
	TrustedProxies []netip.Prefix
	// Origins are those that browsers may call from; none.
	Origins []string
	// Callbacks are answered under /gold_api; none.
	Callbacks Callbacks
	// Compress answers with gzip where the client takes it and it pays.
	Compress bool
	// Seen is told of every answered request, for metrics; nobody. The context is
	// the request's own.
	Seen func(context.Context, Exchange)
	// Logger takes the access log and internal errors; nowhere. It is never
	// given a header, a body or a query.
	Logger *slog.Logger
}

// Limits are the rules per client address. A rule without Max means the default
// named beside it.
type Limits struct {
	Login  limit.Rule // 10 in any minute: POST /auth/login
	Public limit.Rule // 600 in any minute: all other public endpoints together
	Verify limit.Rule // 120 in any minute: POST /public/verify, which computes
}

// API is the whole surface as one http.Handler. It is safe for concurrent use.
type API struct {
	casino    *app.Casino
	base      string
	limiter   ports.Limiter
	limits    map[window]limit.Rule
	proxies   proxies
	callbacks Callbacks
	logger    *slog.Logger
	seen      func(context.Context, Exchange)
	games     func() ([]byte, error)
	openapi   []byte
	docs      http.Handler
	warned    *forwardedWarning
	handler   http.Handler
}

// New returns the surface over the use cases, or one error that names every
// fault of the configuration.
func New(casino *app.Casino, config Config) (*API, error) {
	if config.BasePath == "" {
		config.BasePath = BasePathDefault
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Seen == nil {
		config.Seen = func(context.Context, Exchange) {}
	}
	if err := config.check(casino); err != nil {
		return nil, err
	}
	document, err := openapiJSON(config.BasePath)
	if err != nil {
		return nil, err
	}
	a := &API{
		casino:    casino,
		base:      config.BasePath,
		limiter:   config.Limiter,
		limits:    config.Limits.rules(),
		proxies:   config.TrustedProxies,
		callbacks: config.Callbacks,
		logger:    config.Logger,
		seen:      config.Seen,
		openapi:   document,
		docs:      docsHandler(config.BasePath),
		warned:    &forwardedWarning{clock: casino.Clock, logger: config.Logger},
	}
	a.games = a.gamesOnce()
	a.handler = a.observe(cross(config.Origins, compress(config.Compress, a.router(a.routes()))))
	return a, nil
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

func (c Config) check(casino *app.Casino) error {
	var faults []error
	if casino == nil {
		faults = append(faults, errors.New("httpapi: the use cases are missing"))
	}
	if c.Limiter == nil {
		faults = append(faults, errors.New("httpapi: Config.Limiter is missing"))
	}
	if !plainSegment(c.BasePath) {
		faults = append(faults, fmt.Errorf("httpapi: Config.BasePath %q must be one path segment such as %s", c.BasePath, BasePathDefault))
	}
	for _, network := range c.TrustedProxies {
		if !network.IsValid() || network.Bits() == 0 {
			faults = append(faults, fmt.Errorf("httpapi: Config.TrustedProxies: %v would trust everybody", network))
		}
	}
	return errors.Join(faults...)
}

// plainSegment reports whether a base path is a slash and one segment of
// characters that need no escape.
func plainSegment(path string) bool {
	name, ok := strings.CutPrefix(path, "/")
	return ok && name != "" && parse.Segment(name) && strings.Trim(name, ".") != ""
}

func (l Limits) rules() map[window]limit.Rule {
	orDefault := func(rule limit.Rule, requests int) limit.Rule {
		if rule.Max == 0 {
			return limit.Rule{Max: requests, Window: time.Minute}
		}
		return rule
	}
	return map[window]limit.Rule{
		loginWindow:  orDefault(l.Login, 10),
		publicWindow: orDefault(l.Public, 600),
		verifyWindow: orDefault(l.Verify, 120),
	}
}
