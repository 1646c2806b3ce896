package settings

import (
	"net/netip"
	"slices"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
)

// Provider has the settings of the connection to a provider of third-party games. Without a
// URL there is no provider.
type Provider struct {
	ProviderURL         string   `placeholder:"URL" help:"The URL of the game provider; empty for no provider."`
	ProviderAgentCode   string   `placeholder:"CODE" help:"The casino's agent code at the provider."`
	ProviderAgentToken  Secret   `placeholder:"TOKEN" help:"The token that the service sends to the provider."`
	ProviderAgentSecret Secret   `placeholder:"SECRET" help:"The secret that the provider sends in callbacks; at least 16 characters."`
	ProviderIPs         []string `name:"provider-ips" placeholder:"CIDR" help:"Networks that the provider calls from; any when empty."`
	ProviderToken       string   `placeholder:"MINT" help:"The token that provider games are played in."`
	ProviderScale       int      `default:"-1" placeholder:"N" help:"One unit of the provider's money is 10^N base units; the token's decimals when below 0."`
	ProviderLaunchHosts []string `placeholder:"HOST" help:"Hosts that launch URLs may be on, *.example.com for subdomains; the provider URL's own when empty."`
	ProviderNetWinCap   int64    `default:"0" placeholder:"UNITS" help:"Base units that a player may win from the provider in an hour, less what was bet, before an admin reviews the win; required with a URL."`
	ProviderHourCap     int64    `default:"0" placeholder:"UNITS" help:"Base units that all players together may win from the provider in an hour, less what they bet, before an admin reviews each win; three times the cap of a player when 0."`
	ProviderCreditCap   int64    `name:"provider-loose-cap" default:"0" placeholder:"UNITS" help:"Base units of wins without a bet, per player and hour, before an admin reviews them."`
	ProviderEnableNew   bool     `help:"Enable games that a sync meets for the first time, without an admin."`
}

// ProviderConnectionCode names the connection in the ledger and never changes.
const ProviderConnectionCode = "goldapi"

// ProviderPlan is the result of the provider's settings. Its zero value means no provider.
type ProviderPlan struct {
	Client    goldapi.Config // without the token
	AgentCode string
	Token     Secret
	Secret    Secret
	Networks  []netip.Prefix
	Mint      money.Token
	Scale     seamless.Scale
	Caps      player.ProviderCaps
	EnableNew bool
	// LocalSites allows agents' sites on this machine. Only casino dev sets it.
	LocalSites bool
}

// Connected reports whether there is a provider.
func (p ProviderPlan) Connected() bool { return p.Client.URL != "" }

// Connecting returns the client's configuration with the token.
func (p ProviderPlan) Connecting() goldapi.Config {
	config := p.Client
	config.AgentToken = p.Token.Reveal()
	return config
}

// secretMin is the minimum length of the provider's secret.
const secretMin = 16

// planProvider reads the settings. terms are the open tokens.
func (p Provider) planProvider(terms []token.Terms, found *faults) ProviderPlan {
	if p.ProviderURL == "" {
		return ProviderPlan{}
	}
	plan := ProviderPlan{
		Client: goldapi.Config{
			URL: p.ProviderURL, AgentCode: p.ProviderAgentCode, LaunchHosts: p.ProviderLaunchHosts,
		},
		AgentCode: p.ProviderAgentCode, Token: p.ProviderAgentToken, Secret: p.ProviderAgentSecret,
		Mint:      money.Token(p.ProviderToken),
		Caps:      p.hourCaps(),
		EnableNew: p.ProviderEnableNew,
	}
	config := plan.Connecting()
	config.LaunchHosts = nil // checked below, under their own name
	_, err := goldapi.New(config)
	found.addError("CASINO_PROVIDER_URL", err)
	for _, host := range p.ProviderLaunchHosts {
		found.addError("CASINO_PROVIDER_LAUNCH_HOSTS", goldapi.CheckLaunchHost(host))
	}
	if len(p.ProviderAgentSecret) < secretMin {
		found.addFault("CASINO_PROVIDER_AGENT_SECRET", "must have at least %d characters", secretMin)
	}
	if p.ProviderAgentSecret == p.ProviderAgentToken {
		found.addFault("CASINO_PROVIDER_AGENT_SECRET", "is the same as the token: each side needs its own")
	}
	if p.ProviderHourCap < 0 {
		found.addFault("CASINO_PROVIDER_HOUR_CAP", "must be at least 0")
	}
	if p.ProviderNetWinCap < 1 || p.ProviderCreditCap < 0 {
		found.addFault("CASINO_PROVIDER_NET_WIN_CAP", "must be stated, and CASINO_PROVIDER_LOOSE_CAP not below 0: how much a provider may pay out without a review is the operator's choice")
	}
	at := slices.IndexFunc(terms, func(t token.Terms) bool { return t.Mint == plan.Mint })
	switch {
	case at < 0:
		found.addFault("CASINO_PROVIDER_TOKEN", "must be the mint of a token of the tokens file")
	case p.ProviderScale > int(seamless.ScaleMax):
		found.addFault("CASINO_PROVIDER_SCALE", "must be at most %d", seamless.ScaleMax)
	case p.ProviderScale < 0:
		plan.Scale = seamless.Scale(terms[at].Decimals)
	default:
		plan.Scale = seamless.Scale(p.ProviderScale)
	}
	plan.Networks, err = parseNetworks(p.ProviderIPs)
	found.addError("CASINO_PROVIDER_IPS", err)
	return plan
}

// hourCapDefault is the default cap of all players in an hour, in multiples of a player's
// cap.
const hourCapDefault = 3

// hourCaps returns the hourly caps. The cap of all players has a default.
func (p Provider) hourCaps() player.ProviderCaps {
	caps := player.ProviderCaps{
		NetWin: money.Amount(p.ProviderNetWinCap), WithoutDebit: money.Amount(p.ProviderCreditCap), Connection: money.Amount(p.ProviderHourCap),
	}
	if caps.Connection == 0 {
		caps.Connection = min(caps.NetWin, money.Max/hourCapDefault) * hourCapDefault
	}
	return caps
}

// SyncPlan returns the plan of a command that only reads the catalogue: it needs neither
// the token nor the caps.
func (p Provider) SyncPlan() (ProviderPlan, error) {
	if p.ProviderURL == "" {
		return ProviderPlan{}, nil
	}
	plan := ProviderPlan{
		EnableNew: p.ProviderEnableNew, Token: p.ProviderAgentToken,
		Client: goldapi.Config{URL: p.ProviderURL, AgentCode: p.ProviderAgentCode},
	}
	var found faults
	_, err := goldapi.New(plan.Connecting())
	found.addError("CASINO_PROVIDER_URL", err)
	return plan, found.err()
}
