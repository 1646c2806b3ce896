// Package httpapi is the casino's HTTP API over the use cases of app: routes,
// authentication, strict JSON, limits per address and one error body.
//
// Commands mount it on a listener; embedders mount it in their own mux. openapi.yaml is its
// published contract, and every test checks requests and responses against it. Decisions
// about money belong to app. Subpackage api has the types of bodies, and subpackage client
// is a client.
package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// API is the whole API as one http.Handler. It is safe for concurrent use.
type API struct {
	casino    *app.Casino
	base      string
	limiter   ports.Limiter
	limits    map[window]limit.Rule
	proxies   proxies
	callbacks Callbacks
	demo      DemoWallets
	logger    *slog.Logger
	seen      func(context.Context, Exchange)
	games     func() (api.GamesResponse, error)
	recent    *copied
	inForce   *copied
	openapi   []byte
	docs      http.Handler
	access    *accessLog
	warned    *forwardedWarning
	crowd     *crowd
	// launching counts launches in progress by client address, at most launchesAtOnce each.
	launching      *crowd
	launchesAtOnce int
	streams        *streams
	crashTexts     crashTexts
	handler        http.Handler
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// EndStreams ends all open event streams, and any that begin later, because a server's
// Shutdown doesn't end them (see http.Server.RegisterOnShutdown). Clients continue at
// another instance, or at this one after its restart.
func (a *API) EndStreams() { a.streams.end() }

// New returns the API over the use cases, or one error that names every fault of the
// configuration.
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
	if err := config.checkConfig(casino); err != nil {
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
		limits:    config.Limits.ruleTable(),
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
		streams: newStreams(config.Streams, cmp.Or(config.StreamsPerAddress, streamsOfAddress)),
	}
	a.games, a.recent = a.gamesOnce(), newCopied(casino.Clock, a.newestBets)
	a.inForce = newCopied(casino.Clock, a.limitsInForce)
	a.handler = a.observe(allowOrigins(config, compressAnswers(config.Compress, a.router(a.routes()))))
	return a, nil
}

// routes returns all routes: the core, the casino's extensions and, in development, the
// demo wallets.
func (a *API) routes() []route {
	all := a.coreRoutes()
	for _, e := range a.extensions() {
		if e.present(a.casino) {
			all = append(all, e.routes...)
		}
	}
	if a.demo != nil {
		all = append(all, a.demoRoutes()...)
	}
	return all
}

// coreRoutes begins with bets, because mux compares a path with each pattern in turn.
func (a *API) coreRoutes() []route {
	return slices.Concat(
		a.playRoutes(), a.publicRoutes(), a.docsRoutes(), a.gameRoutes(), a.accountRoutes(), a.depositRoutes(), a.payoutRoutes(),
		a.roundRoutes(), a.eventRoutes(), a.providerRoutes(), a.approvalRoutes(), a.adminRoutes(), a.reportRoutes(),
		a.agentRoutes(), a.auditRoutes(),
	)
}

// extension holds the routes of an optional feature.
type extension struct {
	routes  []route
	present func(*app.Casino) bool
}

func (a *API) extensions() []extension {
	return []extension{
		{a.stepRoutes(), func(c *app.Casino) bool { return c.Rounds != nil }},
		{a.crashRoutes(), func(c *app.Casino) bool { return c.Crash != nil }},
		{a.alarmRoutes(), func(c *app.Casino) bool { return c.Alarms != nil }},
		{a.solvencyRoutes(), func(c *app.Casino) bool { return c.Solvency != nil }},
		{a.checkpointRoutes(), func(c *app.Casino) bool { return c.Audit != nil }},
		{a.receiptRoutes(), func(c *app.Casino) bool { return c.Receipts != nil }},
		{a.headLogRoutes(), hasHeadLog},
		{a.siteRoutes(), func(c *app.Casino) bool { return c.Sites != nil }},
		{a.webhookRoutes(), func(c *app.Casino) bool { return c.Webhooks != nil }},
	}
}
