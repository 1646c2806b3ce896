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

// BasePathDefault is the default prefix of every path.
const BasePathDefault = "/casino"

// Config configures the API. Limiter is required; the zero value of any other field means
// its default.
type Config struct {
	// BasePath is the prefix of every path: one or more segments, each after a slash, such
	// as /api/v1/casino, or "/" for none. Default: BasePathDefault. The contract's server
	// and the docs page follow it.
	BasePath string
	// Limiter counts requests per client address and per wallet.
	Limiter ports.Limiter
	Limits  Limits
	// TrustedProxies are the networks with a trusted X-Forwarded-For; default none. A peer
	// at a Unix socket is always trusted.
	TrustedProxies []netip.Prefix
	// Origins are the origins that browsers may call from; default none.
	Origins []string
	// LoopbackOrigins also lets browsers call from pages of this machine, on any port: http
	// or https of localhost, 127.0.0.1 and [::1]. It is for development.
	LoopbackOrigins bool
	// Callbacks serves the provider's callbacks under the path of its protocol, if set.
	Callbacks Callbacks
	// DemoWallets serves demo wallets under /dev, if set. They sign for any caller:
	// development only.
	DemoWallets DemoWallets
	// Compress sends gzip if the client accepts it and the answer is large enough.
	Compress bool
	// Streams is the maximum number of open event streams; default 4,096. Players may have
	// half of them, admins a sixteenth. Each is a connection: if connections are few, leave
	// most of them to requests.
	Streams int
	// StreamsPerAddress is the maximum number of open event streams of one client address
	// (of a /64 for IPv6); default 32.
	StreamsPerAddress int
	// Seen, if set, is called after every answered request, for metrics. The context is the
	// request's.
	Seen func(context.Context, Exchange)
	// Logger gets the access log and internal errors; nil discards. It never gets a header,
	// a body or a query.
	Logger *slog.Logger
}

// Limits are the rules per client address, and per wallet for requests that are free for
// the player but cost the service a write. A rule without Max means its default.
type Limits struct {
	Login  limit.Rule // default 10 a minute: POST /auth/login
	Public limit.Rule // default 600 a minute: all other public endpoints together, but GET /health
	Verify limit.Rule // default 120 a minute: POST /public/verify and the returns of configs, which compute

	Writes limit.Rule // default 60 a minute and wallet: POST /withdraw and POST /seed/rotate, counted separately
	// Default 20 an hour and wallet: changes of limits, and exclusions with cool-offs,
	// counted separately. Each is stored permanently.
	Changes  limit.Rule
	Launches limit.Rule // default 20 a minute and wallet: POST /legacy/launch, which calls the provider
	// LaunchesAtOnce is the maximum number of concurrent launches of one client address (of
	// a /64 for IPv6), over all its wallets. Default 4, a quarter of the provider's places.
	LaunchesAtOnce int
}

// Exchange is a request and its response for metrics. No field contains text chosen by a
// client, so each takes few values.
type Exchange struct {
	Method   string // "other" for one that HTTP doesn't know
	Route    string // the route's pattern below the base path; "" if there is none
	Status   int
	Code     string // of a refusal, else ""
	Duration time.Duration
	// Stray reports X-Forwarded-For from a private address that is not a trusted proxy.
	// Most likely a proxy is missing from the configuration, and all its clients share one
	// limit.
	Stray bool
}

// Callbacks configures a game provider's callbacks. The handler implements the provider's
// own protocol and checks its secret.
type Callbacks struct {
	// Handler serves callbacks; nil if there is no provider. The RemoteAddr of its requests
	// is the client's address, also behind trusted proxies.
	Handler http.Handler
	// Path is the path of the protocol: /gold_api by default, which has two dialects, or
	// /hub88.
	Path string
	// Networks are the networks that callbacks may come from; empty for any.
	Networks []netip.Prefix
	// Foreign, if set, is called for each callback from another network, for metrics.
	Foreign func(context.Context)
}

func (c Config) checkConfig(casino *app.Casino) error {
	var faults []error
	if casino == nil {
		faults = append(faults, errors.New("httpapi: the use cases are missing"))
	}
	if c.Limiter == nil {
		faults = append(faults, errors.New("httpapi: Config.Limiter is missing"))
	}
	if !plainPath(c.BasePath) {
		faults = append(faults, fmt.Errorf("httpapi: Config.BasePath %q must be / or path segments such as %s or /api/v1%s", c.BasePath, BasePathDefault, BasePathDefault))
	}
	for _, network := range c.TrustedProxies {
		if !network.IsValid() || network.Bits() == 0 {
			faults = append(faults, fmt.Errorf("httpapi: Config.TrustedProxies: %v would trust every address", network))
		}
	}
	return errors.Join(faults...)
}

// plainPath reports whether a base path is the root, or segments of characters that need no
// escape, each after a slash.
func plainPath(path string) bool {
	if path == "/" {
		return true
	}
	names, ok := strings.CutPrefix(path, "/")
	for name := range strings.SplitSeq(names, "/") {
		ok = ok && name != "" && parse.Segment(name) && strings.Trim(name, ".") != ""
	}
	return ok && len(path) <= basePathMax
}

// basePathMax is the maximum length of a base path, in bytes.
const basePathMax = 200

func (l Limits) ruleTable() map[window]limit.Rule {
	within := func(rule limit.Rule, requests int, window time.Duration) limit.Rule {
		if rule.Max == 0 {
			return limit.Rule{Max: requests, Window: window}
		}
		return rule
	}
	orDefault := func(rule limit.Rule, requests int) limit.Rule { return within(rule, requests, time.Minute) }
	return map[window]limit.Rule{
		loginWindow:  orDefault(l.Login, 10),
		publicWindow: orDefault(l.Public, 600),
		verifyWindow: orDefault(l.Verify, 120),

		withdrawWindow: orDefault(l.Writes, 60),
		rotateWindow:   orDefault(l.Writes, 60),
		accountWindow:  within(l.Changes, 20, time.Hour),
		limitsWindow:   within(l.Changes, 20, time.Hour),
		launchWindow:   orDefault(l.Launches, 20),
	}
}
