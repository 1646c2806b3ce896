package service

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/docs"
	"github.com/casino-service/casino/domain/limit"
)

// exitFailed is the exit code of a service that ended by itself.
const exitFailed = 1

// requestDrainTime is how long a stopping server lets open requests finish. The writer's
// drainTime and the rest of the stop fit between it and StopTime.
const requestDrainTime = 4 * time.Second

// connectionsMax is how many connections the API has open at most, and never more than
// half of the process's descriptors: the database, Redis, the nodes and the operations
// address need theirs. An idle one takes about 20 kB.
const connectionsMax = 16_384

// apiConnections is how many the API has open at most.
func apiConnections() int { return int(min(connectionsMax, descriptorLimit()/2)) }

// apiStreams is how many of them are event streams at most: a quarter, so that requests find
// a connection however many listen.
func apiStreams() int { return max(1, apiConnections()/4) }

// apiModule is the API on its port.
var apiModule = fx.Module("api",
	fx.Provide(newAPI),
	fx.Invoke(func(life fx.Lifecycle, api *httpapi.API, flags settings.API, casino *app.Casino, observed *telemetry.HTTP, open APIListener,
		machine *system.System, log *slog.Logger, down fx.Shutdowner) error {
		handler, err := withPages(api, flags, casino)
		if err != nil {
			return err
		}
		proxies, err := flags.Proxies()
		if err != nil {
			return err
		}
		whole := observed.Wrap(withManual(handler, flags))
		if flags.Local { // everybody has this machine's address
			whole, proxies = OnlyLocal(whole), append(proxies, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
		}
		whole = httpapi.PaceBodies(whole, machine, httpapi.BodyPace{BytesPerSecond: flags.BodyBytesPerSecond})
		server := httpapi.NewServer(open.Addr().String(), whole, log)
		server.RegisterOnShutdown(api.EndStreams)
		bound := httpapi.Bound(server, open, httpapi.Connections{Max: apiConnections(), PerAddress: flags.AddressConnections, Exempt: proxies})
		life.Append(fx.StartStopHook(
			func() { Serve(server, bound, log, down) },
			func(ctx context.Context) error { return drainServer(ctx, server, log) },
		))
		return nil
	}),
)

// OnlyLocal refuses requests for another host than this machine: a page of a stranger whose
// name was made to lead here (DNS rebinding) would otherwise have demo wallets sign.
func OnlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if settings.Loopback(r.Host) != nil && settings.Loopback(r.Host+":80") != nil {
			http.Error(w, "casino dev answers to localhost and loopback addresses only: open it as http://localhost with its port", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withManual serves the manual beside the API, where it is asked for.
func withManual(api http.Handler, flags settings.API) http.Handler {
	if !flags.Manual {
		return api
	}
	return manual.Beside(api, manual.Config{Sources: docs.Files, Reference: flags.Prefix() + "/docs"})
}

// withPages adds the pages to the API where they are wanted.
func withPages(api http.Handler, flags settings.API, casino *app.Casino) (http.Handler, error) {
	if !flags.Pages {
		return api, nil
	}
	at := ""
	if flags.Manual {
		at = manual.Path
	}
	return web.New(web.Config{
		BasePath: flags.BasePath, Manual: at, Demo: flags.Local,
		Logo: func(ctx context.Context) string {
			shown, err := casino.Admin.PublicBranding(ctx)
			if err != nil {
				return "" // the page does without it, and the database's trouble shows elsewhere
			}
			return shown.LogoURL
		},
		Pictures: func(ctx context.Context) []string {
			origins, err := casino.Providers.PictureOrigins(ctx)
			if err != nil {
				return nil // as above
			}
			return origins
		},
	}, api)
}

// apiParts are what the API is made of.
type apiParts struct {
	fx.In

	Settings settings.API
	Casino   *app.Casino
	Limiter  RequestLimiter
	Provider Provider
	Observed *telemetry.HTTP
	Refused  *telemetry.Callbacks
	// Demo wallets are provided by `casino dev` alone.
	Demo httpapi.DemoWallets `optional:"true"`
	Log  *slog.Logger
}

func newAPI(p apiParts) (*httpapi.API, error) {
	proxies, err := p.Settings.Proxies()
	if err != nil {
		return nil, err
	}
	callbacks, err := p.Provider.callbackHandler(p.Casino, p.Limiter, p.Refused, p.Log)
	if err != nil {
		return nil, err
	}
	limits := httpapi.Limits{Writes: limit.Rule{Max: p.Settings.WritesPerMinute, Window: time.Minute}}
	if p.Settings.Local { // `casino bench` launches for many wallets from one address
		limits.LaunchesAtOnce = math.MaxInt
	}
	return httpapi.New(p.Casino, httpapi.Config{
		BasePath: p.Settings.BasePath, Limiter: p.Limiter, TrustedProxies: proxies, Callbacks: callbacks, DemoWallets: p.Demo,
		Limits:  limits,
		Origins: p.Settings.CORSOrigins, LoopbackOrigins: p.Settings.Local && len(p.Settings.CORSOrigins) == 0, Compress: true, Streams: apiStreams(),
		Logger: p.Log, Seen: observeExchanges(p.Observed),
	})
}

// Serve serves a listener on a goroutine until the server is shut down. A server that
// ends by itself stops the service.
func Serve(server *http.Server, listener net.Listener, log *slog.Logger, down fx.Shutdowner) {
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("server ended", "address", listener.Addr().String(), "error", err.Error())
			_ = down.Shutdown(fx.ExitCode(exitFailed)) // fails only when the stop has begun
		}
	}()
}

// drainServer accepts no new connection and lets open requests finish. Those that take too
// long are cut off, and their clients retry with their keys.
func drainServer(ctx context.Context, server *http.Server, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, requestDrainTime)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("requests were still open when the time to finish them was over", "address", server.Addr)
		return server.Close()
	}
	return err
}
