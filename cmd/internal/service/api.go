package service

import (
	"cmp"
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

// exitFailed is the exit code of a service that ended without a request to stop.
const exitFailed = 1

// requestDrainTime is how long a stopping server lets open requests finish. The writer's
// drainTime and the rest of the stop fit between it and StopTime.
const requestDrainTime = 4 * time.Second

// descriptorsUnknown is the limit of descriptors where the system tells none.
const descriptorsUnknown = 32_768

// apiConnections returns the maximum number of open connections of the API: the setting, and at
// most half of the process's descriptors. The database, Redis, the nodes and the operations
// address need the others. An idle connection uses about 20 kB.
func apiConnections(flags settings.API) int {
	return int(min(uint64(flags.Connections), descriptorLimit()/2))
}

// apiStreams returns the maximum number of event streams: a quarter of the connections, or the
// setting, which may be half of them. So requests find a connection however many streams there
// are.
func apiStreams(flags settings.API) int {
	const quarter, half = 4, 2
	connections := apiConnections(flags)
	return max(1, min(cmp.Or(flags.EventStreams, connections/quarter), connections/half))
}

// apiModule serves the API on its port.
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
		if flags.Local { // all clients have this machine's address
			whole, proxies = OnlyLocal(whole), append(proxies, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
		}
		whole = httpapi.PaceBodies(whole, machine, httpapi.BodyPace{BytesPerSecond: flags.BodyBytesPerSecond})
		server := httpapi.NewServer(open.Addr().String(), whole, log)
		server.RegisterOnShutdown(api.EndStreams)
		bound := httpapi.Bound(server, open, httpapi.Connections{Max: apiConnections(flags), PerAddress: flags.AddressConnections, Exempt: proxies})
		life.Append(fx.StartStopHook(
			func() { Serve(server, bound, log, down) },
			func(ctx context.Context) error { return drainServer(ctx, server, log) },
		))
		return nil
	}),
)

// OnlyLocal refuses requests to other hosts than this machine. Otherwise a malicious page
// could redirect its own name here (DNS rebinding) and sign with the demo wallets.
func OnlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if settings.Loopback(r.Host) != nil && settings.Loopback(r.Host+":80") != nil {
			http.Error(w, "casino dev answers to localhost and loopback addresses only: open it as http://localhost with its port", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withManual serves the manual beside the API if it is enabled.
func withManual(api http.Handler, flags settings.API) http.Handler {
	if !flags.Manual {
		return api
	}
	return manual.Beside(api, manual.Config{Sources: docs.Files, Reference: flags.Prefix() + "/docs"})
}

// withPages serves the pages beside the API if they are enabled.
func withPages(api http.Handler, flags settings.API, casino *app.Casino) (http.Handler, error) {
	if !flags.Pages {
		return api, nil
	}
	at := ""
	if flags.Manual {
		at = manual.Path
	}
	return web.New(web.Config{
		BasePath: flags.BasePath, Manual: at, Demo: flags.Local, Crash: casino.Crash != nil, Explorer: flags.ExplorerURL, Frames: flags.GameFrames, RealityCheck: flags.RealityCheck,
		Logo: func(ctx context.Context) string {
			shown, err := casino.Admin.PublicBranding(ctx)
			if err != nil {
				return "" // the page works without it, and other checks report the database
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

// apiParts are the dependencies of the API.
type apiParts struct {
	fx.In

	Settings settings.API
	Casino   *app.Casino
	Limiter  RequestLimiter
	Provider Provider
	Observed *telemetry.HTTP
	Refused  *telemetry.Callbacks
	// Only `casino dev` provides demo wallets.
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
	if p.Settings.Local { // `casino bench` launches games for many wallets from one address
		limits.LaunchesAtOnce = math.MaxInt
	}
	return httpapi.New(p.Casino, httpapi.Config{
		BasePath: p.Settings.BasePath, Limiter: p.Limiter, TrustedProxies: proxies, Callbacks: callbacks, DemoWallets: p.Demo,
		Limits:  limits,
		Origins: p.Settings.CORSOrigins, LoopbackOrigins: p.Settings.Local && len(p.Settings.CORSOrigins) == 0, Compress: true, Streams: apiStreams(p.Settings),
		StreamsPerAddress: p.Settings.AddressStreams,
		Logger:            p.Log, Seen: observeExchanges(p.Observed),
	})
}

// Serve serves a listener on a goroutine until the server is shut down. If the server ends
// without a shutdown, the service stops.
func Serve(server *http.Server, listener net.Listener, log *slog.Logger, down fx.Shutdowner) {
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("server ended", "address", listener.Addr().String(), "error", err.Error())
			_ = down.Shutdown(fx.ExitCode(exitFailed)) // fails only if the stop has begun
		}
	}()
}

// drainServer accepts no new connection and lets open requests finish. It closes those that
// take too long; their clients retry with their keys.
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
