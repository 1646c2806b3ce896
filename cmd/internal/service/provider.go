package service

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/hub88"
	"github.com/casino-service/casino/adapters/outbound"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// Provider is the connection to a provider of third-party games, zero if there is none.
type Provider struct {
	Connection  *app.ProviderConnection
	Probe       kernel.Probe
	AgentCode   string
	AgentSecret settings.Secret
	Networks    []netip.Prefix
	// Hub88 is set instead of the agent's code and secret if that is the protocol.
	Hub88 *hub88.Config
}

// ConnectProvider makes the connection of a plan.
func ConnectProvider(plan settings.ProviderPlan) (Provider, error) {
	if !plan.Connected() {
		return Provider{}, nil
	}
	toSites := outbound.NewClient()
	if plan.LocalSites {
		toSites = outbound.NewLocalClient()
	}
	connection := &app.ProviderConnection{
		Code: settings.ProviderConnectionCode, Token: plan.Mint, Scale: plan.Scale, Caps: plan.Caps,
		EnableNew: plan.EnableNew, Sites: goldapi.NewSites(toSites, goldapi.SitesConfig{}),
	}
	if plan.Hub88.URL != "" {
		plan.Hub88.Now = system.Default().Now
		client, err := hub88.New(plan.Hub88)
		connection.Code, connection.Games, connection.LaunchOnly = settings.Hub88ConnectionCode, client, true
		return Provider{Connection: connection, Networks: plan.Networks, Hub88: &plan.Hub88}, err
	}
	client, err := goldapi.New(plan.Connecting())
	if err != nil {
		return Provider{}, err
	}
	connection.Games = client
	return Provider{
		Connection: connection,
		Probe:      providers.ProviderProbe(client), AgentCode: plan.AgentCode, AgentSecret: plan.Secret, Networks: plan.Networks,
	}, nil
}

// callbackHandler returns the handler that the provider calls, zero without a provider.
func (p Provider) callbackHandler(casino *app.Casino, limiter RequestLimiter, counted *telemetry.Callbacks, log *slog.Logger) (httpapi.Callbacks, error) {
	if p.Connection == nil {
		return httpapi.Callbacks{}, nil
	}
	callbacks := httpapi.Callbacks{Networks: p.Networks, Foreign: func(ctx context.Context) { counted.Refused(ctx, "address") }}
	refused := func(ctx context.Context, why goldapi.Refusal) { counted.Refused(ctx, string(why)) }
	if p.Hub88 != nil {
		handler, err := hub88.NewHandler(hub88.HandlerConfig{
			Wallet: casino.Providers, Keys: p.Hub88.Keys, Currency: p.Hub88.Currency, Now: p.Hub88.Now, Limiter: limiter, Logger: log, Refused: refused,
		})
		callbacks.Handler, callbacks.Path = handler, "/hub88"
		return callbacks, err
	}
	handler, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: casino.Providers, AgentCode: p.AgentCode, AgentSecret: p.AgentSecret.Reveal(), Limiter: limiter, Logger: log, Refused: refused,
	})
	if err != nil {
		return httpapi.Callbacks{}, errors.Join(errors.New("CASINO_PROVIDER_AGENT_SECRET"), err)
	}
	callbacks.Handler = handler
	return callbacks, nil
}
