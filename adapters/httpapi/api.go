// Package httpapi is the casino's HTTP surface: routes, authentication, strict
// JSON, limits per address and the one error body, over the use cases of app.
//
// Commands mount it on a listener; embedders mount it in a mux of their own.
// openapi.yaml is its published contract, and every test checks requests and
// responses against it. It decides nothing about money: what isn't a matter of
// HTTP is app's. The sub-package api is its shapes, client is a client of it.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// API is the whole surface as one http.Handler. It is safe for concurrent use.
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
	openapi   []byte
	docs      http.Handler
	access    *accessLog
	warned    *forwardedWarning
	crowd     *crowd
	// launching are launches under way, by client address, of which each has launchesAtOnce at most.
	launching      *crowd
	launchesAtOnce int
	streams        *streams
	handler        http.Handler
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// EndStreams ends the event streams that are open, and those that begin: a server that is
// shut down waits for no stream (see http.Server.RegisterOnShutdown). Clients go on at
// another instance, or at this one when it is back.
func (a *API) EndStreams() { a.streams.end() }
