package dev

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/goldapi"
	demoprovider "github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/adapters/simulated/site"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// providerListener is the open port of the demo provider.
type providerListener struct{ net.Listener }

// baseURL returns the base URL of the demo provider, for players and the service.
func (p providerListener) baseURL() string { return "http://" + p.Addr().String() }

// sitePath is the path of the demo site on the provider's port.
const sitePath = "/site/"

// siteURL returns the siteEndpoint for agents with players at the demo site.
func (p providerListener) siteURL() string { return p.baseURL() + sitePath }

// DemoAgent is the casino's agent code at the demo provider.
const DemoAgent = "casino-dev"

// Hourly caps of a player's and of all players' wins at the demo provider, before an admin
// reviews them, in base units of the demo token.
const (
	demoNetWinCap     = 5_000_000_000
	demoCreditCap     = 100_000_000
	demoConnectionCap = 3 * demoNetWinCap
)

// openProvider runs the demo provider and connects the service to it. Their credentials are
// files in the folder, so that testers can send callbacks.
func openProvider(life fx.Lifecycle, held *service.Held, dir Folder, flags Flags, machine *system.System, keys devKeys, open providerListener,
	api service.APIListener, log *slog.Logger, down fx.Shutdowner) (service.Provider, error) {
	token, tokenErr := dir.readSecret("provider-token", machine)
	secret, secretErr := dir.readSecret("provider-secret", machine)
	if err := errors.Join(tokenErr, secretErr); err != nil {
		return service.Provider{}, err
	}
	provider, err := demoprovider.New(demoprovider.Config{
		AgentCode: DemoAgent, AgentToken: token, AgentSecret: secret,
		CallbackURL: "http://" + api.Addr().String() + flags.Prefix() + "/gold_api", PublicURL: open.baseURL(), Currency: DemoSymbol, Journal: dir.File("provider.jsonl"),
		Now: machine.Now, Random: func() uint64 {
			entropy := machine.Seed()
			return binary.BigEndian.Uint64(entropy[:8])
		},
	})
	if err != nil {
		return service.Provider{}, err
	}
	agents, err := site.Open(dir.File("site.jsonl"))
	if err != nil {
		return service.Provider{}, errors.Join(err, provider.Close())
	}
	both := http.NewServeMux() // they are independent and only share a port
	both.Handle("/", provider.Handler())
	both.Handle(sitePath, http.StripPrefix(strings.TrimSuffix(sitePath, "/"), agents.Handler()))
	server := newServer(service.OnlyLocal(both))
	held.Hold(life, func(ctx context.Context) error {
		return errors.Join(closeServer(ctx, server), provider.Close(), agents.Close())
	})
	service.Serve(server, open, log, down)
	terms := demoTerms(keys)
	demoToken := terms[len(terms)-1]
	return service.ConnectProvider(settings.ProviderPlan{
		Client:    goldapi.Config{URL: open.baseURL() + "/api", AgentCode: DemoAgent, Loopback: true},
		AgentCode: DemoAgent, Token: settings.Secret(token), Secret: settings.Secret(secret),
		Mint: demoToken.Mint, Scale: seamless.Scale(demoToken.Decimals),
		Caps:      player.ProviderCaps{NetWin: demoNetWinCap, WithoutDebit: demoCreditCap, Connection: demoConnectionCap},
		EnableNew: true, LocalSites: true,
	})
}

// closeServer shuts a server down without waiting for open games.
func closeServer(ctx context.Context, server *http.Server) error {
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}
