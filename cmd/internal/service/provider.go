package service

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/outbound"
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
}

// ConnectProvider makes the connection of a plan.
func ConnectProvider(plan settings.ProviderPlan) (Provider, error) {
	if !plan.Connected() {
		return Provider{}, nil
	}
	client, err := goldapi.New(plan.Connecting())
	if err != nil {
		return Provider{}, err
	}
	toSites := outbound.NewClient()
	if plan.LocalSites {
		toSites = outbound.NewLocalClient()
	}
	return Provider{
		Connection: &app.ProviderConnection{
			Code: settings.ProviderConnectionCode, Games: client, Token: plan.Mint, Scale: plan.Scale, Caps: plan.Caps,
			EnableNew: plan.EnableNew, Sites: goldapi.NewSites(toSites, goldapi.SitesConfig{}),
		},
		Probe: providers.ProviderProbe(client), AgentCode: plan.AgentCode, AgentSecret: plan.Secret, Networks: plan.Networks,
	}, nil
}

// callbackHandler returns the handler that the provider calls, zero without a provider.
func (p Provider) callbackHandler(casino *app.Casino, limiter RequestLimiter, counted *telemetry.Callbacks, log *slog.Logger) (httpapi.Callbacks, error) {
	if p.Connection == nil {
		return httpapi.Callbacks{}, nil
	}
	handler, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: casino.Providers, AgentCode: p.AgentCode, AgentSecret: p.AgentSecret.Reveal(), Limiter: limiter, Logger: log,
		Refused: func(ctx context.Context, why goldapi.Refusal) { counted.Refused(ctx, string(why)) },
	})
	if err != nil {
		return httpapi.Callbacks{}, errors.Join(errors.New("CASINO_PROVIDER_AGENT_SECRET"), err)
	}
	return httpapi.Callbacks{
		Handler: handler, Networks: p.Networks, Foreign: func(ctx context.Context) { counted.Refused(ctx, "address") },
	}, nil
}
