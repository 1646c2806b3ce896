package settings

import (
	"net/netip"
	"os"
	"slices"
	"strconv"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/hub88"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
)

// Provider has the settings of the connection to a provider of third-party games. Without a
// URL there is no provider.
type Provider struct {
	ProviderURL         string   `placeholder:"URL" help:"The URL of the game provider; empty for no provider."`
	ProviderProtocol    string   `default:"gold" enum:"gold,hub88" help:"gold: the gold_api agent protocol, both dialects; hub88: Hub88's operator API."`
	ProviderKeyFile     string   `placeholder:"PATH" help:"With hub88: the PEM file of the RSA key that signs our calls and session tokens."`
	ProviderPublicFile  string   `name:"provider-public-key-file" placeholder:"PATH" help:"With hub88: the PEM file of Hub88's public key, which proves its calls."`
	ProviderCurrency    string   `placeholder:"CODE" help:"With hub88: the code of the currency that its games are played in, such as EUR."`
	ProviderLobbyURL    string   `placeholder:"URL" help:"With hub88: the page that games send players back to."`
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

// ProviderConnectionCode and Hub88ConnectionCode name the connections in the ledger and
// never change.
const (
	ProviderConnectionCode = "goldapi"
	Hub88ConnectionCode    = "hub88"
)

// ProviderPlan is the result of the provider's settings. Its zero value means no provider.
type ProviderPlan struct {
	Client    goldapi.Config // without the token
	Hub88     hub88.Config   // instead of Client if the protocol is hub88
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
func (p ProviderPlan) Connected() bool { return p.Client.URL != "" || p.Hub88.URL != "" }

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
	p.planProtocol(&plan, found)
	for _, host := range p.ProviderLaunchHosts {
		found.addError("CASINO_PROVIDER_LAUNCH_HOSTS", goldapi.CheckLaunchHost(host))
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
	networks, err := parseNetworks(p.ProviderIPs)
	found.addError("CASINO_PROVIDER_IPS", err)
	plan.Networks = networks
	return plan
}

// planProtocol checks the settings of the connection's protocol.
func (p Provider) planProtocol(plan *ProviderPlan, found *faults) {
	if p.ProviderProtocol == protocolHub88 {
		plan.Client, plan.Hub88 = goldapi.Config{}, p.hub88Config(found)
		return
	}
	config := plan.Connecting()
	config.LaunchHosts = nil // checked under their own name
	_, err := goldapi.New(config)
	found.addError("CASINO_PROVIDER_URL", err)
	if len(p.ProviderAgentSecret) < secretMin {
		found.addFault("CASINO_PROVIDER_AGENT_SECRET", "must have at least %d characters", secretMin)
	}
	if p.ProviderAgentSecret == p.ProviderAgentToken {
		found.addFault("CASINO_PROVIDER_AGENT_SECRET", "is the same as the token: each side needs its own")
	}
}

// protocolHub88 is the value of CASINO_PROVIDER_PROTOCOL for Hub88's operator API.
const protocolHub88 = "hub88"

// hub88Config reads the keys and checks the settings of Hub88's protocol.
func (p Provider) hub88Config(found *faults) hub88.Config {
	config := hub88.Config{URL: p.ProviderURL, Currency: p.ProviderCurrency, LobbyURL: p.ProviderLobbyURL}
	number, err := strconv.ParseInt(p.ProviderAgentCode, 10, 64)
	if err != nil {
		found.addFault("CASINO_PROVIDER_AGENT_CODE", "must be the number of the operator at Hub88")
	}
	config.OperatorID = number
	private, err := os.ReadFile(p.ProviderKeyFile) //nolint:gosec // the operator's own setting
	found.addError("CASINO_PROVIDER_KEY_FILE", err)
	public, err := os.ReadFile(p.ProviderPublicFile) //nolint:gosec // the operator's own setting
	found.addError("CASINO_PROVIDER_PUBLIC_KEY_FILE", err)
	if config.Keys, err = hub88.ParseKeys(private, public); err != nil {
		found.addError("CASINO_PROVIDER_KEY_FILE", err)
		return config
	}
	_, err = hub88.New(config)
	found.addError("CASINO_PROVIDER_URL", err)
	config.LaunchHosts = p.ProviderLaunchHosts
	return config
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
	if p.ProviderProtocol == protocolHub88 {
		plan.Client, plan.Hub88 = goldapi.Config{}, p.hub88Config(&found)
		return plan, found.err()
	}
	_, err := goldapi.New(plan.Connecting())
	found.addError("CASINO_PROVIDER_URL", err)
	return plan, found.err()
}
