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
	// BasePath is before every path: one segment or more, each with its slash before it,
	// such as /api/v1/casino, or "/" for nothing; BasePathDefault. The document's server and
	// the docs page follow it.
	BasePath string
	// Limiter counts requests per client address and per wallet.
	Limiter ports.Limiter
	Limits  Limits
	// TrustedProxies are the networks whose X-Forwarded-For is trusted; none. A peer that
	// connects through a Unix socket is always trusted.
	TrustedProxies []netip.Prefix
	// Origins are those that browsers may call from; none.
	Origins []string
	// LoopbackOrigins lets browsers call from pages of this machine too, on any port:
	// http or https of localhost, 127.0.0.1 and [::1]. It is for development.
	LoopbackOrigins bool
	// Callbacks are answered under /gold_api; none.
	Callbacks Callbacks
	// DemoWallets sign for whoever asks under /dev, in development; none.
	DemoWallets DemoWallets
	// Compress answers with gzip where the client takes it and it pays.
	Compress bool
	// Streams is how many event streams are open at a time; 4,096. Half of them are the
	// players', a sixteenth the admins'. Each is a connection: where there are few, let most
	// of them be for requests.
	Streams int
	// Seen is called after every answered request, for metrics; nobody. The context is
	// the request's own.
	Seen func(context.Context, Exchange)
	// Logger takes the access log and internal errors; nowhere. It is never
	// given a header, a body or a query.
	Logger *slog.Logger
}

// Limits are the rules per client address, and per wallet for what costs its player
// nothing and the service a write. A rule without Max means the
// default named beside it.
type Limits struct {
	Login  limit.Rule // 10 in any minute: POST /auth/login
	Public limit.Rule // 600 in any minute: all other public endpoints together, but GET /health
	Verify limit.Rule // 120 in any minute: POST /public/verify and the returns of configs, which compute

	Writes limit.Rule // 60 in any minute of a wallet: POST /withdraw and POST /seed/rotate, each counted apart
	// 20 in any hour of a wallet: changes of limits, and exclusions with cool-offs, counted
	// apart. Each is kept for ever.
	Changes  limit.Rule
	Launches limit.Rule // 20 in any minute of a wallet: POST /legacy/launch, which calls the provider
	// LaunchesAtOnce is how many launches of one client address, IPv6 by its /64, are under way
	// at a time: 4, a quarter of the places at the provider, however many wallets it signs in.
	LaunchesAtOnce int
}

// Exchange is a request and its response as metrics may show them: no field holds what
// a client invented, so each takes few values.
type Exchange struct {
	Method   string // "other" for one that HTTP doesn't know
	Route    string // the route's pattern behind the base path; empty where there is none
	Status   int
	Code     string // of a refusal; empty otherwise
	Duration time.Duration
	// Stray says that it carries X-Forwarded-For from a private address that is not a
	// trusted proxy: most likely one is missing from the configuration, and all its
	// clients share one limit.
	Stray bool
}

// Callbacks are what a game provider calls. The handler speaks the provider's
// own protocol and checks the provider's secret itself.
type Callbacks struct {
	// Handler answers; nil means that there is no provider. The RemoteAddr of its
	// requests is the client's, also behind trusted proxies.
	Handler http.Handler
	// Networks are those that callbacks may come from; none means any.
	Networks []netip.Prefix
	// Foreign is called for each callback from elsewhere, for metrics; nobody.
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
			faults = append(faults, fmt.Errorf("httpapi: Config.TrustedProxies: %v would trust everybody", network))
		}
	}
	return errors.Join(faults...)
}

// plainPath reports whether a base path is the root, or segments of characters that need no
// escape, each behind a slash.
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

// basePathMax is how long a base path may be, in bytes.
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
